// SPDX-License-Identifier: Apache-2.0
// How values look as text: str() and repr() of Python, json.dumps, and floats as both write them.
// Marks: brackets and words are template text, the texts inside keep theirs.
#pragma once

#include <optional>
#include <string>

#include "engine/text/template/value.h"

namespace agens::text {

std::string toText(Integer number);
std::string toText(double number);  // shortest that reads back; "1.0", "1e+16", "inf"

// Text of a value as it is printed. Fails for things that have no useful text (a loop, a method).
TextPtr printed(const Value& value, Budget& budget);
void addPrinted(TextBuilder& builder, const Value& value, Budget& budget);
void addRepr(TextBuilder& builder, const Value& value, Budget& budget);

struct JsonStyle {
    bool ensureAscii = false;
    std::optional<std::string> indent;  // one level of it; nothing: one line
    std::string itemSeparator = ", ";
    std::string keySeparator = ": ";
    bool sortKeys = false;
};
TextPtr toJsonText(const Value& value, const JsonStyle& style, Budget& budget);

}  // namespace agens::text
