// SPDX-License-Identifier: Apache-2.0
// Reading "ARCHITECTURE.key" values with range checks and the errors a person can act on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/model_file/metadata.h"

namespace agens::model {

struct Range {
    double least;
    double most;
};

class GgufKeys {
 public:
    GgufKeys(const model_file::Metadata& metadata, std::string architecture)
        : m_metadata(metadata), m_architecture(std::move(architecture)) {}

    // Errors: InvalidFile "KEY is missing …" when there is no fallback, or out of range.
    Result<std::uint32_t> count(const std::string& key, Range range,
                                std::optional<std::uint32_t> fallback = {}) const;
    Result<double> number(const std::string& key, Range range,
                          std::optional<double> fallback = {}) const;
    Result<std::string> text(const std::string& key, const std::string& fallback) const;
    // A scalar for all layers, or an array with one value per layer.
    Result<std::vector<std::uint32_t>> perLayer(const std::string& key, std::uint32_t layers,
                                                Range range,
                                                std::optional<std::uint32_t> fallback = {}) const;
    std::string fullName(const std::string& key) const { return m_architecture + "." + key; }

 private:
    const model_file::Metadata& m_metadata;
    std::string m_architecture;
};

}  // namespace agens::model
