// SPDX-License-Identifier: Apache-2.0
// Runs of equal channels become parts; the same text goes, once, into the unsaved pieces.
#include "app/chat/reply_assembler.h"

#include <iterator>
#include <utility>

namespace agens::chat {
namespace {

PartKind kindOf(engine::Channel channel) {
    return channel == engine::Channel::Reasoning ? PartKind::Reasoning : PartKind::Text;
}

MessageState stateOf(engine::FinishReason reason) {
    switch (reason) {
        case engine::FinishReason::End:
        case engine::FinishReason::Stop:
            return MessageState::Complete;
        case engine::FinishReason::Length:
            return MessageState::Limit;
        case engine::FinishReason::Cancelled:
            return MessageState::Stopped;
    }
    return MessageState::Complete;
}

}  // namespace

void ReplyAssembler::add(const engine::Event& event, std::chrono::nanoseconds at) {
    if (const auto* piece = std::get_if<engine::Piece>(&event)) {
        addPiece(*piece, at);
    } else if (const auto* finished = std::get_if<engine::Finished>(&event)) {
        closeRun(at);
        m_end = End{stateOf(finished->reason), finished->stats, std::nullopt};
    } else if (const auto* failed = std::get_if<engine::Failed>(&event)) {
        closeRun(at);
        m_end = End{MessageState::Error, failed->stats, failed->error};
    }
}

void ReplyAssembler::addPiece(const engine::Piece& piece, std::chrono::nanoseconds at) {
    const PartKind kind = kindOf(piece.channel);
    if (kind == PartKind::Reasoning) {
        m_reasoningTokens += static_cast<std::uint32_t>(piece.tokens.size());
    }
    if (piece.text.empty()) return;
    if (m_parts.empty() || m_parts.back().kind != kind) {
        closeRun(at);
        m_parts.push_back({kind, {}, {}, {}});
        m_runStart = at;
    }
    m_parts.back().text += piece.text;
    if (m_unsaved.empty() || m_unsaved.back().kind != kind) m_unsaved.push_back({kind, {}});
    m_unsaved.back().text += piece.text;
}

// Only reasoning shows how long it took.
void ReplyAssembler::closeRun(std::chrono::nanoseconds at) {
    if (m_parts.empty() || m_parts.back().kind != PartKind::Reasoning) return;
    m_parts.back().duration =
        std::chrono::duration_cast<std::chrono::milliseconds>(at - m_runStart);
}

std::vector<TailPiece> ReplyAssembler::takeUnsaved() {
    return std::exchange(m_unsaved, {});
}

void ReplyAssembler::putBack(std::vector<TailPiece> pieces) {
    for (TailPiece& newer : m_unsaved) {
        if (!pieces.empty() && pieces.back().kind == newer.kind) {
            pieces.back().text += newer.text;
        } else {
            pieces.push_back(std::move(newer));
        }
    }
    m_unsaved = std::move(pieces);
}

FinishedReply ReplyAssembler::finish() const {
    FinishedReply reply;
    reply.parts = m_parts;
    reply.reasoningTokens = m_reasoningTokens;
    if (!m_end) {
        reply.state = MessageState::Interrupted;
        return reply;
    }
    reply.state = m_end->state;
    reply.stats = m_end->stats;
    reply.error = m_end->error;
    return reply;
}

}  // namespace agens::chat
