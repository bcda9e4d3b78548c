// SPDX-License-Identifier: Apache-2.0
// BlockBuilder: md4c's events -> flat blocks. Internal to this folder (parser.cpp drives it).
//
// Each event returns false to stop the parse: too many blocks, too deep, too many table cells. md4c
// 0.4.8 does not obey inside a table, so isStopped() refuses every event that still comes.
// Lists and quotes only change what the blocks inside carry (depths, marker, task). Text of a tight
// list item comes from md4c without a paragraph around it, so a text block opens when text comes
// and closes at the next block event.
// Invariant: blocks() holds closed blocks only; the first block of a list item carries its marker.
// Thread: one parse.
#pragma once

#include <md4c.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/markdown/block.h"
#include "app/ui/markdown/inline_text.h"
#include "app/ui/markdown/parser.h"
#include "app/ui/markdown/table_builder.h"

namespace agens::markdown {

// A top-level paragraph, heading or table with text: where its text begins and ends in the input.
struct TopLevelText {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t blocksBefore = 0;
    bool isParagraph = false;
};

class BlockBuilder {
 public:
    // `input` is what md4c parses; it must outlive the parse.
    BlockBuilder(std::string_view input, const ParseLimits& limits)
        : m_input(input), m_limits(limits) {}

    bool enterBlock(MD_BLOCKTYPE type, const void* detail);
    bool leaveBlock(MD_BLOCKTYPE type);
    bool enterSpan(MD_SPANTYPE type, const void* detail);
    bool leaveSpan(MD_SPANTYPE type);
    bool text(MD_TEXTTYPE type, std::string_view text);

    bool isStopped() const { return m_isStopped; }
    void stop() { m_isStopped = true; }

    const std::vector<TopLevelText>& topLevelTexts() const { return m_topLevel; }
    std::vector<Block> takeBlocks() { return std::move(m_blocks); }
    std::size_t events() const { return m_events; }

 private:
    struct List {
        bool isOrdered = false;
        unsigned number = 0;
        char delimiter = '.';
    };
    struct Item {
        std::string marker;
        TaskState task = TaskState::None;
    };
    struct Picture {
        std::string address;
        std::string alt;
    };
    struct Depths {  // of open spans
        int bold = 0;
        int italic = 0;
        int strike = 0;
        int code = 0;
        int picture = 0;
    };

    bool enterContainer(MD_BLOCKTYPE type, const void* detail);
    bool enterItem(const void* detail);
    bool leaveItem();
    bool enterLeaf(MD_BLOCKTYPE type, const void* detail);
    bool leaveTable();

    bool isOfInput(std::string_view text) const;
    void noteTopLevelText(std::string_view text);
    void appendCodeBlockText(std::string_view text);
    BlockKind textKind() const;
    void openLeaf(BlockKind kind);
    bool closeLeaf();
    bool closeText();
    bool push(Block block);
    void enterLink(const MD_SPAN_A_DETAIL& detail);
    void enterPicture(const MD_SPAN_IMG_DETAIL& detail);
    void closeSpans();
    void countSpan(MD_SPANTYPE type, int step);

    std::string_view m_input;
    ParseLimits m_limits;
    std::vector<Block> m_blocks;
    std::vector<TopLevelText> m_topLevel;
    std::size_t m_events = 0;
    bool m_isStopped = false;

    std::vector<List> m_lists;
    std::optional<Item> m_item;  // the item whose first block has not come
    std::size_t m_quoteDepth = 0;
    std::size_t m_depth = 0;         // open blocks but the document
    bool m_isTopLevelText = false;   // a top-level paragraph, heading or table is open
    bool m_isParagraph = false;      // it is a paragraph
    bool m_hasTopLevelText = false;  // and its entry in m_topLevel is made

    std::optional<Block> m_leaf;  // the open block; its text is in m_inline
    InlineText m_inline;
    std::size_t m_indent = 0;  // columns of a code line whose text has not come
    bool m_isLimited = false;  // something of the open block is not shown as written
    std::optional<TableBuilder> m_table;
    Alignment m_cellAlignment = Alignment::Natural;

    Depths m_spans;
    std::vector<std::int32_t> m_linkStack;
    std::vector<Picture> m_pictures;  // of the open block
    bool m_hasTextBesidePictures = false;
};

}  // namespace agens::markdown
