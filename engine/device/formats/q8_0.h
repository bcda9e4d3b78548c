// SPDX-License-Identifier: Apache-2.0
// Q8_0: 32 values in 34 bytes, value = d·q.
//
//   byte 0..1   d   f16 scale
//   byte 2..33  qs  int8
//
// Decode (bit for bit): d to f32, then d·q rounded.
#pragma once

#include <cstdint>

#include "engine/device/formats/half.h"

namespace agens::device {

struct Q8_0Block {
    static constexpr std::uint32_t kValues = 32;
    std::uint16_t scale;
    std::int8_t codes[32];
};
static_assert(sizeof(Q8_0Block) == 34);

inline void decode(const Q8_0Block& block, float* values) {
    const float scale = halfToFloat(block.scale);
    for (std::uint32_t i = 0; i < Q8_0Block::kValues; ++i) {
        values[i] = scale * static_cast<float>(block.codes[i]);
    }
}

// For tests: the nearest codes for 32 values (scale = largest magnitude / 127).
inline Q8_0Block encodeQ8_0(const float* values) {
    float largest = 0.0F;
    for (std::uint32_t i = 0; i < Q8_0Block::kValues; ++i) {
        const float magnitude = values[i] < 0.0F ? -values[i] : values[i];
        largest = magnitude > largest ? magnitude : largest;
    }
    Q8_0Block block{};
    block.scale = floatToHalf(largest / 127.0F);
    const float scale = halfToFloat(block.scale);
    for (std::uint32_t i = 0; i < Q8_0Block::kValues; ++i) {
        const float code = scale == 0.0F ? 0.0F : values[i] / scale;
        const float rounded = code < 0.0F ? code - 0.5F : code + 0.5F;
        block.codes[i] = static_cast<std::int8_t>(rounded < -127.0F  ? -127.0F
                                                  : rounded > 127.0F ? 127.0F
                                                                     : rounded);
    }
    return block;
}

}  // namespace agens::device
