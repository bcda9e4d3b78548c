// SPDX-License-Identifier: Apache-2.0
// Metadata: the typed key-value part of a model file (GGUF header), owned and already checked to be
// well-formed. What a value means is decided by `model` and `text`.
//
// Integers of every width become i64/u64; arrays are homogeneous. A getter returns nothing when the
// key is absent and an Error (InvalidFile, where = key) when the value has another type or range.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/result.h"

namespace agens::model_file {

using MetadataValue =
    std::variant<bool, std::int64_t, std::uint64_t, double, std::string, std::vector<bool>,
                 std::vector<std::int64_t>, std::vector<float>, std::vector<std::string>>;

class Metadata {
 public:
    // False when the key was there already (the caller's InvalidFile).
    bool add(std::string key, MetadataValue value);

    const MetadataValue* find(std::string_view key) const;
    bool has(std::string_view key) const { return find(key) != nullptr; }
    const std::map<std::string, MetadataValue, std::less<>>& all() const { return m_values; }

    Result<std::optional<std::string>> text(std::string_view key) const;
    Result<std::optional<std::uint64_t>> count(
        std::string_view key) const;                                   // any non-negative integer
    Result<std::optional<double>> number(std::string_view key) const;  // integer or float
    Result<std::optional<bool>> flag(std::string_view key) const;
    // Views into this object; nullptr when absent.
    Result<const std::vector<std::string>*> texts(std::string_view key) const;
    Result<const std::vector<std::int64_t>*> integers(std::string_view key) const;
    Result<const std::vector<float>*> floats(std::string_view key) const;

 private:
    std::map<std::string, MetadataValue, std::less<>> m_values;
};

}  // namespace agens::model_file
