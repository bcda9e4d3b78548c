// SPDX-License-Identifier: Apache-2.0
// Range-checked metadata values.
#include "engine/model/gguf_keys.h"

#include <cmath>

namespace agens::model {
namespace {

std::string plain(double value) {
    const auto whole = static_cast<std::int64_t>(value);
    return static_cast<double>(whole) == value ? std::to_string(whole) : std::to_string(value);
}

Error missing(const std::string& name) {
    return {ErrorKind::InvalidFile, "model.key_missing",
            "The key " + name +
                " is missing in the model file; the file is incomplete or was "
                "converted by a faulty program. Convert or obtain it again.",
            name};
}

Error outOfRange(const std::string& name, double value, Range range) {
    return {ErrorKind::InvalidFile, "model.key_range",
            "The key " + name + " is " + plain(value) + "; " + plain(range.least) + " to " +
                plain(range.most) + " is possible.",
            name};
}

Result<void> check(const std::string& name, double value, Range range) {
    // Written so that NaN is out of range.
    if (!(value >= range.least && value <= range.most)) return outOfRange(name, value, range);
    return {};
}

}  // namespace

Result<std::uint32_t> GgufKeys::count(const std::string& key, Range range,
                                      std::optional<std::uint32_t> fallback) const {
    const std::string name = fullName(key);
    TRY(const std::optional<std::uint64_t> found, m_metadata.count(name));
    if (!found && !fallback) return missing(name);
    const std::uint64_t value = found ? *found : *fallback;
    TRY_VOID(check(name, static_cast<double>(value), range));
    return static_cast<std::uint32_t>(value);
}

Result<double> GgufKeys::number(const std::string& key, Range range,
                                std::optional<double> fallback) const {
    const std::string name = fullName(key);
    TRY(const std::optional<double> found, m_metadata.number(name));
    if (!found && !fallback) return missing(name);
    const double value = found ? *found : *fallback;
    TRY_VOID(check(name, value, range));
    return value;
}

Result<std::string> GgufKeys::text(const std::string& key, const std::string& fallback) const {
    TRY(const std::optional<std::string> found, m_metadata.text(fullName(key)));
    return found.value_or(fallback);
}

Result<std::vector<std::uint32_t>> GgufKeys::perLayer(const std::string& key, std::uint32_t layers,
                                                      Range range,
                                                      std::optional<std::uint32_t> fallback) const {
    const std::string name = fullName(key);
    const model_file::MetadataValue* value = m_metadata.find(name);
    if (value == nullptr || !std::holds_alternative<std::vector<std::int64_t>>(*value)) {
        TRY(const std::uint32_t same, count(key, range, fallback));
        return std::vector<std::uint32_t>(layers, same);
    }
    const auto& list = std::get<std::vector<std::int64_t>>(*value);
    if (list.size() < layers) {
        return Error{ErrorKind::InvalidFile, "model.key_layers",
                     "The key " + name + " has " + std::to_string(list.size()) +
                         " values; one for "
                         "each of " +
                         std::to_string(layers) + " layers expected.",
                     name};
    }
    std::vector<std::uint32_t> values;
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
        TRY_VOID(check(name, static_cast<double>(list[layer]), range));
        values.push_back(static_cast<std::uint32_t>(list[layer]));
    }
    return values;
}

}  // namespace agens::model
