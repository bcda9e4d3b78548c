// SPDX-License-Identifier: Apache-2.0
// Rows of the sidebar and the shortest way from the old to the new ones.
#include "app/ui/models/conversation_list_model.h"

#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <iterator>
#include <utility>

#include "app/ui/models/text_format.h"

namespace agens::ui {
namespace {

// Newest first; a month has its own rank by its distance.
struct Group {
    int rank = 0;
    QString name;
};

Group groupOf(const chat::ConversationHead& head, const QDate& today) {
    if (head.pinned) return {-1, QStringLiteral("Pinned")};
    const QDate day = QDateTime::fromMSecsSinceEpoch(head.updated.value).date();
    const qint64 days = day.daysTo(today);
    if (days <= 0) return {0, QStringLiteral("Today")};
    if (days == 1) return {1, QStringLiteral("Yesterday")};
    if (days <= 7) return {2, QStringLiteral("Previous 7 days")};
    if (days <= 30) return {3, QStringLiteral("Previous 30 days")};
    const int months = (today.year() - day.year()) * 12 + today.month() - day.month();
    return {3 + months, QLocale::c().toString(day, QStringLiteral("MMMM yyyy"))};
}

}  // namespace

std::vector<ConversationListModel::Row> ConversationListModel::rowsOf(
    const std::vector<chat::ConversationHead>& heads, std::int64_t nowMs) {
    const QDate today = QDateTime::fromMSecsSinceEpoch(nowMs).date();
    std::vector<Row> rows;
    std::optional<Group> group;
    for (const chat::ConversationHead& head : heads) {
        Group next = groupOf(head, today);
        if (!group || next.rank > group->rank) {
            group = std::move(next);
            rows.push_back({group->name, std::nullopt});
        }
        rows.push_back({group->name, head});
    }
    return rows;
}

bool ConversationListModel::isSamePlace(const Row& a, const Row& b) {
    if (a.head.has_value() != b.head.has_value() || a.group != b.group) return false;
    return !a.head || a.head->id == b.head->id;
}

int ConversationListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rowList.size());
}

QHash<int, QByteArray> ConversationListModel::roleNames() const {
    return {{KindRole, "kind"},      {ConversationIdRole, "conversationId"},
            {TitleRole, "title"},    {GroupRole, "group"},
            {PinnedRole, "pinned"},  {RunningRole, "running"},
            {UnreadRole, "unread"},  {DraftRole, "draft"},
            {CurrentRole, "current"}};
}

QVariant ConversationListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rowList[static_cast<std::size_t>(index.row())];
    const auto flag = [&row](bool chat::ConversationHead::*member) {
        return row.head.has_value() && (*row.head).*member;
    };
    switch (role) {
        case KindRole:
            return row.head ? QStringLiteral("chat") : QStringLiteral("group");
        case ConversationIdRole:
            return row.head ? QString::number(row.head->id.value) : QString();
        case TitleRole:
        case Qt::DisplayRole:
            if (!row.head) return row.group;
            return row.head->title.empty() ? QStringLiteral("New chat") : toQt(row.head->title);
        case GroupRole:
            return row.group;
        case PinnedRole:
            return flag(&chat::ConversationHead::pinned);
        case RunningRole:
            return flag(&chat::ConversationHead::running);
        case UnreadRole:
            return flag(&chat::ConversationHead::unread);
        case DraftRole:
            return flag(&chat::ConversationHead::hasDraft);
        case CurrentRole:
            return row.head && m_current == row.head->id;
        default:
            return {};
    }
}

bool ConversationListModel::canFetchMore(const QModelIndex& parent) const {
    return !parent.isValid() && m_hasMore;
}

void ConversationListModel::fetchMore(const QModelIndex& parent) {
    if (!canFetchMore(parent)) return;
    m_hasMore = false;  // asked once until the answer comes
    emit wantsMore();
}

void ConversationListModel::setHeads(const std::vector<chat::ConversationHead>& heads,
                                     std::int64_t nowMs, bool hasMore) {
    std::vector<Row> rows = rowsOf(heads, nowMs);
    m_hasMore = hasMore;
    const auto front = std::ranges::mismatch(m_rowList, rows, isSamePlace).in1;
    const auto begin = static_cast<std::size_t>(std::distance(m_rowList.begin(), front));
    std::size_t end = m_rowList.size();
    std::size_t newEnd = rows.size();
    while (end > begin && newEnd > begin && isSamePlace(m_rowList[end - 1], rows[newEnd - 1])) {
        --end;
        --newEnd;
    }
    replace(begin, end, newEnd, rows);
    m_rowList = std::move(rows);
    if (!m_rowList.empty()) emit dataChanged(index(0), index(rowCount() - 1));
}

// Rows [begin, end) go, rows [begin, newEnd) of `rows` come; the others keep their places.
void ConversationListModel::replace(std::size_t begin, std::size_t end, std::size_t newEnd,
                                    std::vector<Row>& rows) {
    const auto at = [](std::size_t place) { return static_cast<std::ptrdiff_t>(place); };
    if (end > begin) {
        beginRemoveRows({}, static_cast<int>(begin), static_cast<int>(end) - 1);
        m_rowList.erase(m_rowList.begin() + at(begin), m_rowList.begin() + at(end));
        endRemoveRows();
    }
    if (newEnd > begin) {
        beginInsertRows({}, static_cast<int>(begin), static_cast<int>(newEnd) - 1);
        m_rowList.insert(m_rowList.begin() + at(begin), rows.begin() + at(begin),
                         rows.begin() + at(newEnd));
        endInsertRows();
    }
}

void ConversationListModel::setCurrent(std::optional<chat::ConversationId> id) {
    if (m_current == id) return;
    m_current = id;
    if (!m_rowList.empty()) {
        emit dataChanged(index(0), index(rowCount() - 1), {CurrentRole});
    }
}

std::vector<chat::ConversationId> ConversationListModel::conversations() const {
    std::vector<chat::ConversationId> ids;
    for (const Row& row : m_rowList) {
        if (row.head) ids.push_back(row.head->id);
    }
    return ids;
}

}  // namespace agens::ui
