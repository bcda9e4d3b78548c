// SPDX-License-Identifier: Apache-2.0
// Intervals and figures.
#include "engine/loop/progress.h"

#include <algorithm>

#include "engine/base/sha256.h"

namespace agens::loop {
namespace {

std::uint64_t microseconds(Time duration) {
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
    return static_cast<std::uint64_t>(std::max<std::int64_t>(us, 0));
}

double seconds(Time duration) {
    return std::chrono::duration<double>(duration).count();
}

engine::ReplyStats commonStats(const ReplyRules& rules, const ReplyFacts& facts) {
    engine::ReplyStats stats;
    stats.seed = rules.seed;
    stats.sampler = rules.values;
    stats.device = facts.device;
    stats.arithmeticVersion = facts.arithmeticVersion;
    stats.modelHash = facts.modelHash;
    stats.templateHash = facts.templateHash;
    stats.servedContext = facts.servedContext;
    return stats;
}

}  // namespace

std::optional<engine::Prefill> duePrefill(Sequence& sequence, Time now) {
    ReplyTimes& times = sequence.times;
    if (now - times.started < kPrefillSilence) return std::nullopt;
    if (now - times.lastPrefillEvent < kPrefillInterval) return std::nullopt;
    times.lastPrefillEvent = now;
    return engine::Prefill{.done = sequence.cache.length(),
                           .total = sequence.promptTokens,
                           .cached = sequence.cachedTokens,
                           .elapsedUs = microseconds(now - times.started)};
}

std::optional<engine::Stats> dueStats(Sequence& sequence, Time now) {
    ReplyTimes& times = sequence.times;
    if (now - times.lastStats < kStatsInterval) return std::nullopt;
    const std::uint32_t tokens = sequence.replyTokens();
    const double elapsed = seconds(now - times.beforeLast);
    engine::Stats stats{.tokens = tokens};
    if (elapsed > 0) stats.tokensPerSecond = (tokens - times.tokensBeforeLast) / elapsed;
    times.beforeLast = times.lastStats;
    times.tokensBeforeLast = times.tokensAtLast;
    times.lastStats = now;
    times.tokensAtLast = tokens;
    return stats;
}

engine::ReplyStats statsOf(const Sequence& sequence, const ReplyFacts& facts, Time now) {
    const ReplyTimes& times = sequence.times;
    engine::ReplyStats stats = commonStats(sequence.rules, facts);
    stats.promptTokens = sequence.promptTokens;
    stats.cachedTokens = sequence.cachedTokens;
    stats.replyTokens = sequence.replyTokens();
    stats.plainSteps = sequence.decodeSteps;
    stats.promptHash = sequence.promptHash;
    stats.replyHash = hashOf(std::span(sequence.tokens).subspan(sequence.promptTokens));
    stats.queueUs = microseconds(times.started - times.submitted);
    const bool hasStarted = sequence.replyTokens() > 0;
    stats.prefillUs = microseconds((hasStarted ? times.firstToken : now) - times.started);
    if (hasStarted) {
        stats.firstTokenUs = microseconds(times.firstToken - times.submitted);
        stats.decodeUs = microseconds(now - times.firstToken);
    }
    return stats;
}

engine::ReplyStats statsOf(const Arrival& arrival, const ReplyFacts& facts, Time now) {
    engine::ReplyStats stats = commonStats(arrival.rules, facts);
    stats.promptTokens = static_cast<std::uint32_t>(arrival.prompt.size());
    stats.promptHash = arrival.promptHash;
    stats.queueUs = microseconds(now - arrival.submitted);
    return stats;
}

std::string hashOf(std::span<const TokenId> ids) {
    static_assert(sizeof(TokenId) == 4);
    return sha256Hex(std::as_bytes(ids));
}

}  // namespace agens::loop
