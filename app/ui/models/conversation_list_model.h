// SPDX-License-Identifier: Apache-2.0
// ConversationListModel: the sidebar. Chats in the store's order under group headers (Pinned,
// Today, Yesterday, Previous 7 days, Previous 30 days, then by month).
//
// setHeads() changes as few rows as possible, so that focus and scroll place survive. Groups follow
// the order, not the clock: after a jump of the clock a group never comes back a second time.
// More chats are asked for by wantsMore() as the view nears the end.
// Thread: UI.
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <optional>
#include <vector>

#include "app/chat/types.h"

namespace agens::ui {

class ConversationListModel final : public QAbstractListModel {
    Q_OBJECT

 public:
    enum Role {
        KindRole = Qt::UserRole + 1,  // kind: "group" or "chat"
        ConversationIdRole,           // conversationId; empty for a group
        TitleRole,                    // title; a group's name
        GroupRole,                    // group the row stands in
        PinnedRole,                   // pinned
        RunningRole,                  // running: a reply is queued or being made
        UnreadRole,                   // unread
        DraftRole,                    // draft: it has unsent text
        CurrentRole,                  // current: the open chat
    };

    explicit ConversationListModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

    // `nowMs` decides what "Today" is. `hasMore`: the store holds more than these.
    void setHeads(const std::vector<chat::ConversationHead>& heads, std::int64_t nowMs,
                  bool hasMore);
    void setCurrent(std::optional<chat::ConversationId> id);
    std::vector<chat::ConversationId> conversations() const;

 signals:
    void wantsMore();

 private:
    struct Row {
        QString group;
        std::optional<chat::ConversationHead> head;  // nothing: the group's header
    };
    static bool isSamePlace(const Row& a, const Row& b);
    static std::vector<Row> rowsOf(const std::vector<chat::ConversationHead>& heads,
                                   std::int64_t nowMs);
    void replace(std::size_t begin, std::size_t end, std::size_t newEnd, std::vector<Row>& rows);

    std::vector<Row> m_rowList;
    std::optional<chat::ConversationId> m_current;
    bool m_hasMore = false;
};

}  // namespace agens::ui
