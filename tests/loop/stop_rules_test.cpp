// SPDX-License-Identifier: Apache-2.0
// How replies end: the order of the stop rules and what the cache holds afterwards.
#include <gtest/gtest.h>

#include "tests/loop/loop_world.h"

namespace agens::loop {
namespace {

using engine::FinishReason;
using test::Ask;
using test::LoopWorld;
using test::saying;
using test::smallLimits;
using test::Transcript;

FinishReason reasonOf(const Transcript& reply) {
    EXPECT_TRUE(reply.finished);
    EXPECT_EQ(reply.terminals, 1u);
    return reply.finished ? reply.finished->reason : FinishReason::Cancelled;
}

TEST(StopRules, EndTokenEndsAndIsNotText) {
    LoopWorld world(smallLimits(), saying("hello"));
    const Transcript reply = world.reply({.prompt = "p>"});
    EXPECT_EQ(reasonOf(reply), FinishReason::End);
    EXPECT_EQ(reply.text, "hello");
    EXPECT_EQ(reply.finished->stats.replyTokens, 6u);
    EXPECT_EQ(reply.finished->stats.plainSteps, 5u);
}

TEST(StopRules, EndComesBeforeLength) {
    LoopWorld world(smallLimits(), saying("ab"));
    EXPECT_EQ(reasonOf(world.reply({.prompt = "p>", .maxTokens = 3})), FinishReason::End);
    EXPECT_EQ(reasonOf(world.reply({.prompt = "p>", .maxTokens = 2})), FinishReason::Length);
}

TEST(StopRules, StopStringComesBeforeLength) {
    LoopWorld world(smallLimits(), saying("abc"));
    const Transcript reply = world.reply({.prompt = "p>", .maxTokens = 2, .stop = {"b"}});
    EXPECT_EQ(reasonOf(reply), FinishReason::Stop);
    EXPECT_EQ(reply.finished->stopText, "b");
    EXPECT_EQ(reply.text, "a");
}

TEST(StopRules, LengthReleasesHeldBackText) {
    LoopWorld world(smallLimits(), saying("abcd"));
    const Transcript reply = world.reply({.prompt = "p>", .maxTokens = 3, .stop = {"cd"}});
    EXPECT_EQ(reasonOf(reply), FinishReason::Length);
    EXPECT_EQ(reply.text, "abc");
}

TEST(StopRules, FullContextEndsWithLength) {
    LoopWorld world({.rowsMax = 64, .vocabRows = 260, .pages = 2, .contextTokens = 20},
                    saying("a text longer than the context"));
    const Transcript reply = world.reply({.prompt = "prompt>"});
    EXPECT_EQ(reasonOf(reply), FinishReason::Length);
    EXPECT_EQ(reply.text, "a text longer");
    EXPECT_EQ(reply.finished->stats.replyTokens, 13u);
}

TEST(StopRules, PromptOfAllButOneTokenGivesOneToken) {
    LoopWorld world({.rowsMax = 64, .vocabRows = 260, .pages = 2, .contextTokens = 7},
                    saying("xyz"));
    const Transcript reply = world.reply({.prompt = "12345>"});
    EXPECT_EQ(reasonOf(reply), FinishReason::Length);
    EXPECT_EQ(reply.text, "x");
}

TEST(StopRules, EndTokenReleasesHeldBackTextAndUnfinishedCharacters) {
    LoopWorld world(smallLimits(), saying("ab\xC3"));
    EXPECT_EQ(world.reply({.prompt = "p>", .stop = {"bc"}}).text, "ab\xEF\xBF\xBD");
}

// "ab" is kept, "c" and "d" belong to the match: rows of the prompt and of "a" stay.
TEST(StopRules, TokensOfAStopStringLeaveTheCache) {
    LoopWorld world(smallLimits(), saying("abcd"));
    const Transcript reply = world.reply({.prompt = "p>", .conversation = 1, .stop = {"cd"}});
    EXPECT_EQ(reply.text, "ab");
    const Transcript next = world.reply({.prompt = "p>abcd>", .conversation = 1});
    EXPECT_EQ(next.started->cachedTokens, 3u);
}

TEST(StopRules, RowWithoutALogitFailsItsSequence) {
    LoopWorld world(smallLimits(), saying("abc"));
    world.executor.giveNoLogits = true;
    const Transcript reply = world.reply({.prompt = "p>"});
    ASSERT_TRUE(reply.failed);
    EXPECT_EQ(reply.failed->error.id, "loop.no_logit");
    EXPECT_EQ(reply.failed->error.kind, ErrorKind::Device);
    EXPECT_EQ(reply.terminals, 1u);
}

TEST(StopRules, ReasoningTokensSwitchTheChannel) {
    test::ByteVocabulary words({}, {"<|im_end|>", "<open>", "<close>"});
    const auto next = [](std::span<const TokenId> seen) {
        const std::vector<TokenId> reply = {TokenId(257), TokenId('h'), TokenId('m'), TokenId(258),
                                            TokenId('o'), TokenId('k'), TokenId(256)};
        return reply[seen.size() - 2];
    };
    LoopWorld world(smallLimits(), next, 0, std::move(words));
    const Transcript reply = world.reply({.prompt = "p>"});
    EXPECT_EQ(reply.reasoning, "hm");
    EXPECT_EQ(reply.text, "ok");
}

}  // namespace
}  // namespace agens::loop
