// SPDX-License-Identifier: Apache-2.0
// Block formats of weights: the ids of the GGUF specification, with their sizes. Bits ↔ values of a
// format stand in its own header beside this one. An id outside this list is refused by the reader.
#pragma once

#include <cstdint>
#include <optional>

namespace agens::device {

enum class BlockFormat : std::uint32_t { F32 = 0, F16 = 1, Q4_1 = 3, Q8_0 = 8, BF16 = 30 };

struct BlockFormatFacts {
    BlockFormat format;
    const char* name;           // "Q4_1"
    std::uint32_t blockValues;  // values of a block along the input axis
    std::uint32_t blockBytes;
};

constexpr BlockFormatFacts kBlockFormats[] = {
    {BlockFormat::F32, "F32", 1, 4},     {BlockFormat::F16, "F16", 1, 2},
    {BlockFormat::BF16, "BF16", 1, 2},   {BlockFormat::Q4_1, "Q4_1", 32, 20},
    {BlockFormat::Q8_0, "Q8_0", 32, 34},
};

constexpr const BlockFormatFacts& factsOf(BlockFormat format) {
    for (const BlockFormatFacts& facts : kBlockFormats) {
        if (facts.format == format) return facts;
    }
    return kBlockFormats[0];  // not reached: every enumerator is listed (formats_test checks it)
}

constexpr bool isFloat(BlockFormat format) {
    return factsOf(format).blockValues == 1;
}

// Bytes of one row of `columns` values; columns must be a multiple of the block's values.
constexpr std::uint64_t rowBytes(BlockFormat format, std::uint64_t columns) {
    return columns / factsOf(format).blockValues * factsOf(format).blockBytes;
}

}  // namespace agens::device
