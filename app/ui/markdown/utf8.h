// SPDX-License-Identifier: Apache-2.0
// UTF-8, one code point at a time, for text that may be anything.
//
// decodeUtf8 never reads past the view and follows the maximal-subpart rule: an invalid sequence is
// as long as its longest valid beginning, so replacing it gives one U+FFFD where browsers give one.
// Thread: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace agens::markdown {

inline constexpr char32_t kReplacement = 0xFFFD;

enum class Utf8Status : std::uint8_t { Valid, Invalid, Incomplete };

struct DecodedUtf8 {
    Utf8Status status = Utf8Status::Invalid;
    char32_t codePoint = kReplacement;
    std::size_t length = 1;  // bytes to step over
};

// Requires: `text` is not empty. Incomplete: more bytes could still make it valid.
DecodedUtf8 decodeUtf8(std::string_view text);

// Requires: a code point that is not a surrogate and not above U+10FFFF.
void appendUtf8(std::string& out, char32_t codePoint);

// The code point that ends right before `offset`, or 0 at the start. Requires: valid UTF-8.
char32_t codePointBefore(std::string_view text, std::size_t offset);
// The code point at `offset`, or 0 at the end.
char32_t codePointAt(std::string_view text, std::size_t offset);

inline bool isContinuationByte(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

}  // namespace agens::markdown
