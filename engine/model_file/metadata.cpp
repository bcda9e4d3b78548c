// SPDX-License-Identifier: Apache-2.0
// Typed getters over the key-value map.
#include "engine/model_file/metadata.h"

namespace agens::model_file {
namespace {

Error wrongType(std::string_view key, const char* expected) {
    return {ErrorKind::InvalidFile, "metadata.type",
            "The key " + std::string(key) + " has the wrong type; " + expected + " expected.",
            std::string(key)};
}

template <class T>
Result<const T*> viewOf(const MetadataValue* value, std::string_view key, const char* expected) {
    if (value == nullptr) return static_cast<const T*>(nullptr);
    const T* typed = std::get_if<T>(value);
    if (typed == nullptr) return wrongType(key, expected);
    return typed;
}

}  // namespace

bool Metadata::add(std::string key, MetadataValue value) {
    return m_values.emplace(std::move(key), std::move(value)).second;
}

const MetadataValue* Metadata::find(std::string_view key) const {
    const auto found = m_values.find(key);
    return found == m_values.end() ? nullptr : &found->second;
}

Result<std::optional<std::string>> Metadata::text(std::string_view key) const {
    TRY(const std::string* value, viewOf<std::string>(find(key), key, "a text"));
    return value == nullptr ? std::nullopt : std::optional(*value);
}

Result<std::optional<std::uint64_t>> Metadata::count(std::string_view key) const {
    const MetadataValue* value = find(key);
    if (value == nullptr) return std::optional<std::uint64_t>();
    if (const auto* plain = std::get_if<std::uint64_t>(value)) return std::optional(*plain);
    const auto* whole = std::get_if<std::int64_t>(value);
    if (whole == nullptr || *whole < 0) return wrongType(key, "a non-negative integer");
    return std::optional(static_cast<std::uint64_t>(*whole));
}

Result<std::optional<double>> Metadata::number(std::string_view key) const {
    const MetadataValue* value = find(key);
    if (value == nullptr) return std::optional<double>();
    if (const auto* real = std::get_if<double>(value)) return std::optional(*real);
    if (const auto* plain = std::get_if<std::uint64_t>(value)) {
        return std::optional(static_cast<double>(*plain));
    }
    if (const auto* whole = std::get_if<std::int64_t>(value)) {
        return std::optional(static_cast<double>(*whole));
    }
    return wrongType(key, "a number");
}

Result<std::optional<bool>> Metadata::flag(std::string_view key) const {
    TRY(const bool* value, viewOf<bool>(find(key), key, "true or false"));
    return value == nullptr ? std::nullopt : std::optional(*value);
}

Result<const std::vector<std::string>*> Metadata::texts(std::string_view key) const {
    return viewOf<std::vector<std::string>>(find(key), key, "a list of texts");
}

Result<const std::vector<std::int64_t>*> Metadata::integers(std::string_view key) const {
    return viewOf<std::vector<std::int64_t>>(find(key), key, "a list of integers");
}

Result<const std::vector<float>*> Metadata::floats(std::string_view key) const {
    return viewOf<std::vector<float>>(find(key), key, "a list of numbers");
}

}  // namespace agens::model_file
