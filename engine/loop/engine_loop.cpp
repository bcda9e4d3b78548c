// SPDX-License-Identifier: Apache-2.0
// The loop: plan, run, resolve, commit; then how requests start and end.
#include "engine/loop/engine_loop.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/log.h"
#include "engine/loop/evaluate.h"
#include "engine/loop/plan_step.h"

namespace agens::loop {

void EngineLoop::run(std::stop_token stop) {
    while (!stop.stop_requested()) {
        if (!runOnce(stop)) m_parts.inbox.waitFor(stop);
    }
    cancelAll();
}

bool EngineLoop::runOnce(std::stop_token stop) {
    readMail();
    runEvaluations();
    startWaiting();
    publish();
    planStep(m_state, m_plan);
    if (m_plan.isIdle()) return false;

    const Time begin = m_parts.clock.now();
    const Result<device::StepOutputs> outputs = runStep();
    const bool wasInterrupted = m_parts.inbox.endStep() || stop.stop_requested();
    if (!outputs && outputs.error().kind == ErrorKind::Cancelled && wasInterrupted) {
        rollBack();
        return true;
    }
    const ResolveTools tools{m_sampler, m_parts.tokenizer, m_parts.marks};
    if (outputs) {
        resolve(m_state, m_plan, *outputs, tools, m_effects);
        measurePrefill(m_parts.clock.now() - begin);
    } else {
        failAll(m_plan, outputs.error(), m_effects);
    }
    commit();
    return true;
}

// ---- one step ----

Result<device::StepOutputs> EngineLoop::runStep() {
    m_rows.clear();
    m_pageTables.clear();
    m_inStep.clear();
    for (const StepPart& part : m_plan.parts)
        addRows(part);
    const std::stop_token stop = m_parts.inbox.beginStep(m_inStep);
    return m_parts.executor.run({.rows = m_rows, .pageTables = m_pageTables}, stop);
}

void EngineLoop::addRows(const StepPart& part) {
    Sequence& sequence = m_state.running[part.sequence];
    const std::uint32_t begin = sequence.cache.length();
    const auto tokens = std::span<const TokenId>(sequence.tokens).subspan(begin, part.rows);
    CHECK(m_store.extend(sequence.cache, tokens))
        << "no KV page for " << part.rows << " rows; the pool holds " << m_pages.total();
    const auto table = static_cast<std::uint32_t>(m_pageTables.size());
    m_pageTables.push_back(sequence.cache.pageTable());
    for (std::uint32_t row = 0; row < part.rows; ++row) {
        m_rows.push_back({.token = tokens[row],
                          .position = Position(begin + row),
                          .sequence = table,
                          .wantLogits = part.wantLogits && row + 1 == part.rows});
    }
    m_inStep.push_back(sequence.id);
}

void EngineLoop::rollBack() {
    for (const StepPart& part : m_plan.parts)
        m_state.running[part.sequence].cache.rollback();
}

void EngineLoop::commit() {
    const Time now = m_parts.clock.now();
    for (SequenceEffects& effects : m_effects.used()) {
        Sequence& sequence = m_state.running[effects.sequence];
        alarm(sequence, effects);
        if (effects.failure) {
            sequence.cache.rollback();
            m_parts.ledger.fail(sequence.id, *effects.failure,
                                statsOf(sequence, m_parts.facts, now));
            m_ended.push_back(sequence.id);
            continue;
        }
        sequence.cache.commit(effects.rows);
        if (!effects.chosen.empty()) {
            commitChosen(sequence, effects, now);
        } else if (const auto prefill = duePrefill(sequence, now)) {
            m_parts.ledger.stream(sequence.id).add(*prefill);
        }
    }
    for (const StepPart& part : m_plan.parts) {
        if (part.isPrefill) m_state.turn = part.sequence + 1;
    }
    m_counters.steps.fetch_add(1, std::memory_order_relaxed);
    m_counters.rows.fetch_add(m_plan.rows, std::memory_order_relaxed);
    removeEnded();
}

// The text is not affected: such logits are never chosen. Once a reply is enough.
void EngineLoop::alarm(Sequence& sequence, const SequenceEffects& effects) {
    if (effects.notNumbers == 0 || std::exchange(sequence.hasAlarmed, true)) return;
    log::warning("engine", "AL6: " + std::to_string(effects.notNumbers) +
                               " logits are not numbers, first at position " +
                               std::to_string(sequence.tokens.size()));
}

void EngineLoop::commitChosen(Sequence& sequence, SequenceEffects& effects, Time now) {
    ReplyTimes& times = sequence.times;
    if (sequence.replyTokens() == 0) {
        times.firstToken = times.lastStats = times.beforeLast = now;
        times.tokensAtLast = times.tokensBeforeLast = 1;
        const ReplyTimes& t = times;
        const auto us = std::chrono::duration_cast<std::chrono::microseconds>(now - t.submitted);
        m_parts.ledger.stream(sequence.id)
            .add(engine::Started{.promptTokens = sequence.promptTokens,
                                 .cachedTokens = sequence.cachedTokens,
                                 .firstTokenUs = static_cast<std::uint64_t>(us.count())});
    } else {
        ++sequence.decodeSteps;
    }
    sequence.tokens.insert(sequence.tokens.end(), effects.chosen.begin(), effects.chosen.end());
    sequence.text = effects.text;
    addPiece(sequence, effects.released);
    if (effects.ending) return end(sequence, *effects.ending);
    if (const auto stats = dueStats(sequence, now)) m_parts.ledger.stream(sequence.id).add(*stats);
}

void EngineLoop::addPiece(Sequence& sequence, const ReleasedText& released) {
    if (released.text.empty()) return;
    const auto tokens = std::span<const TokenId>(sequence.tokens)
                            .subspan(sequence.promptTokens + sequence.reportedTokens);
    sequence.reportedTokens = sequence.replyTokens();
    m_parts.ledger.stream(sequence.id).addPiece(released.channel, released.text, tokens);
}

// How fast prompts go, for planStep(). Steps of few rows say nothing about it.
void EngineLoop::measurePrefill(Time duration) {
    if (m_plan.rows < kPrefillRowsLeast || duration <= Time::zero()) return;
    m_state.prefillRowsPerSecond = m_plan.rows / std::chrono::duration<double>(duration).count();
}

// ---- requests: how they come, start and end ----

EngineLoop::EngineLoop(LoopParts parts)
    : m_parts(std::move(parts)),
      m_pages(m_parts.executor.limits().pages),
      m_store(m_pages, m_parts.executor.limits().contextTokens),
      m_sampler(m_parts.executor.limits().vocabRows, m_parts.tokenizer.vocabReal(),
                m_parts.bannedIds) {
    m_state.limits = m_parts.executor.limits();
    m_state.prefillChunk = m_parts.prefillChunk;
    const std::uint32_t sequences = m_state.limits.runningSequences;
    m_state.running.reserve(sequences);
    m_plan.parts.reserve(sequences);
    m_effects.parts.resize(sequences);
    for (SequenceEffects& effects : m_effects.parts)
        effects.chosen.reserve(8);
    m_rows.reserve(m_state.limits.rowsMax);
    m_pageTables.reserve(sequences);
    m_inStep.reserve(sequences);
    m_ended.reserve(sequences);
    publish();
}

void EngineLoop::readMail() {
    m_mail.clear();
    m_parts.inbox.take(m_mail);
    for (Arrival& arrival : m_mail.arrivals)
        m_state.waiting.push_back({std::move(arrival)});
    for (const RequestId id : m_mail.cancels)
        cancel(id);
    for (auto& ticket : m_mail.evaluations)
        m_evaluations.push_back(std::move(ticket));
    removeEnded();
}

// Evaluations have the engine for themselves: they wait until no reply runs, and none starts
// before.
void EngineLoop::runEvaluations() {
    if (!m_state.running.empty()) return;
    for (const auto& ticket : m_evaluations) {
        ticket->answer(
            evaluate(m_parts.executor, m_pages, m_store, ticket->request(), ticket->stop()));
    }
    m_evaluations.clear();
}

void EngineLoop::startWaiting() {
    while (m_evaluations.empty() && !m_state.waiting.empty() &&
           m_state.running.size() < m_state.limits.runningSequences) {
        Arrival arrival = std::move(m_state.waiting.front().arrival);
        m_state.waiting.pop_front();
        m_state.running.push_back(makeSequence(std::move(arrival)));
        // Stop strings lie in the sequence, so the text is made where the sequence stays.
        Sequence& sequence = m_state.running.back();
        sequence.text = ReplyText(m_parts.tokenizer, sequence.rules.stop, m_parts.marks,
                                  sequence.rules.startsInReasoning);
    }
    m_parts.inbox.setWaiting(static_cast<std::uint32_t>(m_state.waiting.size()));
    reportPlaces();
}

Sequence EngineLoop::makeSequence(Arrival arrival) {
    const auto copyPage = [&](device::PageId from, device::PageId to) {
        m_parts.executor.copyPage(from, to);
    };
    cache::SequenceCache cache = m_store.take(arrival.conversation, arrival.prompt, copyPage);
    const std::uint32_t cached = cache.length();
    Sequence sequence{.id = arrival.id,
                      .conversation = arrival.conversation,
                      .tokens = std::move(arrival.prompt),
                      .cachedTokens = cached,
                      .promptHash = std::move(arrival.promptHash),
                      .rules = std::move(arrival.rules),
                      .cache = std::move(cache)};
    sequence.promptTokens = static_cast<std::uint32_t>(sequence.tokens.size());
    sequence.tokens.reserve(m_state.limits.contextTokens);
    sequence.times.submitted = arrival.submitted;
    sequence.times.started = m_parts.clock.now();
    return sequence;
}

void EngineLoop::reportPlaces() {
    std::uint32_t place = 0;
    for (Waiting& waiting : m_state.waiting) {
        if (waiting.reportedPlace == ++place) continue;
        waiting.reportedPlace = place;
        m_parts.ledger.stream(waiting.arrival.id).add(engine::Queued{place});
    }
}

// A finished conversation's cache rests until its next turn. It holds the rows of all tokens that
// count but the last.
void EngineLoop::end(Sequence& sequence, const Ending& ending) {
    const std::uint32_t kept = sequence.promptTokens + ending.keptTokens;
    sequence.cache.truncate(kept - 1);
    m_store.keep(sequence.conversation, std::move(sequence.cache));
    m_parts.ledger.finish(sequence.id, {ending.reason, ending.stopText,
                                        statsOf(sequence, m_parts.facts, m_parts.clock.now())});
    m_ended.push_back(sequence.id);
}

void EngineLoop::cancel(RequestId id) {
    const auto running = std::ranges::find(m_state.running, id, &Sequence::id);
    if (running != m_state.running.end()) {
        if (std::ranges::find(m_ended, id) != m_ended.end()) return;  // asked twice
        ReleasedText rest;
        running->text.finish(rest);
        addPiece(*running, rest);
        end(*running, {engine::FinishReason::Cancelled, "", running->replyTokens()});
        return;
    }
    const auto isIt = [&](const Waiting& waiting) { return waiting.arrival.id == id; };
    const auto waiting = std::ranges::find_if(m_state.waiting, isIt);
    if (waiting == m_state.waiting.end()) return;  // ended meanwhile
    m_parts.ledger.finish(id, {engine::FinishReason::Cancelled, "",
                               statsOf(waiting->arrival, m_parts.facts, m_parts.clock.now())});
    m_state.waiting.erase(waiting);
}

void EngineLoop::cancelAll() {
    for (const Sequence& sequence : m_state.running)
        cancel(sequence.id);
    removeEnded();
    while (!m_state.waiting.empty())
        cancel(m_state.waiting.front().arrival.id);
}

void EngineLoop::removeEnded() {
    if (m_ended.empty()) return;
    std::erase_if(m_state.running, [&](const Sequence& sequence) {
        return std::ranges::find(m_ended, sequence.id) != m_ended.end();
    });
    m_ended.clear();
}

void EngineLoop::publish() {
    m_counters.running = static_cast<std::uint32_t>(m_state.running.size());
    m_counters.waiting = static_cast<std::uint32_t>(m_state.waiting.size());
    m_counters.pagesTotal = m_pages.total();
    m_counters.pagesFree = m_pages.freeCount();
}

}  // namespace agens::loop
