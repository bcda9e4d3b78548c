// SPDX-License-Identifier: Apache-2.0
// The cut rule: which part of a growing text is closed for ever, so that only the tail behind it is
// parsed again when text comes.
//
// A cut lies at the start of a line that meets all of:
//   1. a top-level paragraph, heading or table has its first text on this line;
//   2. the line has no indent and does not begin with ` or ~ (md4c 0.4.8 reports a fence line
//      behind an unclosed fence in a list item as a paragraph);
//   3. the line before it is blank;
//   4. the line is complete: a newline follows it.
// Parsing the text before a cut and the text behind it apart then gives the blocks of parsing both
// together, whatever comes later (tests/ui/markdown/cut_test.cpp). The one exception, link
// reference definitions, is resolved when the message is finished (incremental.h).
// Thread: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace agens::markdown {

// A top-level paragraph, heading or table that has text.
struct TopLevelStart {
    std::size_t firstText = 0;     // offset of its first text in the source
    std::size_t blocksBefore = 0;  // blocks that stand before it
};

struct Cut {
    std::size_t offset = 0;        // start of the line; everything before it is closed
    std::size_t blocksBefore = 0;  // these blocks are closed with it
};

// The last cut behind the start of the text, if there is one.
std::optional<Cut> lastCut(std::string_view source, const std::vector<TopLevelStart>& starts);

}  // namespace agens::markdown
