// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "tests/ui/markdown/block_printing.h"

#include <set>
#include <sstream>

namespace agens::markdown {
namespace {

const char* nameOf(BlockKind kind) {
    switch (kind) {
        case BlockKind::Paragraph:
            return "Paragraph";
        case BlockKind::Heading:
            return "Heading";
        case BlockKind::ListItem:
            return "ListItem";
        case BlockKind::Quote:
            return "Quote";
        case BlockKind::Code:
            return "Code";
        case BlockKind::Table:
            return "Table";
        case BlockKind::Rule:
            return "Rule";
        case BlockKind::ImageRef:
            return "ImageRef";
        case BlockKind::Notice:
            return "Notice";
    }
    return "?";
}

std::string styleName(const Span& span) {
    std::string name;
    if (span.style & kBold) name += 'b';
    if (span.style & kItalic) name += 'i';
    if (span.style & kStrike) name += 's';
    if (span.style & kCode) name += 'c';
    if (span.link != kNoLink) name += "L" + std::to_string(span.link);
    return name;
}

}  // namespace

// Spans as {style:text}, newlines as ⏎.
std::string describe(const StyledText& styled) {
    std::string out;
    std::size_t at = 0;
    for (const Span& span : styled.spans) {
        out += styled.text.substr(at, span.begin - at);
        out += "{" + styleName(span) + ":";
        out += styled.text.substr(span.begin, span.end - span.begin) + "}";
        at = span.end;
    }
    out += styled.text.substr(at);
    for (std::size_t i = out.find('\n'); i != std::string::npos; i = out.find('\n')) {
        out.replace(i, 1, "⏎");
    }
    return out;
}

// Kind[level] q<quoteDepth> l<listDepth>(marker, task) language|text -> links, cells
std::string describe(const Block& block) {
    std::ostringstream out;
    out << nameOf(block.kind);
    if (block.level > 0) out << static_cast<int>(block.level);
    if (block.notice != NoticeId::None) out << static_cast<int>(block.notice);
    if (block.quoteDepth > 0) out << " q" << static_cast<int>(block.quoteDepth);
    if (block.listDepth > 0) out << " l" << static_cast<int>(block.listDepth) << block.marker;
    if (block.task == TaskState::Open) out << " [ ]";
    if (block.task == TaskState::Done) out << " [x]";
    if (!block.language.empty()) out << " " << block.language;
    out << "|" << describe(block.content);
    if (!block.address.empty()) out << " @" << block.address;
    for (const std::string& link : block.links)
        out << " ->" << link;
    for (std::size_t i = 0; i < block.table.cells.size(); ++i) {
        out << (i % block.table.columns() == 0 ? " //" : " &");
        if (i < block.table.columns()) out << static_cast<int>(block.table.alignments[i]);
        out << describe(block.table.cells[i]);
    }
    return out.str();
}

std::vector<std::string> describe(const std::vector<Block>& blocks) {
    std::vector<std::string> lines;
    for (const Block& block : blocks)
        lines.push_back(describe(block));
    return lines;
}

std::vector<Block> parseAtOnce(std::string_view text) {
    MessageText clean;
    clean.append(text);
    clean.finish();
    return parseWindow(clean.text(), {}).blocks;
}

std::string Replay::apply(const BlockDiff& diff) {
    for (const BlockChange& change : diff.changes) {
        const bool isInsert = change.kind == ChangeKind::Insert;
        const std::size_t end = m_blocks.size() + (isInsert ? 1 : 0);
        if (change.index >= end) return "a change lies behind the end";
        const auto at = m_blocks.begin() + static_cast<std::ptrdiff_t>(change.index);
        if (!isInsert && at->id != change.id) return "a change names another block";
        if (change.kind == ChangeKind::Remove) {
            m_blocks.erase(at);
        } else if (isInsert) {
            m_blocks.insert(at, {change.id, change.block});
        } else {
            if (shapeOf(at->block->kind) != shapeOf(change.block->kind)) return "the shape changed";
            if (*at->block == *change.block) return "a block was replaced by its equal";
            at->block = change.block;
        }
    }
    return {};
}

std::string CheckedStream::append(std::string_view piece) {
    return check(m_message.append(piece), false);
}

std::string CheckedStream::finish() {
    const bool hasDefinitions = m_message.text().find("]:") != std::string::npos;
    return check(m_message.finish(), hasDefinitions);
}

std::vector<Block> CheckedStream::blocks() const {
    std::vector<Block> blocks;
    for (const IdentifiedBlock& entry : m_message.blocks())
        blocks.push_back(*entry.block);
    return blocks;
}

std::string CheckedStream::check(const BlockDiff& diff, bool mayReopen) {
    m_lastCost = diff.cost;
    if (std::string error = m_replay.apply(diff); !error.empty()) return error;
    const std::vector<IdentifiedBlock>& blocks = m_message.blocks();
    if (blocks.size() != m_replay.blocks().size()) return "the diffs give another number of blocks";
    std::set<BlockId> ids;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const IdentifiedBlock& replayed = m_replay.blocks()[i];
        if (blocks[i].id != replayed.id || blocks[i].block != replayed.block) {
            return "the diffs give another block at " + std::to_string(i);
        }
        if (!ids.insert(blocks[i].id).second) return "an id stands twice";
    }
    if (mayReopen) m_closed.clear();
    if (m_message.closedBlocks() < m_closed.size()) return "closed blocks were opened";
    for (std::size_t i = 0; i < m_closed.size(); ++i) {
        if (m_closed[i] != blocks[i].block) return "closed block " + std::to_string(i) + " changed";
    }
    for (std::size_t i = m_closed.size(); i < m_message.closedBlocks(); ++i) {
        m_closed.push_back(blocks[i].block);
    }
    return {};
}

}  // namespace agens::markdown
