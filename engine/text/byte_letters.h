// SPDX-License-Identifier: Apache-2.0
// The alphabet of byte-level BPE: every byte has a printable letter, so that token texts are valid
// text whatever bytes they stand for. Bytes 33–126, 161–172, 174–255 keep their code point, the
// other 68 get U+0100, U+0101, … in ascending order. Thread: any, constant data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace agens::text {

char32_t letterOfByte(std::uint8_t byte);
std::optional<std::uint8_t> byteOfLetter(char32_t letter);

// The bytes a token text stands for; a character that is no letter of the alphabet stands for its
// own UTF-8 bytes (texts of added tokens, damaged vocabularies).
std::string bytesOfLetters(std::string_view tokenText);

}  // namespace agens::text
