// SPDX-License-Identifier: Apache-2.0
// The transcript follows the end while the user lets it, and never else; reused rows show their own
// block.
#include <QQuickTextDocument>
#include <QTextDocument>

#include "tests/ui/qml/shared_window.h"

namespace agens::ui::test {
namespace {

class TranscriptTest : public ViewTest {
 protected:
    QQuickItem* list() { return item("Messages"); }
    double distanceToEnd() { return list()->property("distanceToEnd").toDouble(); }
    bool follows() { return list()->property("follow").toBool(); }
    void wheel(int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        const QPointF place = list()->mapToScene(QPointF(list()->width() / 2, 100));
        QWheelEvent event(place, m_window.window()->mapToGlobal(place.toPoint()), {}, {0, delta},
                          Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QGuiApplication::sendEvent(m_window.window(), &event);
        settle(30);
    }
    void append(int lines) {
        QString text;
        for (int line = 0; line < lines; ++line)
            text += "A paragraph that was just written.\n\n";
        for (QVariantMap row : replyRows("new", text)) {
            row["rowId"] = QStringLiteral("new.%1").arg(m_appended++);
            if (row["rowKind"] != "footer") m_window.chat.transcript.append(row);
        }
        settle(60);
    }

 private:
    int m_appended = 0;
};

TEST_F(TranscriptTest, OpensAtTheEnd) {
    show("long");
    settle(60);
    EXPECT_NEAR(distanceToEnd(), 0, 1);
    EXPECT_TRUE(follows());
}

TEST_F(TranscriptTest, NewRowsStayInView) {
    show("long");
    settle(60);
    append(5);
    EXPECT_NEAR(distanceToEnd(), 0, 1);
}

TEST_F(TranscriptTest, WheelUpEndsFollowingAndNewRowsMoveNothing) {
    show("long");
    settle(60);
    wheel(120);
    EXPECT_FALSE(follows());
    const double before = list()->property("contentY").toDouble();
    append(5);
    EXPECT_NEAR(list()->property("contentY").toDouble(), before, 1);
    EXPECT_FALSE(follows());
}

TEST_F(TranscriptTest, WheelDownToTheEndDoesNotFollowAgain) {
    show("long");
    settle(60);
    wheel(120);
    for (int turn = 0; turn < 10; ++turn)
        wheel(-120);
    EXPECT_FALSE(follows());
}

TEST_F(TranscriptTest, CtrlWheelChangesTheTextSizeAndScrollsNothing) {
    show("long");
    settle(60);
    wheel(120, Qt::ControlModifier);
    EXPECT_TRUE(m_window.app.calls.contains("setTextScale 110"));
    EXPECT_TRUE(follows());
}

TEST_F(TranscriptTest, JumpToLatestFollowsAgain) {
    show("long");
    settle(60);
    for (int turn = 0; turn < 5; ++turn)
        wheel(120);
    press("Jump to latest");
    EXPECT_TRUE(follows());
    EXPECT_NEAR(distanceToEnd(), 0, 1);
    EXPECT_EQ(m_window.named("Jump to latest"), nullptr);
}

TEST_F(TranscriptTest, PageUpAndHomeEndFollowingAndEndBeginsIt) {
    show("long");
    settle(60);
    focus("Messages");
    press(Qt::Key_PageUp);
    EXPECT_FALSE(follows());
    press(Qt::Key_End);
    EXPECT_TRUE(follows());
    press(Qt::Key_Home);
    EXPECT_FALSE(follows());
    press(Qt::Key_End);
    EXPECT_TRUE(follows());
}

TEST_F(TranscriptTest, SendingPutsTheQuestionAtTheTop) {
    show("long");
    settle(60);
    focus("Message");
    press(Qt::Key_A, Qt::ControlModifier);
    type("next");
    press(Qt::Key_Return);
    m_window.chat.transcript.append(userRow("u-next", "next"));
    settle(80);
    QQuickItem* const question = item("You: next");
    ASSERT_NE(question, nullptr);
    EXPECT_NEAR(question->mapToItem(list(), QPointF()).y(), 0, 2);
    append(3);
    EXPECT_NEAR(question->mapToItem(list(), QPointF()).y(), 0, 2);  // a short reply moves nothing
    append(60);
    EXPECT_NEAR(distanceToEnd(), 0, 1);  // a long one is followed
}

TEST_F(TranscriptTest, ReusedRowsShowTheirOwnText) {
    show("long");
    settle(60);
    focus("Messages");
    for (int page = 0; page < 30; ++page)
        press(Qt::Key_PageUp);
    settle(60);
    for (QQuickItem* const row : visibleItems(list())) {
        auto* const holder = row->property("textDocument").value<QQuickTextDocument*>();
        const QVariant block = row->property("block");
        if (holder == nullptr || !block.isValid() || row->property("cell").toInt() >= 0) continue;
        for (QQuickItem* parent = row->parentItem(); parent != nullptr;
             parent = parent->parentItem()) {
            QObject* const model = parent->property("model").value<QObject*>();
            if (model == nullptr || !parent->property("messageId").isValid()) continue;
            EXPECT_EQ(holder->textDocument()->toPlainText(), model->property("text").toString());
            break;
        }
    }
}

TEST_F(TranscriptTest, WrapIsKeptForItsRowOnly) {
    show("chat");
    press("Wrap the lines of code, C++, 7 lines");
    EXPECT_TRUE(item("Wrap the lines of code, C++, 7 lines")->property("checked").toBool());
    show("error");
    EXPECT_FALSE(item("Wrap the lines of code, Shell, 2 lines")->property("checked").toBool());
}

}  // namespace
}  // namespace agens::ui::test
