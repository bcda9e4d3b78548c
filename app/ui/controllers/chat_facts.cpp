// SPDX-License-Identifier: Apache-2.0
// ChatController: how many tokens the next prompt has. The engine's own count, never a guess.
#include <algorithm>
#include <utility>

#include "app/service/chat_prompt.h"
#include "app/ui/controllers/chat_controller.h"
#include "app/ui/models/text_format.h"

namespace agens::ui {

int ChatController::contextTotal() const {
    const auto engine = m_service.engine();
    return engine ? static_cast<int>(engine->plan().servedContext) : 0;
}

// While it is being counted the old figure stands, with dots.
QString ChatController::factsText() const {
    if (!m_isCounted) return {};
    return tokensText(static_cast<std::uint64_t>(m_contextUsed)) +
           (m_isCounting ? QStringLiteral(" …") : QString());
}

engine::ChatPrompt ChatController::promptNow() const {
    engine::ChatPrompt prompt = service::chatPrompt(m_branch);
    if (!m_draft.trimmed().isEmpty()) {
        prompt.messages.push_back({engine::MessageRole::User, toStd(m_draft), {}});
    }
    return prompt;
}

void ChatController::countSoon() {
    m_isCounting = m_service.state() == service::EngineState::Ready;
    m_countTimer.start();
    emit factsChanged();
}

void ChatController::count() {
    engine::ChatPrompt prompt = promptNow();
    if (m_service.state() != service::EngineState::Ready || prompt.messages.empty()) {
        m_contextUsed = 0;
        m_isCounted = m_isCounting = false;
        emit factsChanged();
        return;
    }
    if (shownLive() != nullptr) return;  // the reply's own figures are shown
    m_service.countTokens(std::move(prompt), [this, post = m_mailbox.executor(),
                                              view = m_view](Result<std::size_t> tokens) {
        post([this, view, tokens = std::move(tokens)] {
            if (view != m_view || shownLive() != nullptr) return;
            m_isCounting = false;
            m_isCounted = tokens.ok();
            if (tokens) m_contextUsed = static_cast<int>(*tokens);
            emit factsChanged();
        });
    });
}

}  // namespace agens::ui
