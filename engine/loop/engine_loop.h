// SPDX-License-Identifier: Apache-2.0
// EngineLoop: the engine thread's work, step after step.
//
//   planStep(state) → executor.run(rows) → resolve(state, outputs) → commit(effects)
//
// Planning and resolving are pure; commit() and the helpers that start and end sequences are the
// only mutation. Requests come in through the Inbox, events leave through the RequestLedger. A
// step that was told to end early commits nothing and is planned again.
// Errors: an executor's Error fails the sequences of that step (Failed). A CheckFailure leaves
// run(); whoever owns the thread then ends every request.
// Thread: engine thread only, but for counters().
// A decode step allocates nothing on the heap.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/result.h"
#include "engine/cache/kv_pages.h"
#include "engine/cache/prefix_store.h"
#include "engine/loop/executor.h"
#include "engine/loop/inbox.h"
#include "engine/loop/ledger.h"
#include "engine/loop/progress.h"
#include "engine/loop/resolve.h"
#include "engine/loop/state.h"
#include "engine/loop/step.h"
#include "engine/sampling/sampler.h"
#include "engine/text/tokenizer.h"

namespace agens::loop {

// Read by other threads.
struct LoopCounters {
    std::atomic<std::uint32_t> running = 0;
    std::atomic<std::uint32_t> waiting = 0;
    std::atomic<std::uint32_t> pagesTotal = 0;
    std::atomic<std::uint32_t> pagesFree = 0;
    std::atomic<std::uint64_t> steps = 0;
    std::atomic<std::uint64_t> rows = 0;
};

// Everything outlives the loop.
struct LoopParts {
    Executor& executor;
    const text::Tokenizer& tokenizer;
    Inbox& inbox;
    RequestLedger& ledger;
    const Clock& clock;
    ReplyFacts facts;
    ReasoningMarks marks;
    std::vector<TokenId> bannedIds;
    std::uint32_t prefillChunk = 0;
};

class EngineLoop {
 public:
    explicit EngineLoop(LoopParts parts);
    EngineLoop(const EngineLoop&) = delete;
    EngineLoop& operator=(const EngineLoop&) = delete;

    // Until `stop`; then every request that came this far ends with Finished{Cancelled}.
    void run(std::stop_token stop);
    // One turn of run(); false when there was nothing to do. For tests.
    bool runOnce(std::stop_token stop);
    const LoopCounters& counters() const { return m_counters; }

 private:
    void readMail();
    void runEvaluations();
    void startWaiting();
    Sequence makeSequence(Arrival arrival);
    void reportPlaces();
    Result<device::StepOutputs> runStep();
    void addRows(const StepPart& part);
    void rollBack();
    void commit();
    static void alarm(Sequence& sequence, const SequenceEffects& effects);
    void commitChosen(Sequence& sequence, SequenceEffects& effects, Time now);
    void addPiece(Sequence& sequence, const ReleasedText& released);
    void end(Sequence& sequence, const Ending& ending);
    void cancel(RequestId id);
    void cancelAll();
    void removeEnded();
    void measurePrefill(Time duration);
    void publish();

    LoopParts m_parts;
    cache::KvPages m_pages;
    cache::PrefixStore m_store;
    sampling::Sampler m_sampler;
    State m_state;
    StepPlan m_plan;
    Effects m_effects;
    Mail m_mail;
    std::vector<std::shared_ptr<EvaluationTicket>> m_evaluations;  // waiting for a free engine
    std::vector<device::StepRow> m_rows;
    std::vector<std::span<const device::PageId>> m_pageTables;
    std::vector<RequestId> m_inStep;
    std::vector<RequestId> m_ended;  // this step
    LoopCounters m_counters;
};

}  // namespace agens::loop
