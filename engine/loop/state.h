// SPDX-License-Identifier: Apache-2.0
// State: what the engine thread knows between two steps. Plain values; planStep() and resolve()
// read it, EngineLoop::commit() and its helpers are the only ones that change it.
//
// A sequence's tokens are its prompt and then its reply. Rows of all but the newest token are
// either in its cache or still to be computed; when only the newest is left, the sequence
// decodes.
// Thread: engine thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine/base/units.h"
#include "engine/cache/sequence_cache.h"
#include "engine/events.h"
#include "engine/loop/executor.h"
#include "engine/loop/ledger.h"
#include "engine/loop/reply_text.h"

namespace agens::loop {

using Time = std::chrono::nanoseconds;  // of the injected clock

// What a request fixes for its reply; every value decided and checked.
struct ReplyRules {
    engine::SamplingValues values;
    std::uint64_t seed = 0;
    std::uint32_t maxTokens = 0;  // 0 = until the context is full
    std::vector<std::string> stop;
    bool startsInReasoning = false;
};

// A request as it reaches the engine thread.
struct Arrival {
    RequestId id;
    std::uint64_t conversation = 0;
    std::vector<TokenId> prompt;  // 1 … served context - 1 tokens; capacity for the whole context
    std::string promptHash;
    ReplyRules rules;
    Time submitted{};
};

// When things happened to one reply, and what was reported of it.
struct ReplyTimes {
    Time submitted{};
    Time started{};     // left the line
    Time firstToken{};  // chosen
    Time lastPrefillEvent{};
    Time lastStats{};
    // Reply tokens and time at the last Stats and at the one before: speed over about two seconds.
    std::uint32_t tokensAtLast = 0;
    std::uint32_t tokensBeforeLast = 0;
    Time beforeLast{};
};

struct Sequence {
    RequestId id;
    std::uint64_t conversation = 0;
    std::vector<TokenId> tokens;
    std::uint32_t promptTokens = 0;
    std::uint32_t cachedTokens = 0;
    std::uint32_t decodeSteps = 0;
    std::uint32_t reportedTokens = 0;  // of the reply: already in a Piece
    bool hasAlarmed = false;           // AL6 was raised
    std::string promptHash;
    ReplyRules rules;
    cache::SequenceCache cache;
    ReplyText text;
    ReplyTimes times;

    std::uint32_t rowsLeft() const {
        return static_cast<std::uint32_t>(tokens.size()) - cache.length();
    }
    std::uint32_t replyTokens() const {
        return static_cast<std::uint32_t>(tokens.size()) - promptTokens;
    }
};

struct Waiting {
    Arrival arrival;
    std::uint32_t reportedPlace = 0;  // 0 = not yet
};

struct State {
    ExecutorLimits limits;
    std::uint32_t prefillChunk = 0;     // rows of a prefill step; 0 = the scheduler's choice
    double prefillRowsPerSecond = 0.0;  // measured; 0 = not yet
    std::uint32_t turn = 0;             // which running sequence prefills first
    std::vector<Sequence> running;      // at most limits.runningSequences
    std::deque<Waiting> waiting;        // in order of arrival
};

}  // namespace agens::loop
