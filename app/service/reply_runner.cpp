// SPDX-License-Identifier: Apache-2.0
// Collects, and lets go when it is time.
#include "app/service/reply_runner.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/log.h"

namespace agens::service {
namespace {

using std::chrono::milliseconds;

// With nothing to do the reply's thread sleeps until its next event.
constexpr milliseconds kIdle{10'000};

}  // namespace

ReplyRunner::ReplyRunner(chat::MessageId reply, std::shared_ptr<ReplySink> sink, chat::Store& store,
                         const Clock& clock)
    : m_reply(reply),
      m_sink(std::move(sink)),
      m_store(store),
      m_clock(clock),
      m_lastCheckpoint(clock.now()) {}

void ReplyRunner::add(const engine::Event& event) {
    m_assembler.add(event, m_clock.now());
    m_hasNews = true;
    if (const auto* prefill = std::get_if<engine::Prefill>(&event)) {
        m_next.phase = ReplyPhase::Prefill;
        m_next.prefill = *prefill;
    } else if (const auto* started = std::get_if<engine::Started>(&event)) {
        m_next.promptTokens = started->promptTokens;
    } else if (const auto* piece = std::get_if<engine::Piece>(&event)) {
        note(*piece);
    } else if (const auto* stats = std::get_if<engine::Stats>(&event)) {
        m_next.tokensPerSecond = stats->tokensPerSecond;
    }
}

void ReplyRunner::note(const engine::Piece& piece) {
    m_next.tokens += static_cast<std::uint32_t>(piece.tokens.size());
    if (piece.channel == engine::Channel::Reasoning) {
        m_next.phase = ReplyPhase::Thinking;
        return;
    }
    m_next.phase = ReplyPhase::Text;
    m_next.text += piece.text;
}

void ReplyRunner::act() {
    const Time now = m_clock.now();
    hearShown();
    if (m_hasNews && !m_assembler.isFinished() && m_pacer.isDue(now)) sendBatch(now);
    settleCheckpoint(false);
    if (!m_checkpoint && m_assembler.hasUnsaved() && !m_assembler.isFinished() &&
        now - m_lastCheckpoint >= kCheckpointEvery) {
        checkpoint(now);
    }
}

milliseconds ReplyRunner::untilDue() const {
    const Time now = m_clock.now();
    Time wait = kIdle;
    // A batch on its way is looked after once a frame: its receipt wakes nobody.
    if (m_hasNews) wait = std::min(wait, std::max<Time>(m_pacer.wait(now), milliseconds(1)));
    if (m_assembler.hasUnsaved() || m_checkpoint) {
        const Time due = std::max(Time::zero(), m_lastCheckpoint + kCheckpointEvery - now);
        wait = std::min(wait, std::max<Time>(due, milliseconds(10)));
    }
    return std::chrono::ceil<milliseconds>(wait);
}

void ReplyRunner::hearShown() {
    const std::int64_t took = m_shown.exchange(kNotShown, std::memory_order_relaxed);
    if (took != kNotShown) m_pacer.shown(Time(took));
}

void ReplyRunner::sendBatch(Time now) {
    ReplyBatch batch = m_next;
    m_next.text.clear();
    m_bytesSent += batch.text.size();
    log::debug("service", "reply " + std::to_string(m_reply.value) + " shown " +
                              std::to_string(m_bytesSent) + " bytes");
    m_hasNews = false;
    m_pacer.sent(now);
    m_sink->show(std::move(batch));
}

void ReplyRunner::checkpoint(Time now) {
    std::vector<chat::TailPiece> pieces = m_assembler.takeUnsaved();
    m_lastCheckpoint = now;
    m_checkpoint.emplace(m_store.checkpoint(m_reply, pieces), pieces);
}

void ReplyRunner::settleCheckpoint(bool wait) {
    if (!m_checkpoint || (!wait && !m_checkpoint->done.isReady())) return;
    // A failed checkpoint is due again with the next; the end writes the whole text anyway.
    if (!m_checkpoint->done.get()) m_assembler.putBack(std::move(m_checkpoint->pieces));
    m_checkpoint.reset();
}

void ReplyRunner::finish() {
    settleCheckpoint(true);
    chat::FinishedReply finished = m_assembler.finish();
    const Result<void> stored = m_store.finish(m_reply, finished).get();
    m_next.phase = ReplyPhase::Ended;
    if (!stored) m_next.storeError = stored.error();
    m_next.finished = std::move(finished);
    m_sink->show(std::move(m_next));
}

}  // namespace agens::service
