// SPDX-License-Identifier: Apache-2.0
// Decode rows first, prompts with what is left.
#include "engine/loop/plan_step.h"

#include <algorithm>

namespace agens::loop {
namespace {

std::uint32_t prefillBudget(const State& state, std::uint32_t decodeRows) {
    const std::uint32_t left = state.limits.rowsMax - std::min(state.limits.rowsMax, decodeRows);
    if (state.prefillChunk > 0) return std::min(left, state.prefillChunk);
    if (decodeRows > 0) return std::min(left, kPrefillRowsWhileDecoding);
    const double rowsInTime = state.prefillRowsPerSecond * kPrefillStepSeconds;
    if (rowsInTime >= left) return left;
    return std::min(left, std::max(kPrefillRowsLeast, static_cast<std::uint32_t>(rowsInTime)));
}

void addPart(StepPlan& plan, const StepPart& part) {
    plan.parts.push_back(part);
    plan.rows += part.rows;
}

}  // namespace

void planStep(const State& state, StepPlan& plan) {
    plan.parts.clear();
    plan.rows = 0;
    const auto count = static_cast<std::uint32_t>(state.running.size());
    for (std::uint32_t index = 0; index < count; ++index) {
        if (state.running[index].rowsLeft() == 1) {
            addPart(plan, {.sequence = index, .rows = 1, .wantLogits = true});
        }
    }
    std::uint32_t budget = prefillBudget(state, plan.rows);
    for (std::uint32_t i = 0; i < count && budget > 0; ++i) {
        const std::uint32_t index = (state.turn + i) % count;
        const std::uint32_t left = state.running[index].rowsLeft();
        if (left <= 1) continue;
        const std::uint32_t rows = std::min(left, budget);
        addPart(plan,
                {.sequence = index, .rows = rows, .isPrefill = true, .wantLogits = rows == left});
        budget -= rows;
    }
}

}  // namespace agens::loop
