// SPDX-License-Identifier: Apache-2.0
// Arithmetic and slices of values, with Python's meaning: floor division, `+` of texts and lists,
// repetition, `%` as formatting. Texts keep their marks; a number computed from content is content.
// Errors: TemplateFailure{Runtime}; Limit when a whole number leaves 128 bits.
#pragma once

#include <string_view>

#include "engine/text/template/value.h"

namespace agens::text {

Value binary(std::string_view symbol, const Value& left, const Value& right, Budget& budget);
Value negated(const Value& value);

struct SliceBounds {
    const Value* begin = nullptr;  // null or None: left out
    const Value* end = nullptr;
    const Value* step = nullptr;
};
Value sliced(const Value& subject, const SliceBounds& bounds, Budget& budget);

// Whole number of a value that may stand for one (int, bool); fails otherwise.
Integer needInteger(const Value& value, const char* what);
// The same, cut to what a size or place can be.
std::int64_t needCount(const Value& value, const char* what);
const Text& needText(const Value& value, const char* what);

std::size_t characterCount(std::string_view text);
// Byte where character number `index` begins; the end of the text for larger numbers.
std::size_t placeOfCharacter(std::string_view text, std::size_t index, std::size_t from = 0);
// std::string_view::find in linear time whatever the texts.
std::size_t findText(std::string_view text, std::string_view wanted, std::size_t from = 0);
Value concatenated(const Text& left, const Text& right, Budget& budget);
// "%s is %d" with arguments; `%` and the filter `format`.
Value percentFormat(const Text& format, const std::vector<Value>& arguments, Budget& budget);
TextPtr escapedText(const Text& text, Budget& budget);  // & < > ' " for HTML

}  // namespace agens::text
