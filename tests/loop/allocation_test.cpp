// SPDX-License-Identifier: Apache-2.0
// A decode step allocates nothing on the heap. operator new is counted.
#include <gtest/gtest.h>

#include "tests/loop/loop_world.h"
#include "tests/support/allocation_counter.h"

namespace agens::loop {
namespace {

using test::allocationCount;
using test::LoopWorld;

std::uint64_t allocationsOfSteps(LoopWorld& world, int steps) {
    std::uint64_t counted = 0;
    for (int step = 0; step < steps; ++step) {
        const std::uint64_t before = allocationCount();
        world.turn();
        counted += allocationCount() - before;
        for (const auto& [id, stream] : world.streams)
            world.read(id);  // a reader that keeps up
    }
    return counted;
}

TEST(Allocation, TheCounterCounts) {
    const std::uint64_t before = allocationCount();
    const auto memory = std::make_unique<int>(1);
    EXPECT_EQ(allocationCount(), before + 1);
}

TEST(Allocation, DecodeStepsOfTwoRepliesAllocateNothing) {
    for (const float temperature : {0.0F, 0.8F}) {
        LoopWorld world({.rowsMax = 128, .vocabRows = 260, .pages = 8, .contextTokens = 1024},
                        test::hashedLetter);
        for (const std::uint64_t conversation : {1u, 2u}) {
            world.submit({.prompt = "prompt of some length>",
                          .conversation = conversation,
                          .stop = {"never said", "abcdefgh"},
                          .values = {.temperature = temperature, .repetitionPenalty = 1.1F}});
        }
        for (int step = 0; step < 20; ++step)
            world.turn();  // warm-up: prompt, first tokens
        for (const auto& [id, stream] : world.streams)
            world.read(id);
        EXPECT_EQ(allocationsOfSteps(world, 700), 0u) << "temperature " << temperature;
        EXPECT_EQ(world.loop.counters().running, 2u) << "both still run";
    }
}

}  // namespace
}  // namespace agens::loop
