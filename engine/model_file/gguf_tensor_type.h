// SPDX-License-Identifier: Apache-2.0
// Numbers that a GGUF file may give as a tensor's type, and what this version does with each:
// load it, or say precisely why not.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/device/formats/block_format.h"

namespace agens::model_file {

enum class GgufTypeStatus {
    Loadable,    // a format of device/formats
    NotYet,      // a legal type that no kernel here runs
    Activation,  // Q8_1, Q8_K: never stored in a file
    Withdrawn,   // once legal, removed from the format
    Unknown,
};

struct GgufTensorType {
    GgufTypeStatus status = GgufTypeStatus::Unknown;
    const char* name = "";                                  // "Q4_K"; empty when unknown
    device::BlockFormat format = device::BlockFormat::F32;  // meaningful when Loadable
};

GgufTensorType ggufTensorType(std::uint32_t id);

}  // namespace agens::model_file
