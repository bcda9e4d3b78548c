// SPDX-License-Identifier: Apache-2.0
// MessageBlocks: see the header.
//
// Why the pieces do not matter: the text is looked at in windows of kWindowBytes from the last cut.
// A window that covers the rest of the text is only a preview of it. A full window decides for
// ever: it is cut at its last cut, or, having none, the rest is plain. Both depend on the text
// alone.
#include "app/ui/markdown/incremental.h"

#include <algorithm>
#include <utility>

#include "app/ui/markdown/inline_text.h"

namespace agens::markdown {
namespace {

BlockId next(BlockId id) {
    return BlockId{static_cast<std::uint64_t>(id) + 1};
}

Block noticeBlock(NoticeId id) {
    return Block{.kind = BlockKind::Notice, .notice = id};
}

Block plainBlock(std::string_view text) {
    InlineText prose;
    while (text.ends_with('\n'))
        text.remove_suffix(1);
    prose.appendProse(text);
    return Block{.kind = BlockKind::Paragraph, .content = prose.take()};
}

// md4c resolves definitions wherever they stand in one parse; a text without "]:" has none.
bool mayDefineLinks(std::string_view text) {
    return text.find("]:") != std::string_view::npos;
}

}  // namespace

BlockDiff MessageBlocks::append(std::string_view bytes) {
    const std::size_t before = m_text.text().size();
    const bool wasFull = m_text.isFull();
    m_text.append(bytes);
    const bool isUnchanged = m_text.text().size() == before && m_text.isFull() == wasFull;
    return isUnchanged ? BlockDiff{} : update();
}

BlockDiff MessageBlocks::finish() {
    const std::size_t before = m_text.text().size();
    m_text.finish();
    if (mayDefineLinks(m_text.text())) {
        m_closed = {};
        return update();
    }
    return m_text.text().size() == before ? BlockDiff{} : update();
}

BlockDiff MessageBlocks::update() {
    BlockDiff diff;
    const std::size_t from = m_closed.blocks;
    Fresh fresh = parseTail(diff.cost);
    diff.changes = replaceTail(from, std::move(fresh.blocks));
    return diff;
}

MessageBlocks::Fresh MessageBlocks::parseTail(UpdateCost& cost) {
    Fresh fresh;
    while (!m_closed.isPlain && parseStep(fresh, cost)) {
    }
    if (m_closed.isPlain) addPlainTail(fresh);
    if (m_text.isFull()) fresh.blocks.push_back(noticeBlock(NoticeId::MessageLimit));
    return fresh;
}

// Parses one window behind the closed text; true when there is more to look at.
bool MessageBlocks::parseStep(Fresh& fresh, UpdateCost& cost) {
    const std::string_view rest = std::string_view(m_text.text()).substr(m_closed.bytes);
    const std::string_view window = rest.substr(0, kWindowBytes);
    const bool isWholeRest = window.size() == rest.size();
    ParsedWindow parsed = parseWindow(window, {.blocksLeft = kMaxBlocks - m_closed.blocks,
                                               .linksLeft = kMaxLinks - m_closed.links,
                                               .hasNotice = m_closed.hasNotice,
                                               .alignment = m_closed.alignment});
    cost.bytesParsed += parsed.bytesParsed;
    cost.events += parsed.events;
    const bool isTail = isWholeRest && !parsed.isOverLimit;
    if (parsed.cut) {
        std::move(parsed.blocks.begin(), parsed.blocks.end(), std::back_inserter(fresh.blocks));
        const std::size_t tail = parsed.blocks.size() - parsed.cut->blocksBefore;
        close(fresh, parsed.cut->blocksBefore, parsed.cut->offset);
        m_closed.alignment = parsed.alignmentAtCut;
        if (!isTail) fresh.blocks.resize(fresh.blocks.size() - tail);
        return !isTail;
    }
    if (isTail) {
        std::move(parsed.blocks.begin(), parsed.blocks.end(), std::back_inserter(fresh.blocks));
        return false;
    }
    // Over a limit and nothing to cut: plain from here. Only a full window makes it final; before
    // that the next character may still change what the last line means.
    fresh.blocks.push_back(noticeBlock(NoticeId::PlainRest));
    if (!isWholeRest) {
        close(fresh, 1, 0);
        m_closed.isPlain = true;
        return false;
    }
    const Closed before = m_closed;
    const std::size_t closedBefore = fresh.closed;
    addPlainTail(fresh);
    m_closed = before;
    fresh.closed = closedBefore;
    return false;
}

// Closes the next `blocks` fresh blocks, which come from the next `bytes` of the text.
void MessageBlocks::close(Fresh& fresh, std::size_t blocks, std::size_t bytes) {
    for (std::size_t i = fresh.closed; i < fresh.closed + blocks; ++i) {
        m_closed.links += fresh.blocks[i].links.size();
        m_closed.hasNotice |= fresh.blocks[i].notice == NoticeId::FormattingLimit;
    }
    fresh.closed += blocks;
    m_closed.blocks += blocks;
    m_closed.bytes += bytes;
}

void MessageBlocks::addPlainTail(Fresh& fresh) {
    std::string_view rest = std::string_view(m_text.text()).substr(m_closed.bytes);
    while (rest.size() > kTextBlockBytes) {
        const std::size_t end = splitPoint(rest, kTextBlockBytes);
        fresh.blocks.push_back(plainBlock(rest.substr(0, end)));
        close(fresh, 1, end);
        rest.remove_prefix(end);
    }
    if (!rest.empty()) fresh.blocks.push_back(plainBlock(rest));
}

// ---- the difference

std::vector<BlockChange> MessageBlocks::replaceTail(std::size_t from, std::vector<Block> fresh) {
    std::vector<BlockChange> changes;
    const std::size_t oldCount = m_blocks.size() - from;
    const std::size_t most = std::min(oldCount, fresh.size());
    std::size_t same = 0;
    while (same < most && *m_blocks[from + same].block == fresh[same])
        ++same;
    std::size_t sameBehind = 0;
    while (sameBehind < most - same && *m_blocks[m_blocks.size() - 1 - sameBehind].block ==
                                           fresh[fresh.size() - 1 - sameBehind]) {
        ++sameBehind;
    }
    fresh.resize(fresh.size() - sameBehind);
    fresh.erase(fresh.begin(), fresh.begin() + static_cast<std::ptrdiff_t>(same));
    changeRange(from + same, m_blocks.size() - sameBehind, std::move(fresh), changes);
    return changes;
}

// Makes m_blocks[begin, end) the fresh blocks, one change per block.
void MessageBlocks::changeRange(std::size_t begin, std::size_t end, std::vector<Block> fresh,
                                std::vector<BlockChange>& changes) {
    std::vector<IdentifiedBlock> range;
    std::size_t index = begin;
    for (Block& block : fresh) {
        const bool hasOld = index < end;
        const IdentifiedBlock old = hasOld ? m_blocks[index] : IdentifiedBlock{};
        const bool keepsId = hasOld && shapeOf(old.block->kind) == shapeOf(block.kind);
        if (keepsId && *old.block == block) {
            range.push_back(old);
            ++index;
            continue;
        }
        if (hasOld && !keepsId) changes.push_back({ChangeKind::Remove, index, old.id, nullptr});
        const BlockId id = keepsId ? old.id : std::exchange(m_nextId, next(m_nextId));
        const ChangeKind kind = keepsId ? ChangeKind::Replace : ChangeKind::Insert;
        range.push_back({id, std::make_shared<const Block>(std::move(block))});
        changes.push_back({kind, index, id, range.back().block});
        ++index;
    }
    for (std::size_t gone = index; gone < end; ++gone) {
        changes.push_back({ChangeKind::Remove, index, m_blocks[gone].id, nullptr});
    }
    const auto at = m_blocks.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto rest = m_blocks.erase(at, m_blocks.begin() + static_cast<std::ptrdiff_t>(end));
    m_blocks.insert(rest, std::make_move_iterator(range.begin()),
                    std::make_move_iterator(range.end()));
}

std::vector<Block> parseMessage(std::string_view text) {
    MessageBlocks message;
    message.append(text);
    message.finish();
    std::vector<Block> blocks;
    for (const IdentifiedBlock& entry : message.blocks())
        blocks.push_back(*entry.block);
    return blocks;
}

}  // namespace agens::markdown
