// SPDX-License-Identifier: Apache-2.0
// When progress is told and what a reply's statistics say. Pure but for the times they update.
//
//   Prefill   not before 300 ms of prefilling, then after every step that is 100 ms or more later
//   Stats     once a second while decoding; speed over the last two seconds
//
// Thread: engine thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/events.h"
#include "engine/loop/state.h"

namespace agens::loop {

constexpr Time kPrefillSilence = std::chrono::milliseconds(300);
constexpr Time kPrefillInterval = std::chrono::milliseconds(100);
constexpr Time kStatsInterval = std::chrono::seconds(1);

// What is the same for every reply of a loaded model.
struct ReplyFacts {
    std::string device;
    std::uint32_t arithmeticVersion = 0;
    std::string modelHash;
    std::string templateHash;
    std::uint32_t servedContext = 0;
};

std::optional<engine::Prefill> duePrefill(Sequence& sequence, Time now);
std::optional<engine::Stats> dueStats(Sequence& sequence, Time now);
engine::ReplyStats statsOf(const Sequence& sequence, const ReplyFacts& facts, Time now);
// Of a request that never left the line.
engine::ReplyStats statsOf(const Arrival& arrival, const ReplyFacts& facts, Time now);

// SHA-256 over the ids as little-endian i32.
std::string hashOf(std::span<const TokenId> ids);

}  // namespace agens::loop
