// SPDX-License-Identifier: Apache-2.0
// A reply from event to stored end, without threads: the clock moves only when a test says so.
#include "app/service/reply_runner.h"

#include "app/service/chat_prompt.h"
#include "tests/service/service_fixture.h"

namespace agens::service {
namespace {

using namespace std::chrono_literals;
using test::RememberingSink;

engine::Piece piece(const std::string& text) {
    return {engine::Channel::Text, text, {TokenId(1)}};
}

TEST(BatchPacer, SendsTheFirstBatchAtOnce) {
    const BatchPacer pacer;
    EXPECT_TRUE(pacer.isDue(0ns));
}

TEST(BatchPacer, KeepsOneFrameBetweenBatches) {
    BatchPacer pacer;
    pacer.sent(1s);
    pacer.shown(5ms);
    EXPECT_FALSE(pacer.isDue(1s + 32ms));
    EXPECT_TRUE(pacer.isDue(1s + 33ms));
}

TEST(BatchPacer, HasOneBatchOnItsWay) {
    BatchPacer pacer;
    pacer.sent(1s);
    EXPECT_FALSE(pacer.isDue(1h));
    pacer.shown(5ms);
    EXPECT_TRUE(pacer.isDue(1h));
}

TEST(BatchPacer, DoublesForASlowWindowUpToFourFrames) {
    BatchPacer pacer;
    std::vector<std::chrono::nanoseconds> periods;
    for (int i = 0; i < 4; ++i) {
        pacer.shown(9ms);
        periods.push_back(pacer.period());
    }
    EXPECT_EQ(periods, (std::vector<std::chrono::nanoseconds>{66ms, 132ms, 132ms, 132ms}));
}

TEST(BatchPacer, HalvesAgainForAFastWindowDownToOneFrame) {
    BatchPacer pacer;
    pacer.shown(9ms);
    pacer.shown(9ms);
    pacer.shown(5ms);
    EXPECT_EQ(pacer.period(), 132ms);
    pacer.shown(3ms);
    EXPECT_EQ(pacer.period(), 66ms);
    pacer.shown(3ms);
    pacer.shown(3ms);
    EXPECT_EQ(pacer.period(), 33ms);
}

class ReplyRunnerTest : public test::StoreFixture {
 protected:
    ReplyRunnerTest()
        : m_sent(send("question")),
          m_sink(std::make_shared<RememberingSink>()),
          m_runner(m_sent.reply, m_sink, *m_store, m_clock) {}

    void say(const std::string& text) {
        m_runner.add(piece(text));
        m_runner.act();
    }
    // The window answers at once, then `by` passes.
    void pass(std::chrono::nanoseconds by) {
        m_runner.shown(1ms);
        m_clock.advance(by);
        m_runner.act();
    }

    chat::Sent m_sent;
    std::shared_ptr<RememberingSink> m_sink;
    ReplyRunner m_runner;
};

TEST_F(ReplyRunnerTest, ShowsTheFirstPieceAtOnce) {
    say("One");
    ASSERT_EQ(m_sink->batches().size(), 1U);
    EXPECT_EQ(m_sink->batches()[0].text, "One");
    EXPECT_EQ(m_sink->batches()[0].phase, ReplyPhase::Text);
}

TEST_F(ReplyRunnerTest, GathersTheRestOfAFrameIntoOneBatch) {
    say("One");
    for (int i = 0; i < 100; ++i)
        say(" more");
    EXPECT_EQ(m_sink->batches().size(), 1U);
    pass(33ms);
    ASSERT_EQ(m_sink->batches().size(), 2U);
    EXPECT_EQ(m_sink->batches()[1].text.size(), 500U);
    EXPECT_EQ(m_sink->batches()[1].tokens, 101U);
}

TEST_F(ReplyRunnerTest, DropsNothingWhileTheWindowIsSlow) {
    say("a");
    for (int i = 0; i < 10; ++i) {
        m_clock.advance(1s);
        say("b");
    }
    EXPECT_EQ(m_sink->batches().size(), 1U);  // never answered, so nothing more is sent
    pass(1s);
    EXPECT_EQ(m_sink->text(), "abbbbbbbbbb");
}

TEST_F(ReplyRunnerTest, WritesNoCheckpointWithinTheFirstInterval) {
    say("text");
    pass(ReplyRunner::kCheckpointEvery - 1ms);
    EXPECT_EQ(stored(m_sent.reply).text(), "");
}

TEST_F(ReplyRunnerTest, WritesACheckpointWithinASecond) {
    say("text");
    pass(ReplyRunner::kCheckpointEvery);
    EXPECT_LT(ReplyRunner::kCheckpointEvery, 1s);
    EXPECT_EQ(stored(m_sent.reply).text(), "text");
    EXPECT_EQ(stored(m_sent.reply).state, chat::MessageState::Generating);
}

TEST_F(ReplyRunnerTest, StoresTheEndBeforeItTellsOfIt) {
    say("whole");
    m_runner.add(engine::Finished{});
    m_runner.act();
    EXPECT_EQ(m_sink->ends(), 0);
    m_runner.finish();
    EXPECT_EQ(m_sink->ends(), 1);
    EXPECT_EQ(stored(m_sent.reply).text(), "whole");
    EXPECT_EQ(stored(m_sent.reply).state, chat::MessageState::Complete);
}

TEST_F(ReplyRunnerTest, KeepsTheTextOfAFailedReply) {
    say("half");
    m_runner.add(engine::Failed{{ErrorKind::Device, "device.lost", "It stopped.", ""}, {}});
    m_runner.finish();
    EXPECT_EQ(stored(m_sent.reply).text(), "half");
    EXPECT_EQ(stored(m_sent.reply).state, chat::MessageState::Error);
}

TEST_F(ReplyRunnerTest, EndsInterruptedWhenTheProgramLeaves) {
    say("cut");
    m_runner.finish();
    EXPECT_EQ(stored(m_sent.reply).state, chat::MessageState::Interrupted);
    EXPECT_EQ(m_sink->ends(), 1);
}

TEST_F(ReplyRunnerTest, TellsWhenTheEndCannotBeStored) {
    const auto ended = m_store->finish(m_sent.reply, {}).get();  // by someone else
    ASSERT_TRUE(ended.ok());
    say("late");
    m_runner.add(engine::Finished{});
    m_runner.finish();
    EXPECT_TRUE(m_sink->batches().back().storeError.has_value());
}

TEST(ChatPrompt, HoldsTheFinishedMessagesInOrder) {
    chat::Message user;
    user.parts = {{chat::PartId(), chat::PartKind::Text, "ask", {}, {}, false}};
    chat::Message reply;
    reply.role = chat::Role::Assistant;
    reply.parts = {{chat::PartId(), chat::PartKind::Reasoning, "think", {}, {}, false},
                   {chat::PartId(), chat::PartKind::Text, "answer", {}, {}, false}};
    chat::Message empty;
    empty.role = chat::Role::Assistant;
    empty.state = chat::MessageState::Stopped;
    chat::Message open = reply;
    open.state = chat::MessageState::Generating;
    const engine::ChatPrompt prompt = chatPrompt(std::vector{user, reply, empty, open});
    ASSERT_EQ(prompt.messages.size(), 2U);
    EXPECT_EQ(prompt.messages[0].role, engine::MessageRole::User);
    EXPECT_EQ(prompt.messages[0].content, "ask");
    EXPECT_EQ(prompt.messages[1].content, "answer");
    EXPECT_EQ(prompt.messages[1].reasoning, "think");
}

}  // namespace
}  // namespace agens::service
