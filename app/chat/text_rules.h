// SPDX-License-Identifier: Apache-2.0
// Pure questions about text: is it UTF-8, what is its title, which search table does it need.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace agens::chat {

// Well-formed UTF-8: no overlong form, surrogate or value above U+10FFFF. NUL is allowed.
bool isUtf8(std::string_view text);

// Code points of well-formed UTF-8.
std::size_t characterCount(std::string_view utf8);

// First line with something on it, without control characters and outer blanks; longer than 60
// characters: the first 59 and "…". Empty for blank text.
std::string titleFromText(std::string_view utf8);

// One line for a title: control characters (line breaks too) become blanks, outer blanks go.
std::string oneLine(std::string_view utf8);

// A character of a script written without spaces (Han, Kana, Thai, Lao, Khmer, Burmese) or Hangul,
// which is searched both by word and by parts of words: such text goes into search_tri as well.
bool needsTrigrams(std::string_view utf8);

}  // namespace agens::chat
