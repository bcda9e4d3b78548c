// SPDX-License-Identifier: Apache-2.0
// The switch over formats; blocks are copied out because files do not align them.
#include "engine/device/formats/decode_row.h"

#include <cstring>

#include "engine/device/formats/half.h"
#include "engine/device/formats/q4_1.h"
#include "engine/device/formats/q8_0.h"

namespace agens::device {
namespace {

template <class Block>
void decodeBlocks(const std::byte* row, std::span<float> values) {
    for (std::size_t at = 0; at < values.size(); at += Block::kValues, row += sizeof(Block)) {
        Block block;
        std::memcpy(&block, row, sizeof(Block));
        decode(block, values.data() + at);
    }
}

template <float (*convert)(std::uint16_t)>
void decodeHalves(const std::byte* row, std::span<float> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::uint16_t bits;
        std::memcpy(&bits, row + i * 2, 2);
        values[i] = convert(bits);
    }
}

}  // namespace

void decodeRow(BlockFormat format, const std::byte* row, std::span<float> values) {
    switch (format) {
        case BlockFormat::F32:
            std::memcpy(values.data(), row, values.size_bytes());
            return;
        case BlockFormat::F16:
            return decodeHalves<halfToFloat>(row, values);
        case BlockFormat::BF16:
            return decodeHalves<bfloatToFloat>(row, values);
        case BlockFormat::Q4_1:
            return decodeBlocks<Q4_1Block>(row, values);
        case BlockFormat::Q8_0:
            return decodeBlocks<Q8_0Block>(row, values);
    }
}

}  // namespace agens::device
