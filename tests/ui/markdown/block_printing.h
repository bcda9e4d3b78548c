// SPDX-License-Identifier: Apache-2.0
// For the Markdown tests: blocks as one readable line each, and a stream that checks what every
// update of MessageBlocks promises.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/markdown/incremental.h"

namespace agens::markdown {

// "Paragraph|text with <b>spans</b> marked"; see block_printing.cpp for the whole form.
std::string describe(const StyledText& text);
std::string describe(const Block& block);
std::vector<std::string> describe(const std::vector<Block>& blocks);

// What md4c makes of the whole text in one call: the other implementation the stream is held
// against.
std::vector<Block> parseAtOnce(std::string_view text);

// A view's list that knows nothing but the diffs.
class Replay {
 public:
    // Error sentence, empty when the change was possible.
    std::string apply(const BlockDiff& diff);
    const std::vector<IdentifiedBlock>& blocks() const { return m_blocks; }

 private:
    std::vector<IdentifiedBlock> m_blocks;
};

// Feeds a text piece by piece. After each update: the replayed diffs give the blocks, ids are
// unique, closed blocks are as they were. Returns the first broken promise, empty if none.
class CheckedStream {
 public:
    std::string append(std::string_view piece);
    std::string finish();
    const MessageBlocks& message() const { return m_message; }
    std::vector<Block> blocks() const;
    const UpdateCost& lastCost() const { return m_lastCost; }

 private:
    std::string check(const BlockDiff& diff, bool mayReopen);

    MessageBlocks m_message;
    Replay m_replay;
    UpdateCost m_lastCost;
    std::vector<BlockPtr> m_closed;
};

}  // namespace agens::markdown
