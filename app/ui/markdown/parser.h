// SPDX-License-Identifier: Apache-2.0
// parseWindow: Markdown text of at most kWindowBytes -> blocks, and where it may be cut.
//
// clean text -> pre-pass (prepass.h) -> md4c -> blocks. HTML is text; pictures become ImageRef
// blocks and are never loaded; addresses other than http, https and mailto are no links. A line
// break inside a paragraph stays one: models write verse, addresses and short lines without two
// spaces. Never fails: what goes over a limit is simplified, and where that cannot be done
// `isOverLimit` says that the parse stopped and the blocks (but not the cut) are incomplete.
// Thread: pure function, bounded time (limits below).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "app/ui/markdown/block.h"
#include "app/ui/markdown/cut.h"

namespace agens::markdown {

inline constexpr std::size_t kWindowBytes = 256 * 1024;    // text handed to one md4c call
inline constexpr std::size_t kTextBlockBytes = 64 * 1024;  // longer ones are split at a space
inline constexpr std::size_t kMaxBlocks = 20000;           // of one message
inline constexpr std::size_t kMaxLinks = 500;              // of one message
inline constexpr std::size_t kMaxSpans = 2000;             // of one block
inline constexpr std::size_t kMaxDepth = 32;               // quotes and lists together
inline constexpr std::size_t kMaxColumns = 64;
inline constexpr std::size_t kMaxTableRows = 1000;
// A line of pipes makes md4c report every missing cell of every short row: this ends it.
inline constexpr std::size_t kMaxTableCells = 4 * kMaxColumns * kMaxTableRows;

// What the text before the window leaves for it.
struct ParseLimits {
    std::size_t blocksLeft = kMaxBlocks;
    std::size_t linksLeft = kMaxLinks;
    bool hasNotice = false;     // the message has its FormattingLimit notice
    std::size_t alignment = 0;  // bytes before the window as md4c sees them (prepass.h)
};

struct ParsedWindow {
    std::vector<Block> blocks;
    std::optional<Cut> cut;
    std::size_t alignmentAtCut = 0;
    bool isOverLimit = false;
    std::size_t bytesParsed = 0;  // handed to md4c, all its calls together
    std::size_t events = 0;       // callbacks of md4c: the work done behind it
};

ParsedWindow parseWindow(std::string_view source, const ParseLimits& limits);

}  // namespace agens::markdown
