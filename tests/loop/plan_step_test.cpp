// SPDX-License-Identifier: Apache-2.0
// Which rows a step computes: decode rows always, prompts with what is left, in turn.
#include <gtest/gtest.h>

#include "engine/loop/plan_step.h"
#include "tests/loop/loop_world.h"

namespace agens::loop {
namespace {

class PlanStepTest : public ::testing::Test {
 protected:
    PlanStepTest() {
        state.limits = {.rowsMax = 512, .pages = 64, .contextTokens = 4096, .runningSequences = 4};
        state.prefillRowsPerSecond = 1e9;  // a fast machine
    }
    void addSequence(std::uint32_t tokens, std::uint32_t cached) {
        Sequence sequence{.id = RequestId(state.running.size() + 1),
                          .tokens = std::vector<TokenId>(tokens),
                          .cache = cache::SequenceCache(pages, 4096)};
        ASSERT_TRUE(sequence.cache.extend(std::vector<TokenId>(cached)));
        sequence.cache.commit(cached);
        state.running.push_back(std::move(sequence));
    }
    std::vector<StepPart> plan() {
        StepPlan result;
        planStep(state, result);
        std::uint32_t rows = 0;
        for (const StepPart& part : result.parts)
            rows += part.rows;
        EXPECT_EQ(rows, result.rows);
        EXPECT_LE(rows, state.limits.rowsMax);
        return result.parts;
    }

    cache::KvPages pages{64};
    State state;
};

TEST_F(PlanStepTest, NothingRunningIsIdle) {
    EXPECT_TRUE(plan().empty());
}

TEST_F(PlanStepTest, PromptAloneGetsTheWholeStep) {
    addSequence(1000, 0);
    const auto parts = plan();
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].rows, 512u);
    EXPECT_FALSE(parts[0].wantLogits) << "not the last row of the prompt";
}

TEST_F(PlanStepTest, LastPartOfAPromptWantsLogits) {
    addSequence(1000, 512);
    const auto parts = plan();
    EXPECT_EQ(parts[0].rows, 488u);
    EXPECT_TRUE(parts[0].wantLogits);
}

TEST_F(PlanStepTest, DecodingSequencesComeFirstAndLeaveASmallChunk) {
    addSequence(1000, 0);
    addSequence(40, 39);
    addSequence(90, 89);
    const auto parts = plan();
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_EQ(parts[0].sequence, 1u);
    EXPECT_EQ(parts[1].sequence, 2u);
    EXPECT_EQ(parts[2].sequence, 0u);
    EXPECT_EQ(parts[2].rows, kPrefillRowsWhileDecoding);
}

TEST_F(PlanStepTest, PromptsTakeTurns) {
    addSequence(1000, 0);
    addSequence(1000, 0);
    state.turn = 1;
    EXPECT_EQ(plan()[0].sequence, 1u);
    state.turn = 2;  // past the end: starts over
    EXPECT_EQ(plan()[0].sequence, 0u);
}

TEST_F(PlanStepTest, WhatOnePromptLeavesGoesToTheNext) {
    addSequence(100, 0);
    addSequence(1000, 0);
    const auto parts = plan();
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts[0].rows, 100u);
    EXPECT_EQ(parts[1].rows, 412u);
}

TEST_F(PlanStepTest, ChunkOfATestIsObeyed) {
    addSequence(1000, 0);
    state.prefillChunk = 7;
    EXPECT_EQ(plan()[0].rows, 7u);
    state.prefillChunk = 5000;
    EXPECT_EQ(plan()[0].rows, 512u);
}

TEST_F(PlanStepTest, SlowMachineGetsStepsOfAFifthOfASecond) {
    addSequence(1000, 0);
    state.prefillRowsPerSecond = 1000;
    EXPECT_EQ(plan()[0].rows, 200u);
    state.prefillRowsPerSecond = 10;
    EXPECT_EQ(plan()[0].rows, kPrefillRowsLeast);
    state.prefillRowsPerSecond = 0;  // not measured yet
    EXPECT_EQ(plan()[0].rows, kPrefillRowsLeast);
}

TEST_F(PlanStepTest, SameStateSamePlan) {
    addSequence(1000, 3);
    addSequence(40, 39);
    const auto first = plan();
    const auto second = plan();
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i)
        EXPECT_EQ(first[i].rows, second[i].rows);
}

}  // namespace
}  // namespace agens::loop
