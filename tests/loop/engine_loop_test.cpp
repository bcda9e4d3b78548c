// SPDX-License-Identifier: Apache-2.0
// The loop over a fake executor: waiting, fairness, cancelling, faults, progress.
#include <gtest/gtest.h>

#include "engine/base/check.h"
#include "tests/loop/loop_world.h"

namespace agens::loop {
namespace {

using namespace std::chrono_literals;
using engine::FinishReason;
using test::Ask;
using test::LoopWorld;
using test::saying;
using test::smallLimits;
using test::Transcript;

const std::string kLongReply(200, 'x');

TEST(EngineLoop, NothingToDoIsIdle) {
    LoopWorld world(smallLimits(), saying("x"));
    EXPECT_FALSE(world.turn());
    EXPECT_EQ(world.executor.steps, 0u);
}

TEST(EngineLoop, ThirdRequestWaitsAndIsToldItsPlace) {
    LoopWorld world(smallLimits(), saying("four"));
    const RequestId first = world.submit({.prompt = "1>"});
    const RequestId second = world.submit({.prompt = "2>", .maxTokens = 2});
    const RequestId third = world.submit({.prompt = "3>"});
    const RequestId fourth = world.submit({.prompt = "4>"});
    world.turnUntilIdle();
    EXPECT_TRUE(world.read(first).places.empty());
    EXPECT_TRUE(world.read(second).places.empty());
    EXPECT_EQ(world.read(third).places, (std::vector<std::uint32_t>{1}));
    EXPECT_EQ(world.read(fourth).places, (std::vector<std::uint32_t>{2, 1}));
    EXPECT_EQ(world.read(fourth).text, "four");
}

TEST(EngineLoop, TwoConversationsDecodeSideBySide) {
    LoopWorld world(smallLimits(), saying("abcdefgh"));
    const RequestId first = world.submit({.prompt = "1>", .conversation = 1});
    const RequestId second = world.submit({.prompt = "2>", .conversation = 2});
    for (int step = 0; step < 5; ++step)
        world.turn();
    EXPECT_EQ(world.read(first).text, "abcde");
    EXPECT_EQ(world.read(second).text, "abcde");
}

TEST(EngineLoop, RunningReplyGetsATokenInEveryStepOfAnothersPrefill) {
    LoopWorld world(smallLimits(), saying(kLongReply));
    const RequestId running = world.submit({.prompt = "1>"});
    world.turn();
    world.submit({.prompt = std::string(400, 'p') + ">"});
    const std::size_t before = world.read(running).text.size();
    for (int step = 0; step < 6; ++step)
        world.turn();
    EXPECT_EQ(world.read(running).text.size(), before + 6);
    EXPECT_EQ(world.executor.rowsOfStep[1], 65u) << "the running one's row and 64 of the prompt";
}

TEST(EngineLoop, TwoPromptsTakeTurns) {
    LoopWorld world({.rowsMax = 100, .vocabRows = 260, .pages = 8, .contextTokens = 1024},
                    saying("x"), 100);
    const RequestId first = world.submit({.prompt = std::string(290, 'p') + ">"});
    const RequestId second = world.submit({.prompt = std::string(290, 'q') + ">"});
    for (int step = 0; step < 4; ++step)
        world.turn();
    EXPECT_FALSE(world.read(first).started) << "it had the first and the third step";
    world.turn();
    EXPECT_TRUE(world.read(first).started);
    EXPECT_FALSE(world.read(second).started) << "it had the second and the fourth step";
    world.turn();
    EXPECT_TRUE(world.read(second).started);
}

TEST(EngineLoop, StatisticsAreFilled) {
    LoopWorld world(smallLimits(), saying("abcd"));
    world.executor.beforeStep = [&](std::stop_token) {
        world.clock.time += 10ms;
        return std::nullopt;
    };
    const RequestId id = world.submit({.prompt = "prompt>", .seed = 77});
    world.clock.time += 5ms;
    world.turnUntilIdle();
    const engine::ReplyStats stats = world.read(id).finished->stats;
    EXPECT_EQ(stats.promptTokens, 7u);
    EXPECT_EQ(stats.cachedTokens, 0u);
    EXPECT_EQ(stats.replyTokens, 5u);
    EXPECT_EQ(stats.queueUs, 5000u);
    EXPECT_EQ(stats.prefillUs, 10000u);
    EXPECT_EQ(stats.firstTokenUs, 15000u);
    EXPECT_EQ(stats.decodeUs, 40000u);
    EXPECT_EQ(stats.tokensPerSecond(), 100.0);
    EXPECT_EQ(stats.seed, 77u);
    EXPECT_EQ(stats.device, "fake");
    EXPECT_EQ(stats.servedContext, 1024u);
    std::vector<TokenId> reply = test::byteIds("abcd");
    reply.push_back(world.vocabulary.end());
    EXPECT_EQ(stats.replyHash, hashOf(reply));
}

TEST(EngineLoop, PrefillIsToldAfter300MsAndThenStepByStep) {
    LoopWorld world(smallLimits(), saying("x"), 10);
    world.executor.beforeStep = [&](std::stop_token) {
        world.clock.time += 100ms;
        return std::nullopt;
    };
    const RequestId slow = world.submit({.prompt = std::string(89, 'p') + ">"});
    world.turnUntilIdle();
    const Transcript& told = world.read(slow);
    ASSERT_EQ(told.prefills.size(), 6u) << "after 300 … 800 ms; the ninth step starts the reply";
    EXPECT_EQ(told.prefills[0].done, 30u);
    EXPECT_EQ(told.prefills[0].total, 90u);
    EXPECT_EQ(told.prefills[0].elapsedUs, 300000u);
    EXPECT_EQ(told.prefills[5].done, 80u);
    EXPECT_TRUE(world.reply({.prompt = std::string(19, 'q') + ">"}).prefills.empty());
}

TEST(EngineLoop, SpeedIsToldOnceASecondOverTwoSeconds) {
    LoopWorld world(smallLimits(), saying(kLongReply));
    auto perToken = 50ms;
    world.executor.beforeStep = [&](std::stop_token) {
        world.clock.time += perToken;
        return std::nullopt;
    };
    const RequestId id = world.submit({.prompt = "p>", .maxTokens = 81});
    for (int step = 0; step < 61; ++step) {
        world.turn();
        world.read(id);
    }
    ASSERT_EQ(world.read(id).stats.size(), 3u);
    EXPECT_DOUBLE_EQ(world.read(id).stats[2].tokensPerSecond, 20.0);
    EXPECT_EQ(world.read(id).stats[2].tokens, 61u);
    perToken = 200ms;
    world.turnUntilIdle();
    EXPECT_NEAR(world.read(id).stats.back().tokensPerSecond, 5.0, 0.01);
}

TEST(Cancelling, WaitingRequestEndsAtOnce) {
    LoopWorld world(smallLimits(), saying(kLongReply));
    world.submit({.prompt = "1>"});
    world.submit({.prompt = "2>"});
    const RequestId waiting = world.submit({.prompt = "3>"});
    world.turn();
    world.inbox.cancel(waiting);
    world.turn();
    EXPECT_EQ(world.read(waiting).finished->reason, FinishReason::Cancelled);
    EXPECT_EQ(world.read(waiting).terminals, 1u);
}

TEST(Cancelling, RunningReplyKeepsWhatItSaid) {
    LoopWorld world(smallLimits(), saying("abcdefghij"));
    const RequestId id = world.submit({.prompt = "p>", .conversation = 1, .stop = {"dz"}});
    for (int step = 0; step < 4; ++step)
        world.turn();
    world.inbox.cancel(id);
    world.inbox.cancel(id);
    world.turnUntilIdle();
    EXPECT_EQ(world.read(id).text, "abcd") << "held-back text comes out";
    EXPECT_EQ(world.read(id).finished->reason, FinishReason::Cancelled);
    EXPECT_EQ(world.read(id).terminals, 1u);
    const Transcript next = world.reply({.prompt = "p>abcd?>", .conversation = 1});
    EXPECT_EQ(next.started->cachedTokens, 5u) << "rows of all kept tokens but the last";
}

TEST(Cancelling, StepInProgressEndsEarlyAndTheOtherReplyLosesNothing) {
    LoopWorld world(smallLimits(), saying("abcdefghij"));
    const RequestId other = world.submit({.prompt = "1>"});
    world.turn();
    const RequestId cancelled = world.submit({.prompt = std::string(300, 'p') + ">"});
    world.executor.beforeStep = [&](std::stop_token stop) -> std::optional<Error> {
        if (world.executor.steps != 3) return std::nullopt;
        world.inbox.cancel(cancelled);  // as another thread does it, in the middle of a step
        EXPECT_TRUE(stop.stop_requested());
        return Error{ErrorKind::Cancelled, "device.cancelled", "", ""};
    };
    world.turnUntilIdle();
    EXPECT_EQ(world.read(cancelled).finished->reason, FinishReason::Cancelled);
    EXPECT_EQ(world.read(other).text, "abcdefghij");
    EXPECT_TRUE(world.executor.faults.empty());
}

TEST(Cancelling, CancelOfOneDoesNotStopStepsOfOthers) {
    LoopWorld world(smallLimits(), saying("abc"));
    const RequestId first = world.submit({.prompt = "1>"});
    world.turnUntilIdle();
    world.submit({.prompt = "2>"});
    world.executor.beforeStep = [&](std::stop_token stop) -> std::optional<Error> {
        world.inbox.cancel(first);  // ended long ago
        EXPECT_FALSE(stop.stop_requested());
        return std::nullopt;
    };
    world.turnUntilIdle();
}

TEST(Cancelling, StoppingTheLoopEndsEverything) {
    LoopWorld world(smallLimits(), saying(kLongReply));
    std::vector<RequestId> ids;
    for (const char* prompt : {"1>", "2>", "3>"})
        ids.push_back(world.submit({.prompt = prompt}));
    std::stop_source stop;
    world.executor.beforeStep = [&](std::stop_token) {
        if (world.executor.steps == 3) stop.request_stop();
        return std::nullopt;
    };
    world.loop.run(stop.get_token());
    for (const RequestId id : ids) {
        EXPECT_EQ(world.read(id).finished->reason, FinishReason::Cancelled);
        EXPECT_EQ(world.read(id).terminals, 1u);
    }
}

// Two replies at once, one of them waiting first; a fault of every kind at every step. However it
// goes, each request ends exactly once.
enum class Fault { DeviceError, Unasked, CheckFails, Throws, NoLogits };

void failAtStep(LoopWorld& world, Fault fault, std::uint64_t at) {
    world.executor.beforeStep = [&world, fault, at](std::stop_token) -> std::optional<Error> {
        world.executor.giveNoLogits = false;
        if (world.executor.steps != at) return std::nullopt;
        switch (fault) {
            case Fault::DeviceError:
                return Error{ErrorKind::Device, "device.lost", "The device stopped answering.", ""};
            case Fault::Unasked:
                return Error{ErrorKind::Cancelled, "device.cancelled", "Nobody asked.", ""};
            case Fault::CheckFails:
                CHECK(false) << "a bug";
                break;
            case Fault::Throws:
                throw std::bad_alloc();
            case Fault::NoLogits:
                world.executor.giveNoLogits = true;
        }
        return std::nullopt;
    };
}

TEST(Faults, EveryFaultAtEveryStepEndsEachRequestOnce) {
    for (const Fault fault :
         {Fault::DeviceError, Fault::Unasked, Fault::CheckFails, Fault::Throws, Fault::NoLogits}) {
        for (std::uint64_t step = 1; step <= 14; ++step) {
            LoopWorld world(smallLimits(), saying("abcd"), 3);
            failAtStep(world, fault, step);
            std::vector<RequestId> ids;
            for (const char* prompt : {"first>", "2>", "third>"}) {
                ids.push_back(world.submit({.prompt = prompt, .conversation = ids.size() + 1}));
            }
            bool isLost = false;
            try {
                world.turnUntilIdle();
            } catch (const std::exception&) {  // as the top of the engine thread
                isLost = true;
                world.ledger.endAll(engine::Failed{Error{}, {}});
            }
            const bool reached = world.executor.steps >= step;
            EXPECT_EQ(isLost, reached && (fault == Fault::CheckFails || fault == Fault::Throws));
            std::uint32_t failures = 0;
            for (const RequestId id : ids) {
                EXPECT_EQ(world.read(id).terminals, 1u) << "step " << step;
                failures += world.read(id).failed ? 1U : 0U;
            }
            // A step of prompt rows only has no logits that could be missing.
            const bool mustFail = reached && (fault != Fault::NoLogits || step > 3);
            EXPECT_TRUE(failures > 0 || !mustFail) << "step " << step;
            EXPECT_EQ(world.ledger.openRequests(), 0u);
        }
    }
}

TEST(Faults, EngineGoesOnAfterADeviceError) {
    LoopWorld world(smallLimits(), saying("abcd"));
    failAtStep(world, Fault::DeviceError, 2);
    EXPECT_TRUE(world.reply({.prompt = "p>", .conversation = 1}).failed);
    EXPECT_EQ(world.reply({.prompt = "p>", .conversation = 1}).text, "abcd");
    EXPECT_EQ(world.loop.counters().pagesFree, 7u) << "the failed reply's pages are free again";
}

}  // namespace
}  // namespace agens::loop
