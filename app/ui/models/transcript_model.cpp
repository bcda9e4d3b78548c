// SPDX-License-Identifier: Apache-2.0
// Places of rows, and the changes. What a row says stands in transcript_data.cpp.
#include "app/ui/models/transcript_model.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/check.h"

namespace agens::ui {
namespace {

// Rows of these stay as they are when the branch is read again.
bool isSame(const MessageView& a, const MessageView& b) {
    return a.facts.id == b.facts.id && a.facts.state == b.facts.state &&
           a.facts.siblingIndex == b.facts.siblingIndex &&
           a.facts.siblingCount == b.facts.siblingCount && a.facts.isLive == b.facts.isLive;
}

}  // namespace

int TranscriptModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

TranscriptModel::Place TranscriptModel::placeOf(int row) const {
    const auto next = std::ranges::upper_bound(m_firstRows, row);
    Place place;
    place.message = static_cast<std::size_t>(std::distance(m_firstRows.begin(), next)) - 1;
    const MessageView& view = m_messages[place.message];
    place.index = static_cast<std::size_t>(row - m_firstRows[place.message]);
    if (place.index < view.head.size()) return place;
    place.index -= view.head.size();
    place.section = Section::Blocks;
    if (place.index < view.blocks.size()) return place;
    place.index -= view.blocks.size();
    place.section = Section::Tail;
    return place;
}

const MessageView* TranscriptModel::find(chat::MessageId id) const {
    const auto found = std::ranges::find_if(
        m_messages, [id](const MessageView& view) { return view.facts.id == id; });
    return found == m_messages.end() ? nullptr : &*found;
}

bool TranscriptModel::isLastReply(std::size_t message) const {
    for (std::size_t i = m_messages.size(); i-- > 0;) {
        if (m_messages[i].facts.role == chat::Role::Assistant) return i == message;
    }
    return false;
}

void TranscriptModel::setMessages(std::vector<MessageView> messages) {
    const auto [mine, theirs] = std::ranges::mismatch(m_messages, messages, isSame);
    const auto kept = static_cast<std::size_t>(std::distance(m_messages.begin(), mine));
    removeFrom(kept);
    if (kept < messages.size()) {
        int rows = 0;
        for (std::size_t i = kept; i < messages.size(); ++i)
            rows += static_cast<int>(messages[i].rowCount());
        beginInsertRows({}, m_rows, m_rows + rows - 1);
        for (std::size_t i = kept; i < messages.size(); ++i) {
            m_firstRows.push_back(m_rows);
            m_rows += static_cast<int>(messages[i].rowCount());
            m_messages.push_back(std::move(messages[i]));
        }
        m_rowsChanged += static_cast<std::uint64_t>(rows);
        endInsertRows();
    }
    // Bubble and footer look different in the last turn: these were the last before, or are it now.
    for (std::size_t i = kept > 2 ? kept - 2 : 0; i < kept; ++i)
        reportOwnRows(i);
}

void TranscriptModel::reportOwnRows(std::size_t message) {
    const MessageView& view = m_messages[message];
    const int first = m_firstRows[message];
    reportChanged(first, first + static_cast<int>(view.head.size()) - 1);
    const int end = first + static_cast<int>(view.rowCount());
    reportChanged(end - static_cast<int>(view.tail.size()), end - 1);
}

void TranscriptModel::removeFrom(std::size_t message) {
    if (message >= m_messages.size()) return;
    const int first = m_firstRows[message];
    beginRemoveRows({}, first, m_rows - 1);
    m_rowsChanged += static_cast<std::uint64_t>(m_rows - first);
    m_messages.resize(message);
    m_firstRows.resize(message);
    m_rows = first;
    endRemoveRows();
}

void TranscriptModel::reportChanged(int first, int last) {
    if (first < 0 || first > last) return;
    m_rowsChanged += static_cast<std::uint64_t>(last - first + 1);
    emit dataChanged(index(first), index(last));
}

int TranscriptModel::lastFirstRow() const {
    return m_firstRows.back();
}

void TranscriptModel::update(const MessageFacts& facts, std::string_view newText,
                             std::span<const markdown::BlockChange> changes) {
    if (m_messages.empty() || m_messages.back().facts.id != facts.id) return;
    MessageView& view = m_messages.back();
    const bool hadCaret = view.facts.isLive && !view.blocks.empty();
    const std::size_t before = view.blocks.size();
    view.facts = facts;
    view.text += newText;

    replaceSection(view.head, headOf(facts), lastFirstRow());
    for (const markdown::BlockChange& change : changes)
        applyChange(view, change);
    const int blocks = lastFirstRow() + static_cast<int>(view.head.size());
    const bool grew = view.blocks.size() != before;
    if (hadCaret && before <= view.blocks.size() && (grew || !facts.isLive)) {
        const int formerLast = blocks + static_cast<int>(before) - 1;
        reportChanged(formerLast, formerLast);
    }
    replaceSection(view.tail, tailOf(facts), blocks + static_cast<int>(view.blocks.size()));
}

void TranscriptModel::applyChange(MessageView& view, const markdown::BlockChange& change) {
    const auto at = view.blocks.begin() + static_cast<std::ptrdiff_t>(change.index);
    const int row = lastFirstRow() + static_cast<int>(view.head.size() + change.index);
    switch (change.kind) {
        case markdown::ChangeKind::Insert:
            beginInsertRows({}, row, row);
            view.blocks.insert(at, {change.id, change.block});
            ++m_rows;
            ++m_rowsChanged;
            endInsertRows();
            reportBelow(view, change.index + 1);
            return;
        case markdown::ChangeKind::Replace: {
            const bool staysQuoted = at->block->quoteDepth == change.block->quoteDepth;
            at->block = change.block;
            reportChanged(row, row);
            if (!staysQuoted) reportBelow(view, change.index + 1);
            return;
        }
        case markdown::ChangeKind::Remove:
            beginRemoveRows({}, row, row);
            view.blocks.erase(at);
            --m_rows;
            ++m_rowsChanged;
            endRemoveRows();
            reportBelow(view, change.index);
            return;
    }
}

// A block looks at the one above it (quoteAbove). At the end of the blocks there is none to report.
void TranscriptModel::reportBelow(const MessageView& view, std::size_t block) {
    if (block >= view.blocks.size()) return;
    const int row = lastFirstRow() + static_cast<int>(view.head.size() + block);
    reportChanged(row, row);
}

// Head and tail have at most two rows: they are exchanged whole when they differ in number.
void TranscriptModel::replaceSection(std::vector<RowKind>& rows, std::vector<RowKind> wanted,
                                     int firstRow) {
    if (rows == wanted)
        return reportChanged(firstRow, firstRow + static_cast<int>(rows.size()) - 1);
    if (!rows.empty()) {
        const int count = static_cast<int>(rows.size());
        beginRemoveRows({}, firstRow, firstRow + count - 1);
        m_rows -= count;
        rows.clear();
        m_rowsChanged += static_cast<std::uint64_t>(count);
        endRemoveRows();
    }
    if (wanted.empty()) return;
    const int count = static_cast<int>(wanted.size());
    beginInsertRows({}, firstRow, firstRow + count - 1);
    m_rows += count;
    rows = std::move(wanted);
    m_rowsChanged += static_cast<std::uint64_t>(count);
    endInsertRows();
}

}  // namespace agens::ui
