// SPDX-License-Identifier: Apache-2.0
// What *Copy* gives for one block: its text, or Markdown that shows it again.
// Thread: pure functions.
#pragma once

#include <string>

#include "app/ui/markdown/block.h"

namespace agens::markdown {

// The displayed text; a table as tab-separated lines, a picture as its address.
std::string copyAsText(const Block& block);

// Code: the text in a fence longer than any run of backticks in it, with its language.
// Table: pipes, with cell text escaped. Other kinds: the displayed text.
std::string copyAsMarkdown(const Block& block);

}  // namespace agens::markdown
