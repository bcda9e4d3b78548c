// SPDX-License-Identifier: Apache-2.0
// The class of a code point as the pre-tokenisers see it: letter (L), number (N), mark (M) by
// general category, white space by the fixed list of models-text 1.3, everything else. Table of
// Unicode 15.0; newer versions differ only in code points that are unassigned there. Thread: any,
// constant data.
#pragma once

#include <array>
#include <cstdint>

namespace agens::text {

enum class CharClass : std::uint8_t { Other, Letter, Number, Mark, Space };

namespace table {
extern const std::uint8_t kBlockOf[8704];  // block of every 128 code points
extern const std::uint8_t kClasses[6784];  // per block 32 bytes, two bits a code point
}  // namespace table

// `\s` of the patterns: not U+001C–001F, 180E, 200B, FEFF, as the reference implementation has it.
constexpr bool isSpace(char32_t c) {
    return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
           c == 0x205F || c == 0x3000;
}

// Requires: c <= U+10FFFF.
inline CharClass classOf(char32_t c) {
    const std::uint8_t four = table::kClasses[table::kBlockOf[c >> 7] * 32U + ((c & 127U) >> 2)];
    const auto category = static_cast<CharClass>((four >> (2 * (c & 3U))) & 3U);
    if (category == CharClass::Other && isSpace(c)) return CharClass::Space;
    return category;
}

}  // namespace agens::text
