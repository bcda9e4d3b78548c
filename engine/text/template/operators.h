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

// Places of the characters of a text: begin of each, then the end.
std::vector<std::size_t> characterPlaces(const Text& text, Budget& budget);
std::size_t characterCount(std::string_view text);
Value concatenated(const Text& left, const Text& right, Budget& budget);
// "%s is %d" with arguments; `%` and the filter `format`.
Value percentFormat(const Text& format, const std::vector<Value>& arguments, Budget& budget);
TextPtr escapedText(const Text& text, Budget& budget);  // & < > ' " for HTML

}  // namespace agens::text
