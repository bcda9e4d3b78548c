// SPDX-License-Identifier: Apache-2.0
// The transcript's rows: what they are, which change, and that the model keeps Qt's rules.
#include "app/ui/models/transcript_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include "tests/ui/views.h"

namespace agens::ui {
namespace {

using test::liveReply;
using test::reply;
using test::Stream;
using test::user;
using Tester = QAbstractItemModelTester;

QStringList kinds(const TranscriptModel& model) {
    QStringList list;
    for (int row = 0; row < model.rowCount(); ++row)
        list << model.data(model.index(row), TranscriptModel::RowKindRole).toString();
    return list;
}
QStringList texts(const TranscriptModel& model, int role = TranscriptModel::TextRole) {
    QStringList list;
    for (int row = 0; row < model.rowCount(); ++row)
        list << model.data(model.index(row), role).toString();
    return list;
}

class TranscriptModelTest : public testing::Test {
 protected:
    // Says a piece in the running reply and shows it.
    void say(const std::string& text) {
        const LiveBatch& batch = m_stream.say(text);
        m_live.apply(batch);
        m_model.update(m_live.facts(), text, batch.changes);
    }
    void end(chat::MessageState state) {
        const LiveBatch& batch = m_stream.end(state);
        m_live.apply(batch);
        m_model.update(m_live.facts(), {}, batch.changes);
    }
    void startReply() { m_model.setMessages({user(1, "ask"), m_live.view()}); }
    QStringList carets() { return texts(m_model, TranscriptModel::IsStreamingRole); }

    TranscriptModel m_model;
    Tester m_tester{&m_model, Tester::FailureReportingMode::Fatal};
    LiveReply m_live = liveReply(2);
    Stream m_stream{2};
};

TEST_F(TranscriptModelTest, HasARowForEachBlock) {
    m_model.setMessages(
        {user(1, "ask"), reply(2,
                               "# Title\n\nText.\n\n- item\n\n> quote\n\n```c\nx\n```\n\n---\n\n"
                               "| a |\n|---|\n| b |\n")});
    EXPECT_EQ(kinds(m_model), (QStringList{"user", "heading", "paragraph", "listItem", "quote",
                                           "code", "rule", "table", "footer"}));
}

TEST_F(TranscriptModelTest, KeepsUserTextAsItIs) {
    m_model.setMessages({user(1, "# not a *heading*")});
    EXPECT_EQ(texts(m_model), QStringList{"# not a *heading*"});
}

TEST_F(TranscriptModelTest, TellsAPicturesAddressAndLoadsNothing) {
    m_model.setMessages({reply(2, "![cat](https://example.org/cat.png)")});
    EXPECT_EQ(kinds(m_model).first(), "notice");
    EXPECT_TRUE(
        texts(m_model, TranscriptModel::NoticeTextRole).first().contains("Picture not loaded"));
}

TEST_F(TranscriptModelTest, SaysHowAReplyEnded) {
    chat::Message message = test::message(2, chat::Role::Assistant, "half");
    message.state = chat::MessageState::Stopped;
    m_model.setMessages({viewOf(message)});
    EXPECT_EQ(kinds(m_model), (QStringList{"paragraph", "notice", "footer"}));
    EXPECT_EQ(texts(m_model, TranscriptModel::NoticeTextRole)[1], "Stopped");
}

TEST_F(TranscriptModelTest, SaysThatAReplyIsEmpty) {
    startReply();
    end(chat::MessageState::Complete);
    EXPECT_EQ(kinds(m_model), (QStringList{"user", "notice", "footer"}));
    TranscriptModel stored;
    stored.setMessages({user(1, "ask"), reply(2, "")});
    EXPECT_EQ(kinds(stored), kinds(m_model));
}

TEST_F(TranscriptModelTest, MarksFirstAndLastRowOfAMessage) {
    m_model.setMessages({user(1, "ask"), reply(2, "a\n\nb")});
    EXPECT_EQ(texts(m_model, TranscriptModel::FirstOfMessageRole),
              (QStringList{"true", "true", "false", "false"}));
    EXPECT_EQ(texts(m_model, TranscriptModel::LastOfMessageRole),
              (QStringList{"true", "false", "false", "true"}));
}

TEST_F(TranscriptModelTest, AQuoteIsJoinedToAQuotedBlockAboveOnly) {
    m_model.setMessages({user(1, "> ask"), reply(2, "> a\n>\n> > b\n\nplain\n\n> c")});
    EXPECT_EQ(texts(m_model, TranscriptModel::QuoteAboveRole),
              (QStringList{"0", "0", "1", "2", "0", "0"}));
}

TEST_F(TranscriptModelTest, KeepsTheRowsOfTheCommonBeginning) {
    m_model.setMessages({user(1, "ask"), reply(2, "old"), user(3, "more"), reply(4, "answer")});
    const QPersistentModelIndex kept = m_model.index(0);
    QSignalSpy removed(&m_model, &QAbstractItemModel::rowsRemoved);
    m_model.setMessages({user(1, "ask"), reply(5, "new")});
    EXPECT_TRUE(kept.isValid());
    ASSERT_EQ(removed.count(), 1);
    EXPECT_EQ(removed[0][1].toInt(), 1);
    EXPECT_EQ(texts(m_model), (QStringList{"ask", "new", ""}));
}

TEST_F(TranscriptModelTest, LastReplyMovesWithTheEnd) {
    m_model.setMessages({user(1, "ask"), reply(2, "a")});
    m_model.setMessages({user(1, "ask"), reply(2, "a"), user(3, "b"), reply(4, "c")});
    EXPECT_EQ(texts(m_model, TranscriptModel::IsLastReplyRole),
              (QStringList{"false", "false", "false", "false", "true", "true"}));
}

TEST_F(TranscriptModelTest, ShowsTheStripUntilTextComes) {
    startReply();
    EXPECT_EQ(kinds(m_model), (QStringList{"user", "prefill", "footer"}));
    say("Hello");
    EXPECT_EQ(kinds(m_model), (QStringList{"user", "paragraph", "footer"}));
}

TEST_F(TranscriptModelTest, StreamingGivesTheRowsOfTheStoredMessage) {
    const std::string text =
        "# A\n\nSome *text* here.\n\n1. one\n2. two\n\n```\ncode\n```\n\nend [x]\n\n[x]: "
        "http://a.b\n";
    startReply();
    for (const char letter : text)
        say(std::string(1, letter));
    end(chat::MessageState::Complete);
    TranscriptModel whole;
    whole.setMessages({user(1, "ask"), reply(2, text)});
    EXPECT_EQ(kinds(m_model), kinds(whole));
    EXPECT_EQ(texts(m_model), texts(whole));
}

TEST_F(TranscriptModelTest, TheCaretStandsInTheLastBlockOnly) {
    startReply();
    say("One.\n\nTwo.");
    EXPECT_EQ(carets(), (QStringList{"false", "false", "true", "false"}));
    end(chat::MessageState::Complete);
    EXPECT_FALSE(carets().contains("true"));
}

TEST_F(TranscriptModelTest, ANewBlockReportsTheRowBeforeItChanged) {
    startReply();
    say("One.");
    QSignalSpy changed(&m_model, &QAbstractItemModel::dataChanged);
    say("\n\nTwo.");
    bool isReported = false;
    for (const auto& signal : changed)
        isReported = isReported || signal[0].toModelIndex().row() == 1;
    EXPECT_TRUE(isReported);
}

TEST_F(TranscriptModelTest, TheRowBelowABlockThatBecomesAQuoteIsReported) {
    using markdown::BlockChange;
    using markdown::BlockId;
    using markdown::ChangeKind;
    markdown::Block quote;
    quote.quoteDepth = 1;
    const auto plain = std::make_shared<const markdown::Block>();
    const BlockChange first[] = {{ChangeKind::Insert, 0, BlockId{1}, plain},
                                 {ChangeKind::Insert, 1, BlockId{2}, plain}};
    const BlockChange then[] = {
        {ChangeKind::Replace, 0, BlockId{1}, std::make_shared<const markdown::Block>(quote)}};
    say("");
    m_model.setMessages({m_live.view()});
    m_model.update(m_live.facts(), {}, first);
    const auto below = static_cast<int>(texts(m_model, TranscriptModel::RowIdRole).indexOf("2.2"));
    QSignalSpy changed(&m_model, &QAbstractItemModel::dataChanged);
    m_model.update(m_live.facts(), {}, then);
    ASSERT_GE(changed.count(), 2);
    EXPECT_EQ(changed[1][0].toModelIndex().row(), below);
    EXPECT_EQ(m_model.data(m_model.index(below), TranscriptModel::QuoteAboveRole).toInt(), 1);
}

TEST_F(TranscriptModelTest, IgnoresAReplyThatIsNotShown) {
    m_model.setMessages({user(1, "ask"), reply(9, "other branch")});
    say("text");
    EXPECT_EQ(texts(m_model), (QStringList{"ask", "other branch", ""}));
}

TEST_F(TranscriptModelTest, AReplyShownLateHasEverythingThatCame) {
    say("One.\n\nTwo");  // while another chat is open
    startReply();
    say(" and more.");
    EXPECT_EQ(texts(m_model), (QStringList{"ask", "One.", "Two and more.", ""}));
}

// Rows and parsed bytes of an update must not depend on how long the reply already is.
TEST_F(TranscriptModelTest, UpdatesCostTheSameAtTheEndOfALongReply) {
    const std::string section =
        "A paragraph of some length that goes on for a while, with *emphasis* in it.\n\n"
        "- first item\n- second item\n\n```\nline of code\n```\n\n";
    std::string text;
    while (text.size() < 80'000)
        text += section;
    startReply();
    std::vector<std::uint64_t> rows;
    std::vector<std::size_t> parsed;
    for (std::size_t at = 0; at < text.size(); at += 40) {
        const std::uint64_t before = m_model.rowsChanged();
        const LiveBatch& batch = m_stream.say(text.substr(at, 40));
        m_live.apply(batch);
        m_model.update(m_live.facts(), batch.batch.text, batch.changes);
        rows.push_back(m_model.rowsChanged() - before);
        parsed.push_back(batch.bytesParsed);
    }
    const auto tenth = static_cast<std::ptrdiff_t>(rows.size() / 10);
    const auto highest = [&](const auto& list, bool first) {
        return first ? *std::max_element(list.begin(), list.begin() + tenth)
                     : *std::max_element(list.end() - tenth, list.end());
    };
    EXPECT_EQ(highest(rows, false), highest(rows, true));
    EXPECT_LE(highest(parsed, false), highest(parsed, true) + 40);
    EXPECT_LE(highest(rows, false), 8U);
}

}  // namespace
}  // namespace agens::ui
