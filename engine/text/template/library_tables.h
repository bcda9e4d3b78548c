// SPDX-License-Identifier: Apache-2.0
// The tables behind library.h, one for each file of functions, and helpers they share. Internal.
#pragma once

#include <span>
#include <string_view>

#include "engine/text/template/library.h"

namespace agens::text {

std::span<const Filter> textFilters();
std::span<const Filter> valueFilters();
std::span<const Filter> sequenceFilters();
std::span<const Test> valueTests();
std::span<const Method> textMethods();

// Text of a value for functions that take anything and print it first.
TextPtr textOf(Interpreter& interpreter, const Value& value);

enum class Side { Left, Right, Both };
// Cuts characters of `set` (null: white space) off the ends.
Value trimmed(const Text& text, const Text* set, Side side, Budget& budget);
Value replacedText(const Text& text, const Text& old, const Text& by, std::int64_t count,
                   Budget& budget);

// Title: after every letter without case, as str.title(). Words: after blanks, -, (, {, [, <, as
// the filter title.
enum class CaseChange { Upper, Lower, Title, Words, Capitalize, Swap, Fold };
Value withCase(const Text& text, CaseChange change, Budget& budget);

enum class Align { Left, Center, Right };
Value padded(const Text& text, std::int64_t width, std::string_view fill, Align align,
             Budget& budget);

[[noreturn]] void failUnsupported(std::string_view what);

}  // namespace agens::text
