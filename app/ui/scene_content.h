// SPDX-License-Identifier: Apache-2.0
// What the scenes show: made-up chats and the script of their engine. Plain values.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/chat/store.h"

namespace agens::ui {

// 2026-11-30 09:12 UTC: "now" in every scene.
inline constexpr std::int64_t kSceneNowMs = 1'796'029'920'000;

// Replies of the scripted engine: the streaming one stops talking in the middle.
extern const std::string_view kSceneScript;
// Asked in chat-streaming; the script knows it.
extern const std::string_view kSceneQuestion;
extern const std::string_view kSceneQueued;

// The clock the chats are written with: each is given its own day.
class SceneClock final : public Clock {
 public:
    std::chrono::nanoseconds now() const override { return SystemClock().now(); }
    std::int64_t wallMs() const override { return m_wallMs; }
    void setWallMs(std::int64_t wallMs) { m_wallMs = wallMs; }

 private:
    std::int64_t m_wallMs = kSceneNowMs;
};

// Writes the chats of the sidebar, newest last; gives the newest, which holds the long answer.
Result<chat::ConversationId> writeSceneChats(chat::Store& store, SceneClock& clock);

}  // namespace agens::ui
