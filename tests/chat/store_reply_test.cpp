// SPDX-License-Identifier: Apache-2.0
// The life of a reply: every state with every call, checkpoints, recovery, statistics, damage.
#include <thread>

#include "app/chat/reply_assembler.h"
#include "tests/chat/store_fixture.h"

namespace agens::chat::test {
namespace {

using StoreReply = StoreTest;

constexpr std::array kStates{
    MessageState::Queued, MessageState::Generating,  MessageState::Complete, MessageState::Stopped,
    MessageState::Limit,  MessageState::Interrupted, MessageState::Error};

bool mayGo(MessageState from, MessageState to) {
    if (isOpen(to)) return false;
    if (from == MessageState::Generating) return true;
    return from == MessageState::Queued &&
           (to == MessageState::Stopped || to == MessageState::Interrupted ||
            to == MessageState::Error);
}

class StoreReplyStates : public StoreTest {
 protected:
    // A fresh reply in `state`.
    MessageId replyIn(MessageState state) {
        const auto id = newConversation();
        const MessageId reply =
            store()
                .send(id, {.text = "hello", .waits = state == MessageState::Queued})
                .get()
                ->reply;
        if (!isOpen(state)) finish(reply, "", state);
        m_conversation = id;
        return reply;
    }
    ConversationId m_conversation;
};

TEST_F(StoreReplyStates, FinishGoesWhereTheStateMachineAllows) {
    open();
    for (const MessageState from : kStates) {
        for (const MessageState to : kStates) {
            const MessageId reply = replyIn(from);
            FinishedReply end;
            end.state = to;
            const Result<void> done = store().finish(reply, end).get();
            EXPECT_EQ(done.ok(), mayGo(from, to)) << toString(from) << " -> " << toString(to);
            const MessageState expected = mayGo(from, to) ? to : from;
            EXPECT_EQ(branch(m_conversation).back().state, expected);
            if (!done.ok()) {
                EXPECT_EQ(done.error().id, "store.state");
            }
        }
    }
}

TEST_F(StoreReplyStates, BeginStartsOnlyWaitingReplies) {
    open();
    for (const MessageState from : kStates) {
        const MessageId reply = replyIn(from);
        EXPECT_EQ(store().begin(reply).get().ok(), from == MessageState::Queued) << toString(from);
    }
}

TEST_F(StoreReplyStates, CheckpointsGoToRunningRepliesAndAreDroppedAfterTheEnd) {
    open();
    for (const MessageState from : kStates) {
        const MessageId reply = replyIn(from);
        const Result<void> done = store().checkpoint(reply, {{PartKind::Text, "abc"}}).get();
        EXPECT_EQ(done.ok(), from != MessageState::Queued) << toString(from);
        EXPECT_EQ(branch(m_conversation).back().text(),
                  from == MessageState::Generating ? "abc" : "");
    }
}

TEST_F(StoreReplyStates, AQueuedReplySurvivesAReopenAndWaits) {
    open();
    const MessageId reply = replyIn(MessageState::Queued);
    reopen();
    EXPECT_EQ(store().interruptedReplies(), 0);
    EXPECT_EQ(branch(m_conversation).back().state, MessageState::Queued);
    EXPECT_TRUE(store().begin(reply).get().ok());
}

TEST_F(StoreReply, AReplyCutOffKeepsTheTextOfItsCheckpoints) {
    open();
    const auto id = newConversation();
    const MessageId reply = send(id, "hello").reply;
    const std::vector<std::vector<TailPiece>> checkpoints{
        {{PartKind::Reasoning, "let me "}},
        {{PartKind::Reasoning, "think"}, {PartKind::Text, "The "}},
        {{PartKind::Text, "answer"}}};
    for (const auto& pieces : checkpoints) {
        ASSERT_TRUE(store().checkpoint(reply, pieces).get().ok());
    }
    reopen();
    EXPECT_EQ(store().interruptedReplies(), 1);
    const Message message = branch(id).back();
    EXPECT_EQ(message.state, MessageState::Interrupted);
    EXPECT_EQ(message.reasoning(), "let me think");
    EXPECT_EQ(message.text(), "The answer");
    EXPECT_EQ(message.parts.size(), 2u);
    reopen();
    EXPECT_EQ(store().interruptedReplies(), 0);
}

TEST_F(StoreReply, FinishReplacesTheTail) {
    open();
    const auto id = newConversation();
    const MessageId reply = send(id, "hello").reply;
    ASSERT_TRUE(store().checkpoint(reply, {{PartKind::Text, "The ans"}}).get().ok());
    finish(reply, "The answer");
    m_store.reset();
    EXPECT_EQ(sql(m_paths.database(), "SELECT count(*) FROM reply_tail"), "0");
    EXPECT_EQ(sql(m_paths.database(), "SELECT group_concat(text) FROM part"), "hello,The answer");
}

TEST_F(StoreReply, StatisticsComeBackAsTheyWere) {
    open();
    const auto id = newConversation();
    FinishedReply end;
    engine::ReplyStats stats;
    stats.promptTokens = 3171;
    stats.cachedTokens = 3000;
    stats.replyTokens = 318;
    stats.firstTokenUs = 410'000;
    stats.decodeUs = 3'700'000;
    stats.seed = UINT64_MAX - 5;
    stats.device = "cpu avx512, 2 threads";
    stats.sampler.temperature = 0.3F;
    stats.sampler.topK = 7;
    stats.replyHash = "abc";
    end.stats = stats;
    end.reasoningTokens = 11;
    ASSERT_TRUE(store().finish(send(id, "hello").reply, end).get().ok());
    reopen();
    const Message message = branch(id).back();
    ASSERT_TRUE(message.stats.has_value());
    EXPECT_EQ(message.stats->promptTokens, 3171u);
    EXPECT_EQ(message.stats->cachedTokens, 3000u);
    EXPECT_EQ(message.stats->seed, UINT64_MAX - 5);
    EXPECT_EQ(message.stats->device, stats.device);
    EXPECT_EQ(message.stats->sampler.temperature, 0.3F);
    EXPECT_EQ(message.stats->sampler.topK, 7u);
    EXPECT_EQ(message.stats->tokensPerSecond(), stats.tokensPerSecond());
    EXPECT_EQ(message.reasoningTokens, 11u);
}

TEST_F(StoreReply, AFailedReplyKeepsItsErrorAndItsText) {
    open();
    const auto id = newConversation();
    FinishedReply end;
    end.state = MessageState::Error;
    end.parts.push_back({PartKind::Text, "half", {}, {}});
    end.error = Error{ErrorKind::Device, "device.lost", "The device stopped answering.", "x"};
    ASSERT_TRUE(store().finish(send(id, "hello").reply, end).get().ok());
    const Message message = branch(id).back();
    EXPECT_EQ(message.text(), "half");
    EXPECT_EQ(message.error->id, "device.lost");
    EXPECT_EQ(message.error->what, "The device stopped answering.");
}

TEST_F(StoreReply, SendingWaitsForTheEndOfTheReplyBefore) {
    open();
    const auto id = newConversation();
    const Sent first = send(id, "one");
    EXPECT_EQ(store().send(id, {.text = "two"}).get().error().id, "store.state");
    finish(first.reply, "r");
    EXPECT_TRUE(store().send(id, {.text = "two"}).get().ok());
}

TEST_F(StoreReply, WhatCannotBeKeptIsRefusedBeforeAnythingIsWritten) {
    open();
    const auto id = newConversation();
    EXPECT_EQ(store().send(id, {.text = "broken \xC3"}).get().error().id, "store.not_utf8");
    const std::string big((std::size_t{16} << 20) + 1, 'a');
    EXPECT_EQ(store().send(id, {.text = big}).get().error().what,
              "The message has 16.0 MiB; at most 16.0 MiB can be kept.");
    EXPECT_TRUE(branch(id).empty());
}

TEST_F(StoreReply, AnyUtf8SurvivesEvenNulBytes) {
    open();
    const auto id = newConversation();
    const std::string text("a\0b\xF0\x9F\x98\x80 \xE4\xB8\xAD", 11);
    send(id, text);
    reopen();
    EXPECT_EQ(branch(id).front().text(), text);
    EXPECT_TRUE(store().check().get().ok());
}

// A flipped byte inside text is valid to SQLite; the hash beside it is not fooled.
TEST_F(StoreReply, ADamagedPartIsMarkedAndTheRestIsShown) {
    open();
    const auto id = newConversation();
    finish(send(id, "hello").reply, "good");
    m_store.reset();
    sql(m_paths.database(), "UPDATE part SET text='h3llo' WHERE text='hello'");
    open();
    const std::vector<Message> messages = branch(id);
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_TRUE(messages[0].parts.at(0).damaged);
    EXPECT_EQ(messages[0].text(), "");
    EXPECT_FALSE(messages[1].parts.at(0).damaged);
    EXPECT_EQ(messages[1].text(), "good");
}

TEST_F(StoreReply, ACycleMadeByDamageEnds) {
    open();
    const auto id = newConversation();
    const Sent sent = send(id, "hello");
    finish(sent.reply, "r");
    m_store.reset();
    sql(m_paths.database(), "UPDATE message SET parent_id=" + std::to_string(sent.reply.value) +
                                " WHERE id=" + std::to_string(sent.user.value));
    open();
    EXPECT_EQ(store().branch(id).get()->messages.size(), 60u);
}

TEST_F(StoreReply, FourThreadsShareOneStore) {
    open();
    std::vector<ConversationId> ids;
    for (int i = 0; i < 4; ++i)
        ids.push_back(newConversation());
    std::vector<std::thread> threads;
    for (const ConversationId id : ids) {
        threads.emplace_back([this, id] {
            for (int i = 0; i < 5; ++i)
                finish(send(id, std::to_string(i)).reply, "r");
            EXPECT_EQ(store().condition(), StoreCondition::Normal);
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    for (const ConversationId id : ids)
        EXPECT_EQ(branch(id).size(), 10u);
}

TEST_F(StoreReply, ClosingFinishesWhatWasAsked) {
    open();
    const auto id = newConversation();
    const MessageId reply = send(id, "hello").reply;
    std::vector<Future<void>> asked;
    for (int i = 0; i < 20; ++i) {
        asked.push_back(store().checkpoint(reply, {{PartKind::Text, std::to_string(i % 10)}}));
    }
    m_store.reset();
    for (Future<void>& future : asked)
        EXPECT_TRUE(future.get().ok());
    open();
    EXPECT_EQ(branch(id).back().text(), "01234567890123456789");
}

// Streaming through assembler and store gives the same reply as the events, however it is cut.
TEST_F(StoreReply, AssemblerCheckpointsAndEndAgree) {
    open();
    const auto id = newConversation();
    const MessageId reply = send(id, "hello").reply;
    ReplyAssembler assembler;
    for (int i = 0; i < 20; ++i) {
        const auto channel = i < 7 ? engine::Channel::Reasoning : engine::Channel::Text;
        assembler.add(engine::Piece{channel, std::to_string(i) + " ", {}});
        if (i % 3 != 0) continue;
        ASSERT_TRUE(store().checkpoint(reply, assembler.takeUnsaved()).get().ok());
    }
    const Message streaming = branch(id).back();
    EXPECT_EQ(streaming.reasoning(), "0 1 2 3 4 5 6 ");
    EXPECT_TRUE(assembler.parts()[1].text.starts_with(streaming.text()));
    assembler.add(engine::Finished{});
    ASSERT_TRUE(store().finish(reply, assembler.finish()).get().ok());
    EXPECT_EQ(branch(id).back().text(), assembler.parts()[1].text);
    EXPECT_EQ(branch(id).back().state, MessageState::Complete);
}

}  // namespace
}  // namespace agens::chat::test
