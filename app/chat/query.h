// SPDX-License-Identifier: Apache-2.0
// Query: a prepared statement with values bound in order and columns read by type. Units are bound
// by their number, empty optionals as NULL, enums by name at the call.
// Errors: throws SQLite::Exception; StoreDatabase catches it around each command.
// Thread: store worker (and the opening thread before the worker runs).
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/units.h"

namespace agens::chat {

class Query {
 public:
    Query(SQLite::Database& db, const char* sql) : m_statement(db, sql) {}
    template <class... Values>
    Query(SQLite::Database& db, const char* sql, const Values&... values) : m_statement(db, sql) {
        bindAll(values...);
    }

    // Binds anew, for one statement used many times.
    template <class... Values>
    Query& with(const Values&... values) {
        m_statement.reset();
        m_statement.clearBindings();
        bindAll(values...);
        return *this;
    }

    bool next() { return m_statement.executeStep(); }
    void run() {
        while (m_statement.executeStep()) {
        }
    }

    std::int64_t integer(int column) const { return m_statement.getColumn(column).getInt64(); }
    bool flag(int column) const { return integer(column) != 0; }
    std::string text(int column) const { return m_statement.getColumn(column).getString(); }
    bool isNull(int column) const { return m_statement.getColumn(column).isNull(); }
    template <class Id>
    Id id(int column) const {
        return Id(integer(column));
    }
    template <class Id>
    std::optional<Id> optionalId(int column) const {
        return isNull(column) ? std::nullopt : std::optional(id<Id>(column));
    }

 private:
    template <class... Values>
    void bindAll(const Values&... values) {
        int place = 0;
        (bindOne(++place, values), ...);
    }
    void bindOne(int place, std::int64_t value) { m_statement.bind(place, value); }
    void bindOne(int place, int value) { m_statement.bind(place, value); }
    void bindOne(int place, std::uint32_t value) {
        m_statement.bind(place, static_cast<std::int64_t>(value));
    }
    // SQLite's integers are signed: the bits are kept and cast back on reading.
    void bindOne(int place, std::uint64_t value) {
        m_statement.bind(place, static_cast<std::int64_t>(value));
    }
    void bindOne(int place, bool value) { m_statement.bind(place, value ? 1 : 0); }
    void bindOne(int place, const char* value) { m_statement.bind(place, value); }
    void bindOne(int place, const std::string& value) { m_statement.bind(place, value); }
    template <class Tag>
    void bindOne(int place, Unit<Tag, std::int64_t> value) {
        m_statement.bind(place, value.value);
    }
    template <class Value>
    void bindOne(int place, const std::optional<Value>& value) {
        if (value) {
            bindOne(place, *value);
        } else {
            m_statement.bind(place);
        }
    }

    // getColumn() is not const in SQLiteCpp, though it changes nothing a reader can see.
    mutable SQLite::Statement m_statement;
};

}  // namespace agens::chat
