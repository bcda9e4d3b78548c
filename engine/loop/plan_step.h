// SPDX-License-Identifier: Apache-2.0
// planStep: which rows the next step computes. Pure: the same State gives the same plan.
//
// Every running sequence that decodes gets its row. What is left of the step budget goes to
// prompts, in turn: at most 64 rows while others decode, so that their token gap stays small;
// otherwise as many as take about 200 ms at the speed measured (64 until it is), so that progress
// is told four times a second and a cancel is met. Only the last row of a sequence wants logits.
// A row's bits do not depend on these choices.
// Thread: engine thread.
#pragma once

#include "engine/loop/state.h"
#include "engine/loop/step.h"

namespace agens::loop {

constexpr std::uint32_t kPrefillRowsWhileDecoding = 64;
constexpr std::uint32_t kPrefillRowsLeast = 64;
constexpr double kPrefillStepSeconds = 0.2;

void planStep(const State& state, StepPlan& plan);

}  // namespace agens::loop
