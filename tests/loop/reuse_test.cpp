// SPDX-License-Identifier: Apache-2.0
// Same tokens however they are computed: with reused prefixes, other chunks, company, other
// histories.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/loop/evaluate.h"
#include "tests/loop/loop_world.h"

namespace agens::loop {
namespace {

using test::Ask;
using test::hashedLetter;
using test::LoopWorld;
using test::smallLimits;
using test::Transcript;

std::string freshReply(const Ask& ask) {
    LoopWorld world(smallLimits(), hashedLetter);
    return world.reply(ask).text;
}

TEST(Reuse, SecondTurnPrefillsOnlyWhatIsNew) {
    LoopWorld world(smallLimits(), hashedLetter);
    const Transcript first = world.reply({.prompt = "hello>", .conversation = 1, .maxTokens = 10});
    const std::uint64_t rowsBefore = world.executor.rows;
    const std::string prompt = "hello>" + first.text + " again>";
    const Transcript second = world.reply({.prompt = prompt, .conversation = 1, .maxTokens = 1});
    EXPECT_EQ(second.started->cachedTokens, 15u) << "6 of the prompt, 9 of 10 of the reply";
    EXPECT_EQ(world.executor.rows - rowsBefore, prompt.size() - 15);
    EXPECT_EQ(second.text, freshReply({.prompt = prompt, .maxTokens = 1}));
}

TEST(Reuse, RegeneratingComputesOneRowOfThePrompt) {
    LoopWorld world(smallLimits(), hashedLetter);
    const Ask ask{.prompt = "hello>", .conversation = 1, .maxTokens = 10};
    const Transcript first = world.reply(ask);
    const Transcript second = world.reply(ask);
    EXPECT_EQ(second.started->cachedTokens, 5u);
    EXPECT_EQ(second.text, first.text);
}

TEST(Reuse, AnotherConversationStartsFromACopiedPrefix) {
    LoopWorld world(smallLimits(), hashedLetter);
    const std::string shared(300, 's');
    world.reply({.prompt = shared + "one>", .conversation = 1, .maxTokens = 5});
    const Ask ask{.prompt = shared + "two>", .conversation = 2, .maxTokens = 5};
    const Transcript reply = world.reply(ask);
    EXPECT_EQ(reply.started->cachedTokens, 300u);
    EXPECT_EQ(world.executor.copies, 2u);
    EXPECT_EQ(reply.text, freshReply(ask));
}

TEST(Reuse, ChunksAndCompanyDoNotChangeAReply) {
    const Ask ask{.prompt = std::string(150, 'p') + ">",
                  .maxTokens = 20,
                  .values = {.temperature = 1.0F, .topP = 1.0},
                  .seed = 9};
    const std::string expected = freshReply(ask);
    for (const std::uint32_t chunk : {1U, 7U, 64U, 128U}) {
        LoopWorld world(smallLimits(), hashedLetter, chunk);
        const RequestId mate = world.submit({.prompt = "mate>", .maxTokens = 50});
        world.turn();
        const RequestId id = world.submit(ask);
        world.turnUntilIdle();
        EXPECT_EQ(world.read(id).text, expected) << "chunk " << chunk;
        EXPECT_EQ(world.read(mate).text, freshReply({.prompt = "mate>", .maxTokens = 50}));
    }
}

// 300 random turns of five conversations with edits, stops, cancels and too few pages for all:
// every reply equals that of an engine that never saw anything else.
TEST(Reuse, RandomHistoriesGiveTheRepliesOfAFreshEngine) {
    std::mt19937 random(5);
    LoopWorld world({.rowsMax = 50, .vocabRows = 260, .pages = 8, .contextTokens = 1024},
                    hashedLetter);
    std::vector<std::string> texts(6);
    for (int round = 0; round < 300; ++round) {
        const std::size_t conversation = random() % texts.size();
        std::string& text = texts[conversation];
        if (random() % 3 == 0) text.resize(text.size() - random() % (text.size() + 1));
        if (random() % 8 == 0) text = texts[random() % texts.size()];
        if (text.size() > 700) text.clear();
        text += std::string(1 + random() % 90, static_cast<char>('A' + random() % 4));
        Ask ask{.prompt = text,
                .conversation = conversation,
                .maxTokens = static_cast<std::uint32_t>(1 + random() % 12)};
        if (random() % 4 == 0) ask.stop = {std::string(1, static_cast<char>('a' + random() % 26))};
        if (random() % 5 == 0) {
            const RequestId cancelled =
                world.submit({.prompt = text + "?", .conversation = conversation});
            for (auto steps = random() % 5; steps > 0; --steps)
                world.turn();
            world.inbox.cancel(cancelled);
        }
        const Transcript reply = world.reply(ask);
        ASSERT_EQ(reply.text, freshReply(ask)) << "round " << round;
        text += reply.text;
    }
    EXPECT_TRUE(world.executor.faults.empty()) << world.executor.faults[0];
    EXPECT_GT(world.executor.copies, 0u);
}

Result<engine::Evaluation> evaluated(LoopWorld& world, const engine::EvaluateRequest& request) {
    const auto ticket = std::make_shared<EvaluationTicket>(request, std::stop_token());
    world.inbox.evaluate(ticket);
    world.turnUntilIdle();
    return ticket->wait();
}

std::size_t usableLogit(const engine::Evaluation& evaluation, std::size_t row) {
    const auto logits =
        std::span(evaluation.logits).subspan(row * evaluation.vocabRows, evaluation.vocabRows);
    return static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin());
}

TEST(Evaluation, GivesTheAskedRowsWhateverTheGroups) {
    const std::vector<TokenId> ids = test::byteIds("some text of thirty characters");
    for (const std::uint32_t group : {0U, 1U, 7U, 30U}) {
        LoopWorld world(smallLimits(), hashedLetter);
        const auto evaluation =
            evaluated(world, {.ids = ids,
                              .positions = {Position(0), Position(7), Position(29)},
                              .rowsPerStep = group,
                              .wantHidden = true});
        ASSERT_TRUE(evaluation);
        ASSERT_EQ(evaluation->logits.size(), 3u * evaluation->vocabRows);
        EXPECT_EQ(evaluation->hidden, (std::vector<float>{0, 7, 29}));
        for (const auto& [row, length] : {std::pair{0u, 1u}, {1u, 8u}, {2u, 30u}}) {
            EXPECT_EQ(usableLogit(*evaluation, row),
                      static_cast<std::size_t>(hashedLetter(std::span(ids).first(length)).value));
        }
    }
}

TEST(Evaluation, NoPositionsMeansAllOfThem) {
    LoopWorld world(smallLimits(), hashedLetter);
    const auto evaluation = evaluated(world, {.ids = test::byteIds("abc")});
    EXPECT_EQ(evaluation->logits.size(), 3u * evaluation->vocabRows);
}

TEST(Evaluation, WaitsForTheRunningReplyAndGivesItsPagesBack) {
    LoopWorld world(smallLimits(), hashedLetter);
    const RequestId running = world.submit({.prompt = "p>", .maxTokens = 30});
    world.turn();
    const RequestId later = world.submit({.prompt = "q>", .maxTokens = 3});
    ASSERT_TRUE(evaluated(world, {.ids = test::byteIds(std::string(1000, 'z'))}));
    EXPECT_EQ(world.read(running).text, freshReply({.prompt = "p>", .maxTokens = 30}));
    EXPECT_EQ(world.read(later).text, freshReply({.prompt = "q>", .maxTokens = 3}));
    EXPECT_EQ(world.loop.counters().pagesFree + 2, world.loop.counters().pagesTotal);
}

TEST(Evaluation, DeviceErrorIsTheAnswer) {
    LoopWorld world(smallLimits(), hashedLetter);
    world.executor.beforeStep = [](std::stop_token) {
        return Error{ErrorKind::Device, "device.lost", "", ""};
    };
    EXPECT_EQ(evaluated(world, {.ids = test::byteIds("abc")}).error().id, "device.lost");
}

TEST(Evaluation, RefusesWhatCannotBeComputed) {
    const ExecutorLimits limits = smallLimits();
    const auto whereOf = [&](const engine::EvaluateRequest& request) {
        const auto checked = validateEvaluation(request, limits, 257);
        return checked ? std::string("accepted") : checked.error().where;
    };
    const auto ids = test::byteIds("abc");
    EXPECT_EQ(whereOf({.ids = ids, .positions = {Position(0), Position(2)}}), "accepted");
    EXPECT_EQ(whereOf({}), "ids");
    EXPECT_EQ(whereOf({.ids = std::vector<TokenId>(1025)}), "ids");
    EXPECT_EQ(whereOf({.ids = {TokenId(257)}}), "ids");
    EXPECT_EQ(whereOf({.ids = {TokenId(-1)}}), "ids");
    EXPECT_EQ(whereOf({.ids = ids, .positions = {Position(1), Position(1)}}), "positions");
    EXPECT_EQ(whereOf({.ids = ids, .positions = {Position(3)}}), "positions");
}

}  // namespace
}  // namespace agens::loop
