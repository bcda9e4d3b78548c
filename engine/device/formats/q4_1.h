// SPDX-License-Identifier: Apache-2.0
// Q4_1: 32 values in 20 bytes, value = d·q + m.
//
//   byte  0..1   d   f16 scale
//   byte  2..3   m   f16 minimum
//   byte  4..19  qs  byte j: low nibble = value j, high nibble = value j + 16
//
// Decode (bit for bit): d and m to f32 first, then d·q rounded, then + m rounded; no fma.
#pragma once

#include <cstdint>
#include <cstring>

#include "engine/device/formats/half.h"

namespace agens::device {

struct Q4_1Block {
    static constexpr std::uint32_t kValues = 32;
    std::uint16_t scale;
    std::uint16_t minimum;
    std::uint8_t codes[16];

    constexpr std::uint32_t codeOf(std::uint32_t value) const {
        return value < 16 ? codes[value] & 15u : codes[value - 16] >> 4;
    }
};
static_assert(sizeof(Q4_1Block) == 20);

inline void decode(const Q4_1Block& block, float* values) {
    const float scale = halfToFloat(block.scale);
    const float minimum = halfToFloat(block.minimum);
    for (std::uint32_t i = 0; i < Q4_1Block::kValues; ++i) {
        values[i] = scale * static_cast<float>(block.codeOf(i)) + minimum;
    }
}

// For tests: the nearest codes for 32 values (scale from their range).
inline Q4_1Block encodeQ4_1(const float* values) {
    float low = values[0];
    float high = values[0];
    for (std::uint32_t i = 1; i < Q4_1Block::kValues; ++i) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    Q4_1Block block{};
    block.scale = floatToHalf((high - low) / 15.0F);
    block.minimum = floatToHalf(low);
    const float scale = halfToFloat(block.scale);
    for (std::uint32_t i = 0; i < Q4_1Block::kValues; ++i) {
        const float code = scale == 0.0F ? 0.0F : (values[i] - low) / scale + 0.5F;
        const auto nibble = static_cast<std::uint32_t>(code < 0.0F    ? 0.0F
                                                       : code > 15.0F ? 15.0F
                                                                      : code);
        block.codes[i % 16] |= static_cast<std::uint8_t>(i < 16 ? nibble : nibble << 4);
    }
    return block;
}

}  // namespace agens::device
