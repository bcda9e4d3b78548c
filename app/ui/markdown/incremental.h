// SPDX-License-Identifier: Apache-2.0
// MessageBlocks: the growing text of one message as blocks with stable ids; every update tells what
// changed as a short list of changes.
//
//   MessageBlocks blocks;
//   BlockDiff diff = blocks.append(piece);   // while a reply streams, or once with a stored text
//   diff = blocks.finish();                  // no more text comes
//
// Only the tail behind the last cut (cut.h) is parsed again. A text fed in any pieces and finished
// gives the same blocks as the same text fed at once: closed blocks never change, with one
// exception: a link reference definition may stand behind its use, so finish() parses a text that
// has one from its start. Over a limit of parser.h the rest of the message is plain text below one
// PlainRest notice. Invariant: replaying the diffs in order on a list gives blocks(). Ids never
// come twice. Thread: one at a time (a worker); diffs are values for the UI thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "app/ui/markdown/block.h"
#include "app/ui/markdown/message_text.h"
#include "app/ui/markdown/parser.h"

namespace agens::markdown {

enum class BlockId : std::uint64_t {};

struct IdentifiedBlock {
    BlockId id{};
    BlockPtr block;
};

enum class ChangeKind : std::uint8_t { Insert, Replace, Remove };

struct BlockChange {
    ChangeKind kind = ChangeKind::Insert;
    std::size_t index = 0;  // where, after the changes before this one
    BlockId id{};
    BlockPtr block;  // null for Remove; Replace keeps the id and the shape
};

// What an update did: flat over the length of a message, apart from finish() with definitions.
struct UpdateCost {
    std::size_t bytesParsed = 0;
    std::size_t events = 0;  // callbacks of md4c
};

struct BlockDiff {
    std::vector<BlockChange> changes;
    UpdateCost cost;
};

class MessageBlocks {
 public:
    // Ids count from `firstId`, so that a reply begun anew does not reuse the ids of the old one.
    explicit MessageBlocks(BlockId firstId = BlockId{1}) : m_nextId(firstId) {}

    BlockDiff append(std::string_view bytes);
    BlockDiff finish();

    const std::vector<IdentifiedBlock>& blocks() const { return m_blocks; }
    // Blocks of the closed text: they stay as they are.
    std::size_t closedBlocks() const { return m_closed.blocks; }
    const std::string& text() const { return m_text.text(); }
    BlockId nextId() const { return m_nextId; }

 private:
    // How far the text is closed, and what its blocks leave for the limits of the rest.
    struct Closed {
        std::size_t bytes = 0;
        std::size_t blocks = 0;
        std::size_t links = 0;
        bool hasNotice = false;
        std::size_t alignment = 0;
        bool isPlain = false;  // the rest of the message is plain text for ever
    };
    // Blocks behind m_closed as an update finds them; the first `closed` of them are closed by it.
    struct Fresh {
        std::vector<Block> blocks;
        std::size_t closed = 0;
    };

    BlockDiff update();
    Fresh parseTail(UpdateCost& cost);
    bool parseStep(Fresh& fresh, UpdateCost& cost);
    void close(Fresh& fresh, std::size_t blocks, std::size_t bytes);
    void addPlainTail(Fresh& fresh);
    std::vector<BlockChange> replaceTail(std::size_t from, std::vector<Block> fresh);
    void changeRange(std::size_t begin, std::size_t end, std::vector<Block> fresh,
                     std::vector<BlockChange>& changes);

    MessageText m_text;
    std::vector<IdentifiedBlock> m_blocks;
    Closed m_closed;
    BlockId m_nextId;
};

// The blocks of a whole text: append and finish in one call.
std::vector<Block> parseMessage(std::string_view text);

}  // namespace agens::markdown
