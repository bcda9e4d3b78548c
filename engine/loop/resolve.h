// SPDX-License-Identifier: Apache-2.0
// resolve: from a step's logits to its Effects. Pure: reads State, plan and outputs, writes
// Effects.
//
// Sequence by sequence in row order; for each chosen token the stop rules in their fixed order:
// (1) it belongs to the reply, (2) end token → End, (3) stop string → Stop, (4) maxTokens →
// Length, (5) context full → Length. Cancelling is looked at between steps. A row without a
// usable logit fails its sequence alone (Device).
// Thread: engine thread. Allocates nothing while nothing ends.
#pragma once

#include "engine/device/step_io.h"
#include "engine/loop/state.h"
#include "engine/loop/step.h"
#include "engine/sampling/sampler.h"
#include "engine/text/tokenizer.h"

namespace agens::loop {

struct ResolveTools {
    sampling::Sampler& sampler;  // scratch only; carries nothing from row to row
    const text::Tokenizer& tokenizer;
    const ReasoningMarks& marks;
};

void resolve(const State& state, const StepPlan& plan, const device::StepOutputs& outputs,
             const ResolveTools& tools, Effects& effects);
// A step that failed: every sequence in it fails with this error.
void failAll(const StepPlan& plan, const Error& error, Effects& effects);

}  // namespace agens::loop
