// SPDX-License-Identifier: Apache-2.0
// Stand-ins for the controllers: see the header.
#include "tests/ui/qml/preview/fakes.h"

namespace agens::ui::test {

void FakeRows::setRows(QList<QVariantMap> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void FakeRows::append(const QVariantMap& row) {
    const int at = rowCount();
    beginInsertRows({}, at, at);
    m_rows.append(row);
    endInsertRows();
}

void FakeRows::change(int row, const QString& role, const QVariant& value) {
    m_rows[row][role] = value;
    emit dataChanged(index(row), index(row));
}

int FakeRows::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant FakeRows::data(const QModelIndex& index, int role) const {
    const int place = role - Qt::UserRole;
    if (!index.isValid() || place < 0 || place >= m_roles.size()) return {};
    return m_rows[index.row()].value(QString::fromLatin1(m_roles[place]));
}

QHash<int, QByteArray> FakeRows::roleNames() const {
    QHash<int, QByteArray> names;
    for (int place = 0; place < m_roles.size(); ++place)
        names[Qt::UserRole + place] = m_roles[place];
    return names;
}

FakeChat::FakeChat()
    : transcript({"rowKind",        "rowId",         "messageId",   "text",          "block",
                  "level",          "listDepth",     "quoteDepth",  "marker",        "checked",
                  "language",       "tableRows",     "tableAligns", "state",         "isStreaming",
                  "siblingIndex",   "siblingCount",  "statsText",   "speedText",     "noticeText",
                  "firstOfMessage", "lastOfMessage", "isLastReply", "accessibleText"}),
      conversations({"kind", "conversationId", "title", "group", "pinned", "running", "current"}) {}

}  // namespace agens::ui::test
