// SPDX-License-Identifier: Apache-2.0
// ChatSession: one conversation of the store, continued in the terminal. A user message is durable
// before its reply starts; the reply is checkpointed once a second while it streams and finished
// with its state, whatever ends it. The conversation is made when its first message is sent.
// Errors: those of store and engine; the session stays usable. Thread: main.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/chat/store.h"
#include "app/cli/arguments.h"
#include "app/cli/interrupt.h"
#include "app/cli/terminal.h"
#include "engine/engine.h"

namespace agens::cli {

class ChatSession {
 public:
    ChatSession(chat::Store& store, engine::Engine& engine, const ReplyArguments& reply,
                Interrupts& interrupts, Terminal& terminal)
        : m_store(store),
          m_engine(engine),
          m_arguments(reply),
          m_interrupts(interrupts),
          m_terminal(terminal) {}

    // The next message starts a new conversation.
    void startNew() { m_conversation.reset(); }
    // Goes on with a stored one and shows its last exchange.
    Result<void> open(chat::ConversationId id);
    Result<void> openLatest();

    Result<void> send(std::string text);
    // Another reply to the last user message.
    Result<void> regenerate();
    // Replaces the last user message; the old one stays as a sibling.
    Result<void> edit(std::string text);

    // Figures of the last reply, for /stats; empty before the first.
    const std::string& lastStats() const { return m_lastStats; }

 private:
    Result<void> sendAs(std::string text, std::optional<chat::MessageId> editOf);
    Result<void> respond(chat::MessageId reply);
    Result<engine::Request> requestFor(chat::MessageId reply);
    Result<std::optional<chat::MessageId>> lastOf(chat::Role role);

    chat::Store& m_store;
    engine::Engine& m_engine;
    const ReplyArguments& m_arguments;
    Interrupts& m_interrupts;
    Terminal& m_terminal;
    std::optional<chat::ConversationId> m_conversation;
    std::string m_lastStats;
};

}  // namespace agens::cli
