// SPDX-License-Identifier: Apache-2.0
// Keys and buttons call the method they promise, and only that.
#include <QDragEnterEvent>
#include <QInputMethodEvent>
#include <QMimeData>

#include "tests/ui/qml/shared_window.h"

namespace agens::ui::test {
namespace {

using KeyboardTest = ViewTest;

// What was called, as one line that a failure shows.
template <typename Fake>
std::string calls(const Fake& fake) {
    return fake.calls.join("; ").toStdString();
}

TEST_F(KeyboardTest, EnterSendsTheTextAndEmptiesTheComposer) {
    show("empty");
    type("hello");
    press(Qt::Key_Return);
    EXPECT_TRUE(m_window.chat.calls.contains("send hello"));
    EXPECT_EQ(item("Message")->property("text").toString(), "");
    EXPECT_EQ(focusName().toStdString(), "Message");
}

TEST_F(KeyboardTest, ShiftEnterBeginsALineAndSendsNothing) {
    show("empty");
    type("one");
    press(Qt::Key_Return, Qt::ShiftModifier);
    type("two");
    EXPECT_EQ(item("Message")->property("text").toString(), "one\ntwo");
    EXPECT_FALSE(m_window.chat.calls.join(u'\n').contains("send"));
}

TEST_F(KeyboardTest, EnterOfAnInputMethodSendsNothing) {
    show("empty");
    type("ni");
    QInputMethodEvent composing("hao", {});
    QGuiApplication::sendEvent(m_window.window()->activeFocusItem(), &composing);
    press(Qt::Key_Return);
    EXPECT_FALSE(m_window.chat.calls.join(u'\n').contains("send"));
    QInputMethodEvent finished;
    finished.setCommitString("hao");
    QGuiApplication::sendEvent(m_window.window()->activeFocusItem(), &finished);
    press(Qt::Key_Return);
    EXPECT_TRUE(m_window.chat.calls.contains("send nihao"));
}

TEST_F(KeyboardTest, NothingIsSentWhileSendingIsImpossible) {
    show("error");
    press(Qt::Key_Return);
    EXPECT_FALSE(m_window.chat.calls.join(u'\n').contains("send"));
    EXPECT_EQ(item("Message")->property("text").toString(), "It is an ext4 disk, label DATA.");
}

TEST_F(KeyboardTest, BlanksAreNoMessage) {
    show("empty");
    type("  ");
    press(Qt::Key_Return);
    EXPECT_FALSE(m_window.chat.calls.join(u'\n').contains("send"));
}

TEST_F(KeyboardTest, EscStopsTheReply) {
    show("streaming");
    press(Qt::Key_Escape);
    EXPECT_EQ(calls(m_window.chat), "stop");
}

TEST_F(KeyboardTest, EscWithoutAReplyDoesNothing) {
    show("chat");
    press(Qt::Key_Escape);
    EXPECT_TRUE(m_window.chat.calls.isEmpty());
}

TEST_F(KeyboardTest, EscClosesThePopoverBeforeItStopsTheReply) {
    show("streaming");
    press(Qt::Key_M, Qt::ControlModifier);
    settle(250);
    ASSERT_EQ(focusName().toStdString(), "Open a model…");
    press(Qt::Key_Escape);
    EXPECT_TRUE(m_window.chat.calls.isEmpty());
    settle(250);
    press(Qt::Key_Escape);
    EXPECT_EQ(calls(m_window.chat), "stop");
}

TEST_F(KeyboardTest, CtrlNMakesAChat) {
    show("chat");
    press(Qt::Key_N, Qt::ControlModifier);
    EXPECT_EQ(calls(m_window.chat), "newChat");
}

TEST_F(KeyboardTest, CtrlRRegeneratesTheLastReply) {
    show("chat");
    press(Qt::Key_R, Qt::ControlModifier);
    EXPECT_EQ(calls(m_window.chat), "regenerate r1");
}

TEST_F(KeyboardTest, CtrlRDoesNothingWhileAReplyRuns) {
    show("streaming");
    press(Qt::Key_R, Qt::ControlModifier);
    EXPECT_TRUE(m_window.chat.calls.isEmpty());
}

TEST_F(KeyboardTest, CtrlShiftCCopiesTheLastReply) {
    show("chat");
    press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(calls(m_window.chat), "copyMessage r1");
}

TEST_F(KeyboardTest, CtrlBHidesAndShowsTheChatList) {
    show("chat");
    press(Qt::Key_B, Qt::ControlModifier);
    EXPECT_EQ(m_window.named("Chat list"), nullptr);
    EXPECT_NE(m_window.named("Show the chat list"), nullptr);
    press(Qt::Key_B, Qt::ControlModifier);
    EXPECT_NE(m_window.named("Chat list"), nullptr);
}

TEST_F(KeyboardTest, UpInAnEmptyComposerEditsTheLastMessage) {
    show("kinds");
    press(Qt::Key_Up);
    settle(30);
    ASSERT_EQ(focusName().toStdString(), "Change the message");
    type("!");
    press(Qt::Key_Return, Qt::ControlModifier);
    EXPECT_EQ(calls(m_window.chat), "edit u1 Show me every kind of block.!");
    EXPECT_EQ(focusName().toStdString(), "Message");
}

TEST_F(KeyboardTest, EscLeavesAnEditedMessageAsItIs) {
    show("kinds");
    press(Qt::Key_Up);
    settle(30);
    type("!");
    press(Qt::Key_Escape);
    EXPECT_TRUE(m_window.chat.calls.isEmpty());
    EXPECT_EQ(focusName().toStdString(), "Message");
}

TEST_F(KeyboardTest, ChatListOpensRenamesAndDeletes) {
    show("chat");
    focus("Chat list");
    press(Qt::Key_Down);  // from the first chat, below its group, over the next group's name
    press(Qt::Key_Down);
    press(Qt::Key_Delete);
    EXPECT_EQ(calls(m_window.chat), "remove Translate the tender letter");
    m_window.chat.calls.clear();
    press(Qt::Key_F2);
    settle(20);
    ASSERT_EQ(focusName().toStdString(), "Title of the chat");
    type("Tender");
    press(Qt::Key_Return);
    EXPECT_EQ(calls(m_window.chat), "rename Translate the tender letter Tender");
    m_window.chat.calls.clear();
    press(Qt::Key_Return);
    EXPECT_EQ(m_window.chat.calls.last(), "open Translate the tender letter");
}

TEST_F(KeyboardTest, EscKeepsTheTitle) {
    show("streaming");
    focus("Chat list");
    press(Qt::Key_F2);
    settle(20);
    type("x");
    press(Qt::Key_Escape);
    settle(20);
    EXPECT_TRUE(m_window.chat.calls.isEmpty());
}

TEST_F(KeyboardTest, F2OutsideTheListRenamesTheOpenChat) {
    show("chat");
    press(Qt::Key_F2);
    settle(20);
    type("Ropes");
    press(Qt::Key_Return);
    EXPECT_EQ(calls(m_window.chat), "rename Rope buffer in C++20 Ropes");
}

TEST_F(KeyboardTest, DeleteInTheComposerRemovesNoChat) {
    show("chat");
    press(Qt::Key_Delete);
    EXPECT_FALSE(m_window.chat.calls.join(u'\n').contains("remove"));
}

TEST_F(KeyboardTest, LettersActOnTheChosenMessage) {
    show("chat");
    focus("Messages");
    press(Qt::Key_C);
    press(Qt::Key_R);
    press(Qt::Key_Up);
    press(Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(calls(m_window.chat), "copyMessage r1; regenerate r1; switchSibling u1 -1");
}

TEST_F(KeyboardTest, EnterPressesAFocusedButton) {
    show("chat");
    focus("New chat");
    press(Qt::Key_Return);
    press(Qt::Key_Space);
    EXPECT_EQ(m_window.chat.calls.filter("newChat").size(),
              1);  // the first one moved the focus away
}

TEST_F(KeyboardTest, ButtonsOfARunningReply) {
    show("streaming");
    press("Stop the reply");
    press("Remove the queued message");
    EXPECT_EQ(calls(m_window.chat), "stop; clearQueue");
}

TEST_F(KeyboardTest, ButtonsOfAReply) {
    show("chat");
    press("Copy the reply");
    press("Copy code, C++, 7 lines");
    EXPECT_EQ(m_window.chat.calls[0], "copyMessage r1");
    EXPECT_TRUE(m_window.chat.calls[1].startsWith("copyText class TailBuffer {\n"));
}

TEST_F(KeyboardTest, BannerToastAndLoadStripAct) {
    show("error");
    press("Choose another…");
    press("Close this message");
    EXPECT_EQ(calls(m_window.app), "bannerAction openModel; dismissBanner");
    show("prefill");
    press("Undo");
    EXPECT_EQ(calls(m_window.app), "undoToast");
    show("loading");
    press("Cancel");
    EXPECT_EQ(calls(m_window.models), "cancelLoad");
}

TEST_F(KeyboardTest, TextGrowsAndShrinksWithinItsLimits) {
    show("chat");
    press(Qt::Key_Plus, Qt::ControlModifier);
    press(Qt::Key_Minus, Qt::ControlModifier);
    m_window.app.setProperty("textScale", 200);
    press(Qt::Key_Plus, Qt::ControlModifier);
    press(Qt::Key_0, Qt::ControlModifier);
    EXPECT_EQ(calls(m_window.app),
              "setTextScale 110; setTextScale 90; setTextScale 200; setTextScale 100");
}

TEST_F(KeyboardTest, CtrlOAsksForAModelFile) {
    show("empty");
    press(Qt::Key_O, Qt::ControlModifier);
    settle(100);
    QObject* dialog = nullptr;
    for (QObject* const child : m_window.window()->findChildren<QObject*>()) {
        if (child->property("selectedFile").isValid()) dialog = child;
    }
    ASSERT_NE(dialog, nullptr);
    EXPECT_TRUE(dialog->property("visible").toBool());
    QMetaObject::invokeMethod(dialog, "reject");
    EXPECT_EQ(calls(m_window.models), "");
}

TEST_F(KeyboardTest, ALinkAsksBeforeItIsOpened) {
    show("chat");
    QQuickItem* paragraph = nullptr;
    for (QQuickItem* const each : visibleItems(item("Messages"))) {
        if (each->property("hoveredLink").isValid() &&
            each->property("text").toString().startsWith("Keep closed"))
            paragraph = each;
    }
    ASSERT_NE(paragraph, nullptr);
    QMetaObject::invokeMethod(paragraph, "linkActivated", Q_ARG(QString, "0"));
    settle(50);
    EXPECT_NE(m_window.named("https://en.cppreference.com/w/cpp/string"), nullptr);
    EXPECT_NE(m_window.named("en.cppreference.com"), nullptr);
    ASSERT_EQ(focusName().toStdString(), "Copy");
    press(Qt::Key_Return);
    EXPECT_EQ(calls(m_window.chat), "copyText https://en.cppreference.com/w/cpp/string");
}

class DropTest : public ViewTest {
 protected:
    void drop(const QList<QUrl>& urls) {
        show("empty");
        QMimeData data;
        data.setUrls(urls);
        QDragEnterEvent enter(QPoint(600, 300), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        QGuiApplication::sendEvent(m_window.window(), &enter);
        QDropEvent dropped(QPointF(600, 300), Qt::CopyAction, &data, Qt::LeftButton,
                           Qt::NoModifier);
        QGuiApplication::sendEvent(m_window.window(), &dropped);
        settle(10);
    }
};

TEST_F(DropTest, AModelFileIsOpened) {
    drop({QUrl("file:///models/tiny.gguf")});
    EXPECT_EQ(calls(m_window.models), "openFile file:///models/tiny.gguf");
}

TEST_F(DropTest, OtherFilesAddressesAndSeveralFilesAreRefused) {
    drop({QUrl("file:///models/tiny.txt")});
    EXPECT_EQ(calls(m_window.models), "");
    drop({QUrl("https://example.org/tiny.gguf")});
    EXPECT_EQ(calls(m_window.models), "");
    drop({QUrl("file:///a.gguf"), QUrl("file:///b.gguf")});
    EXPECT_EQ(calls(m_window.models), "");
}

TEST_F(KeyboardTest, ADraftIsSavedBeforeAnotherChatOpens) {
    show("empty");
    type("half");
    press(Qt::Key_N, Qt::ControlModifier);
    EXPECT_EQ(calls(m_window.chat), "saveDraft half; newChat");
}

}  // namespace
}  // namespace agens::ui::test
