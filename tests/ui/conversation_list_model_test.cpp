// SPDX-License-Identifier: Apache-2.0
// Groups of the sidebar and the rows that change.
#include "app/ui/models/conversation_list_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

namespace agens::ui {
namespace {

constexpr std::int64_t kNow = 1'796'029'920'000;  // 2026-11-30, midday
constexpr std::int64_t kDay = 24 * 3'600'000LL;

chat::ConversationHead head(std::int64_t id, int daysAgo, bool isPinned = false) {
    chat::ConversationHead made;
    made.id = chat::ConversationId(id);
    made.title = "chat " + std::to_string(id);
    made.updated = chat::Timestamp(kNow - daysAgo * kDay);
    made.pinned = isPinned;
    return made;
}

class ConversationListTest : public testing::Test {
 protected:
    void show(const std::vector<chat::ConversationHead>& heads) {
        m_model.setHeads(heads, kNow, false);
    }
    QStringList titles() {
        QStringList list;
        for (int row = 0; row < m_model.rowCount(); ++row)
            list << m_model.data(m_model.index(row), ConversationListModel::TitleRole).toString();
        return list;
    }
    ConversationListModel m_model;
    QAbstractItemModelTester m_tester{&m_model,
                                      QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(ConversationListTest, GroupsByDay) {
    show({head(9, 50, true), head(8, 0), head(7, 1), head(6, 7), head(5, 30), head(4, 61)});
    EXPECT_EQ(titles(), (QStringList{"Pinned", "chat 9", "Today", "chat 8", "Yesterday", "chat 7",
                                     "Previous 7 days", "chat 6", "Previous 30 days", "chat 5",
                                     "September 2026", "chat 4"}));
}

TEST_F(ConversationListTest, AJumpOfTheClockOpensNoGroupTwice) {
    show({head(3, 0), head(2, 40), head(1, 0)});
    EXPECT_EQ(titles(), (QStringList{"Today", "chat 3", "October 2026", "chat 2", "chat 1"}));
}

TEST_F(ConversationListTest, AnUntitledChatIsANewChat) {
    chat::ConversationHead untitled = head(1, 0);
    untitled.title.clear();
    show({untitled});
    EXPECT_EQ(titles(), (QStringList{"Today", "New chat"}));
}

TEST_F(ConversationListTest, ARenameMovesNoRow) {
    show({head(2, 0), head(1, 0)});
    QSignalSpy removed(&m_model, &QAbstractItemModel::rowsRemoved);
    chat::ConversationHead renamed = head(1, 0);
    renamed.title = "other";
    show({head(2, 0), renamed});
    EXPECT_EQ(removed.count(), 0);
    EXPECT_EQ(titles(), (QStringList{"Today", "chat 2", "other"}));
}

TEST_F(ConversationListTest, ADeletedChatTakesItsRowOnly) {
    show({head(3, 0), head(2, 0), head(1, 0)});
    const QPersistentModelIndex last = m_model.index(3);
    show({head(3, 0), head(1, 0)});
    EXPECT_EQ(titles(), (QStringList{"Today", "chat 3", "chat 1"}));
    EXPECT_EQ(last.row(), 2);
}

TEST_F(ConversationListTest, MarksTheOpenChat) {
    show({head(2, 0), head(1, 0)});
    m_model.setCurrent(chat::ConversationId(1));
    EXPECT_FALSE(m_model.data(m_model.index(1), ConversationListModel::CurrentRole).toBool());
    EXPECT_TRUE(m_model.data(m_model.index(2), ConversationListModel::CurrentRole).toBool());
}

// Without the tester, which fetches by itself.
TEST(ConversationList, AsksForMoreOnce) {
    ConversationListModel model;
    QSignalSpy wanted(&model, &ConversationListModel::wantsMore);
    model.setHeads({head(1, 0)}, kNow, true);
    EXPECT_TRUE(model.canFetchMore({}));
    model.fetchMore({});
    model.fetchMore({});
    EXPECT_EQ(wanted.count(), 1);
}

}  // namespace
}  // namespace agens::ui
