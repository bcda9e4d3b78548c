// SPDX-License-Identifier: Apache-2.0
// Store, engine and terminal brought together for one reply at a time.
#include "app/cli/chat_session.h"

#include <chrono>

#include "app/chat/reply_assembler.h"
#include "app/cli/engine_opening.h"

namespace agens::cli {
namespace {

constexpr std::chrono::seconds kCheckpointEvery{1};

std::chrono::nanoseconds now() {
    return std::chrono::steady_clock::now().time_since_epoch();
}

engine::MessageRole roleOf(chat::Role role) {
    switch (role) {
        case chat::Role::System:
            return engine::MessageRole::System;
        case chat::Role::User:
            return engine::MessageRole::User;
        case chat::Role::Assistant:
            return engine::MessageRole::Assistant;
        case chat::Role::Tool:
            return engine::MessageRole::Tool;
    }
    return engine::MessageRole::User;
}

Error noMessage() {
    return {ErrorKind::InvalidRequest, "chat.nothing", "There is no message here yet.", ""};
}

// Prints a streaming reply and keeps the store at most a second behind.
class StreamedReply final : public ReplyObserver {
 public:
    StreamedReply(chat::Store& store, chat::MessageId reply, Terminal& terminal)
        : m_store(store), m_reply(reply), m_terminal(terminal), m_saved(now()) {}

    void onEvent(const engine::Event& event) override {
        m_assembler.add(event, now());
        if (const auto* piece = std::get_if<engine::Piece>(&event)) print(*piece);
        if (!engine::isTerminal(event)) checkpoint();
    }
    void onPause() override { checkpoint(); }

    chat::FinishedReply finished() const { return m_assembler.finish(); }

 private:
    void print(const engine::Piece& piece) {
        const bool isReasoning = piece.channel == engine::Channel::Reasoning;
        if (isReasoning) m_terminal.out(m_terminal.dim());
        m_terminal.outForeign(piece.text);
        if (isReasoning) m_terminal.out(m_terminal.plain());
        m_terminal.flush();
    }

    void checkpoint() {
        if (!m_assembler.hasUnsaved() || now() - m_saved < kCheckpointEvery) return;
        m_saved = now();
        std::vector<chat::TailPiece> pieces = m_assembler.takeUnsaved();
        if (!m_store.checkpoint(m_reply, pieces).get()) m_assembler.putBack(std::move(pieces));
    }

    chat::Store& m_store;
    chat::MessageId m_reply;
    Terminal& m_terminal;
    chat::ReplyAssembler m_assembler;
    std::chrono::nanoseconds m_saved;
};

}  // namespace

Result<void> ChatSession::open(chat::ConversationId id) {
    TRY(const chat::Conversation conversation, m_store.conversation(id).get());
    TRY(const chat::Page page, m_store.branch(id, chat::PageAnchor::end(2)).get());
    m_conversation = id;
    m_terminal.outForeign(conversation.head.title + "\n\n");
    for (const chat::Message& message : page.messages) {
        const bool isUser = message.role == chat::Role::User;
        m_terminal.outForeign((isUser ? "> " : "") + message.text() + "\n\n");
    }
    return {};
}

Result<void> ChatSession::openLatest() {
    TRY(const std::vector<chat::ConversationHead> heads, m_store.conversations().get());
    const chat::ConversationHead* latest = nullptr;
    for (const chat::ConversationHead& head : heads) {  // pinned ones come first, so look at all
        if (latest == nullptr || head.orderKey > latest->orderKey) latest = &head;
    }
    if (latest != nullptr) return open(latest->id);
    m_terminal.notice("There is no conversation to continue; this is a new one.");
    return {};
}

Result<void> ChatSession::send(std::string text) {
    return sendAs(std::move(text), std::nullopt);
}

Result<void> ChatSession::regenerate() {
    TRY(const std::optional<chat::MessageId> last, lastOf(chat::Role::Assistant));
    if (!last) return noMessage();
    TRY(const chat::MessageId reply, m_store.addSibling(*last, m_engine.model().name).get());
    return respond(reply);
}

Result<void> ChatSession::edit(std::string text) {
    TRY(const std::optional<chat::MessageId> last, lastOf(chat::Role::User));
    if (!last) return noMessage();
    return sendAs(std::move(text), last);
}

Result<void> ChatSession::sendAs(std::string text, std::optional<chat::MessageId> editOf) {
    if (!m_conversation) {
        TRY(const chat::ConversationId created, m_store.create().get());
        if (!m_arguments.systemPrompt.empty()) {
            TRY_VOID(m_store.setSystemPrompt(created, m_arguments.systemPrompt).get());
        }
        m_conversation = created;
    }
    chat::Outgoing outgoing;
    outgoing.text = std::move(text);
    outgoing.editOf = editOf;
    outgoing.modelName = m_engine.model().name;
    TRY(const chat::Sent sent, m_store.send(*m_conversation, std::move(outgoing)).get());
    return respond(sent.reply);
}

Result<void> ChatSession::respond(chat::MessageId reply) {
    StreamedReply streamed(m_store, reply, m_terminal);
    auto outcome = [&]() -> Result<engine::Finished> {
        TRY(engine::Request request, requestFor(reply));
        TRY(const std::shared_ptr<engine::RequestHandle> handle,
            m_engine.submit(std::move(request)));
        return followReply(*handle, m_interrupts, m_terminal, streamed);
    }();
    m_terminal.out("\n");
    chat::FinishedReply finished = streamed.finished();
    if (!outcome) {
        finished.state = chat::MessageState::Error;
        finished.error = outcome.error();
    }
    TRY_VOID(m_store.finish(reply, std::move(finished)).get());
    if (!outcome) return std::move(outcome).error();
    m_lastStats = statsText(outcome->stats);
    if (outcome->reason == engine::FinishReason::Cancelled) m_terminal.notice("Stopped.");
    if (outcome->reason == engine::FinishReason::Length) {
        m_terminal.notice("The reply reached its length limit.");
    }
    return {};
}

// The branch up to the reply, which is still empty.
Result<engine::Request> ChatSession::requestFor(chat::MessageId reply) {
    TRY(const chat::Conversation conversation, m_store.conversation(*m_conversation).get());
    TRY(const chat::Page page, m_store.branch(*m_conversation, chat::PageAnchor::whole()).get());
    engine::ChatPrompt prompt;
    prompt.thinking = m_arguments.thinking;
    if (!conversation.systemPrompt.empty()) {
        prompt.messages.push_back({engine::MessageRole::System, conversation.systemPrompt, ""});
    }
    for (const chat::Message& message : page.messages) {
        if (message.id == reply) break;
        prompt.messages.push_back({roleOf(message.role), message.text(), message.reasoning()});
    }
    engine::Request request = requestFrom(m_arguments, std::move(prompt));
    request.conversation = static_cast<std::uint64_t>(m_conversation->value);
    return request;
}

Result<std::optional<chat::MessageId>> ChatSession::lastOf(chat::Role role) {
    std::optional<chat::MessageId> last;
    if (!m_conversation) return last;
    TRY(const chat::Page page, m_store.branch(*m_conversation, chat::PageAnchor::end(2)).get());
    for (const chat::Message& message : page.messages) {
        if (message.role == role) last = message.id;
    }
    return last;
}

}  // namespace agens::cli
