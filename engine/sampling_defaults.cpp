// SPDX-License-Identifier: Apache-2.0
// Rows come from the model cards: SmolLM2 0.2 / 0.9 without top-k, Llama 3.x 0.6 / 0.9 without
// top-k.
#include "engine/sampling_defaults.h"

#include <optional>
#include <string>

#include "engine/base/log.h"

namespace agens::engine {
namespace {

SamplingValues familyRow(const std::string& name) {
    SamplingValues values;
    if (name.find("SmolLM2") != std::string::npos || name.find("Smollm2") != std::string::npos) {
        values.temperature = 0.2F;
        values.topP = 0.9;
        values.topK = 0;
    } else if (name.find("Llama 3") != std::string::npos ||
               name.find("Llama-3") != std::string::npos) {
        values.temperature = 0.6F;
        values.topP = 0.9;
        values.topK = 0;
    }
    return values;
}

// The number under `key` if it is there and lies in [least, most].
std::optional<double> numberOf(const model_file::Metadata& metadata, const char* key, double least,
                               double most) {
    const auto number = metadata.number(key);
    if (number.ok() && !number->has_value()) return std::nullopt;
    if (number.ok() && **number >= least && **number <= most) return **number;
    log::warning("model", std::string(key) + " is out of range and ignored");
    return std::nullopt;
}

}  // namespace

SamplingValues samplingDefaults(const model_file::Metadata& metadata) {
    const auto name = metadata.text("general.name");
    SamplingValues values = familyRow(name.ok() ? name->value_or("") : "");
    if (const auto value = numberOf(metadata, "general.sampling.temp", 0, 100)) {
        values.temperature = static_cast<float>(*value);
    }
    if (const auto value = numberOf(metadata, "general.sampling.top_k", 0, 1048576)) {
        values.topK = static_cast<std::uint32_t>(*value);
    }
    if (const auto value = numberOf(metadata, "general.sampling.top_p", 1e-9, 1))
        values.topP = *value;
    if (const auto value = numberOf(metadata, "general.sampling.min_p", 0, 1)) values.minP = *value;
    if (const auto value = numberOf(metadata, "general.sampling.penalty_repeat", 1e-9, 10)) {
        values.repetitionPenalty = static_cast<float>(*value);
    }
    // -1 is the whole text, 0 turns the penalty off.
    if (const auto value = numberOf(metadata, "general.sampling.penalty_last_n", -1, 1048576)) {
        if (*value == 0) values.repetitionPenalty = 1.0F;
        values.repeatLastN = *value > 0 ? static_cast<std::uint32_t>(*value) : 0;
    }
    return values;
}

}  // namespace agens::engine
