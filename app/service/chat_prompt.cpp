// SPDX-License-Identifier: Apache-2.0
// One message of the store, one message of the prompt.
#include "app/service/chat_prompt.h"

#include <utility>

namespace agens::service {
namespace {

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

}  // namespace

engine::ChatPrompt chatPrompt(std::span<const chat::Message> branch) {
    engine::ChatPrompt prompt;
    for (const chat::Message& message : branch) {
        if (chat::isOpen(message.state)) continue;
        engine::ChatMessage said{roleOf(message.role), message.text(), message.reasoning()};
        if (message.role == chat::Role::Assistant && said.content.empty()) continue;
        prompt.messages.push_back(std::move(said));
    }
    return prompt;
}

}  // namespace agens::service
