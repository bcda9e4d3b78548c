// SPDX-License-Identifier: Apache-2.0
// ThreadTeam: every member runs, meetings hold everybody, writes before a meeting are seen after
// it.
#include "engine/base/thread_team.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

namespace agens {
namespace {

TEST(ThreadTeam, EveryMemberRunsOncePerRun) {
    for (const std::uint32_t members : {1u, 2u, 3u, 8u}) {
        ThreadTeam team(members);
        std::vector<int> runs(members, 0);
        auto task = [&](std::uint32_t member) { ++runs[member]; };
        for (int i = 0; i < 50; ++i)
            team.run(task);
        EXPECT_EQ(runs, std::vector<int>(members, 50));
    }
}

// Each member adds up what all members wrote in the phase before; one lost or early write shows.
TEST(ThreadTeam, WritesBeforeAMeetingAreSeenAfterIt) {
    constexpr std::uint32_t kMembers = 3;
    ThreadTeam team(kMembers);
    std::vector<long> values(kMembers, 1);
    bool isRight = true;
    auto task = [&](std::uint32_t member) {
        long expected = kMembers;
        for (int phase = 0; phase < 300; ++phase) {
            const long sum = std::accumulate(values.begin(), values.end(), 0L);
            if (sum != expected) isRight = false;
            team.barrier();
            values[member] += 1;
            team.barrier();
            expected += kMembers;
        }
    };
    team.run(task);
    EXPECT_TRUE(isRight);
}

TEST(ThreadTeam, AParkedTeamWakesUp) {
    ThreadTeam team(2);
    int runs = 0;
    auto task = [&](std::uint32_t member) {
        if (member == 0) ++runs;
    };
    team.run(task);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // long enough to park
    team.run(task);
    EXPECT_EQ(runs, 2);
}

TEST(ThreadTeam, DestroyingAnIdleTeamReturns) {
    for (int i = 0; i < 20; ++i)
        ThreadTeam team(4);
}

}  // namespace
}  // namespace agens
