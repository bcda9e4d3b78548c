// SPDX-License-Identifier: Apache-2.0
// UTF-8, read one character at a time. What is not valid is split into maximal parts (the WHATWG
// rule): each part becomes one U+FFFD, so that every place that replaces invalid bytes agrees.
// Thread: any, pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace agens::text {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

struct Utf8Step {
    enum class Kind : std::uint8_t {
        Character,   // codePoint is valid
        Invalid,     // a maximal invalid part
        Incomplete,  // the text ends inside what could become a character
    };
    Kind kind = Kind::Character;
    std::uint8_t bytes = 1;
    char32_t codePoint = 0;
};

// The step at text[at]. Requires: at < text.size().
Utf8Step readUtf8(std::string_view text, std::size_t at);

// The character at text[at] of text known to be valid; moves `at` behind it.
char32_t nextCharacter(std::string_view text, std::size_t& at);

void appendUtf8(std::string& text, char32_t codePoint);

bool isValidUtf8(std::string_view text);
// The text with every maximal invalid part replaced by U+FFFD.
std::string withReplacements(std::string_view text);

}  // namespace agens::text
