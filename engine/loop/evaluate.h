// SPDX-License-Identifier: Apache-2.0
// evaluate: teacher-forced rows of given ids, through the same executor and caches as replies.
//
// A temporary sequence is computed in groups of rowsPerStep rows; the asked positions keep their
// logits (and hidden rows). Its pages come from free or idle caches and go back afterwards.
// Errors: InvalidRequest (ids, positions, length), NoMemory (no page), Cancelled, Device.
// Thread: engine thread, between requests.
#pragma once

#include <cstdint>
#include <stop_token>

#include "engine/base/result.h"
#include "engine/cache/kv_pages.h"
#include "engine/cache/prefix_store.h"
#include "engine/engine.h"
#include "engine/loop/executor.h"

namespace agens::loop {

// Checks what can be checked before the engine thread is asked.
Result<void> validateEvaluation(const engine::EvaluateRequest& request,
                                const ExecutorLimits& limits, std::uint32_t vocabulary);

Result<engine::Evaluation> evaluate(Executor& executor, cache::KvPages& pages,
                                    cache::PrefixStore& store,
                                    const engine::EvaluateRequest& request, std::stop_token stop);

}  // namespace agens::loop
