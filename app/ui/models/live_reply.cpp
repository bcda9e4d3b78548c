// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/ui/models/live_reply.h"

#include <iterator>
#include <utility>

namespace agens::ui {

void LiveReplySink::show(service::ReplyBatch batch) {
    auto live = std::make_shared<LiveBatch>();  // shared: it crosses threads inside a function
    live->reply = m_reply;
    markdown::BlockDiff diff = m_blocks.append(batch.text);
    live->changes = std::move(diff.changes);
    live->bytesParsed = diff.cost.bytesParsed;
    if (batch.finished) {
        markdown::BlockDiff last = m_blocks.finish();
        live->changes.insert(live->changes.end(), std::make_move_iterator(last.changes.begin()),
                             std::make_move_iterator(last.changes.end()));
        live->bytesParsed += last.cost.bytesParsed;
    }
    live->batch = std::move(batch);
    m_post(std::move(live));
}

void LiveReply::apply(const LiveBatch& live) {
    const service::ReplyBatch& batch = live.batch;
    m_text += batch.text;
    m_facts.hasText = !m_text.empty();
    for (const markdown::BlockChange& change : live.changes) {
        const auto at = m_blocks.begin() + static_cast<std::ptrdiff_t>(change.index);
        if (change.kind == markdown::ChangeKind::Insert) {
            m_blocks.insert(at, {change.id, change.block});
        } else if (change.kind == markdown::ChangeKind::Replace) {
            at->block = change.block;
        } else {
            m_blocks.erase(at);
        }
    }
    m_facts.phase = batch.phase;
    m_facts.prefill = batch.prefill;
    m_facts.tokens = batch.tokens;
    m_facts.tokensPerSecond = batch.tokensPerSecond;
    if (batch.finished) end(*batch.finished);
}

void LiveReply::end(const chat::FinishedReply& finished) {
    m_facts.isLive = false;
    m_facts.state = finished.state;
    m_facts.stats = finished.stats;
    m_facts.error = finished.error;
    m_facts.reasoningTokens = finished.reasoningTokens;
    for (const chat::ReplyPart& part : finished.parts) {
        if (part.kind != chat::PartKind::Reasoning) continue;
        m_facts.reasoningMs += static_cast<std::uint64_t>(part.duration.count());
    }
}

MessageView LiveReply::view() const {
    MessageView view;
    view.facts = m_facts;
    view.text = m_text;
    view.blocks = m_blocks;
    view.head = headOf(m_facts);
    view.tail = tailOf(m_facts);
    return view;
}

}  // namespace agens::ui
