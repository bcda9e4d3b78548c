// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value or an Error. What a person, file, disk or device can cause travels this way;
// exceptions never cross a folder's public header (CheckFailure of check.h is the one exception).
//
//   Result<Size> size = readSize(path);
//   if (!size) return std::move(size).error();
//   TRY(const Size size, readSize(path));      // the same in one line
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace agens {

enum class ErrorKind {
    InvalidFile,
    Unsupported,
    NoMemory,
    Io,
    Device,
    Cancelled,
    InvalidRequest,
    Busy,
    Internal,
};

// Name of a kind as it is printed in JSON and logs ("InvalidFile").
const char* toString(ErrorKind kind);

struct Error {
    ErrorKind kind = ErrorKind::Internal;
    std::string id;     // stable key for translation and tests, e.g. "gguf.truncated"
    std::string what;   // a sentence for a person: the thing, expected, found, remedy
    std::string where;  // file and offset, key, tensor or field; may be empty

    // "what (where)" for a terminal; `what` alone when there is no place to name.
    std::string text() const;
};

template <class T>
class [[nodiscard]] Result {
 public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & { return std::get<0>(m_state); }
    const T& value() const& { return std::get<0>(m_state); }
    T&& value() && { return std::get<0>(std::move(m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    const Error& error() const& { return std::get<1>(m_state); }
    Error&& error() && { return std::get<1>(std::move(m_state)); }

 private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
 public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)) {}

    bool ok() const { return !m_error.has_value(); }
    explicit operator bool() const { return ok(); }
    const Error& error() const& { return *m_error; }
    Error&& error() && { return std::move(*m_error); }

 private:
    std::optional<Error> m_error;
};

}  // namespace agens

#define AGENS_JOIN2(a, b) a##b
#define AGENS_JOIN(a, b) AGENS_JOIN2(a, b)

// TRY(declaration, expression): unwraps a Result or returns its Error from the enclosing function.
#define TRY(declaration, ...) TRY_AS(AGENS_JOIN(tryResult, __LINE__), declaration, __VA_ARGS__)
#define TRY_AS(name, declaration, ...)              \
    auto name = (__VA_ARGS__);                      \
    if (!name.ok()) return std::move(name).error(); \
    declaration = std::move(name).value()

// TRY_VOID(expression): the same for Result<void>.
#define TRY_VOID(...)                                                     \
    do {                                                                  \
        auto tryVoidResult = (__VA_ARGS__);                               \
        if (!tryVoidResult.ok()) return std::move(tryVoidResult).error(); \
    } while (false)
