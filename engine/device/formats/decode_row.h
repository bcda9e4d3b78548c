// SPDX-License-Identifier: Apache-2.0
// One row of a matrix as stored in the file → f32 values, by the definition of its format. The
// reference device, packing to f32 and `agens dequantize` all use this one function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/device/formats/block_format.h"

namespace agens::device {

// Requires: `row` holds rowBytes(format, values.size()) bytes; any alignment.
void decodeRow(BlockFormat format, const std::byte* row, std::span<float> values);

}  // namespace agens::device
