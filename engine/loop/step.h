// SPDX-License-Identifier: Apache-2.0
// What a step computes (StepPlan) and what came of it (Effects), as plain values. Both are reused
// from step to step, so that a decode step allocates nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/events.h"
#include "engine/loop/reply_text.h"

namespace agens::loop {

// The next `rows` rows of one sequence.
struct StepPart {
    std::uint32_t sequence = 0;  // index in State::running
    std::uint32_t rows = 0;
    bool isPrefill = false;   // more than the row of the newest token
    bool wantLogits = false;  // of the last row: it is the newest token's
};

struct StepPlan {
    std::vector<StepPart> parts;
    std::uint32_t rows = 0;

    bool isIdle() const { return parts.empty(); }
    bool hasPrefill() const {
        for (const StepPart& part : parts) {
            if (part.isPrefill) return true;
        }
        return false;
    }
};

// How a reply ends.
struct Ending {
    engine::FinishReason reason = engine::FinishReason::End;
    std::string stopText;          // for Stop
    std::uint32_t keptTokens = 0;  // reply tokens that count for the cache
};

struct SequenceEffects {
    std::uint32_t sequence = 0;  // index in State::running
    std::uint32_t rows = 0;      // to commit in the cache
    std::vector<TokenId> chosen;
    std::uint32_t notNumbers = 0;  // NaN among the logits: alarm AL6
    ReplyText text;                // after the chosen tokens; valid if there are any
    ReleasedText released;         // by them
    std::optional<Ending> ending;
    std::optional<Error> failure;
};

// The first `count` of `parts`; the rest keeps its memory for later steps.
struct Effects {
    std::vector<SequenceEffects> parts;
    std::uint32_t count = 0;

    std::span<SequenceEffects> used() { return std::span(parts).first(count); }
};

}  // namespace agens::loop
