// SPDX-License-Identifier: Apache-2.0
// FakeEngine: an Engine whose replies a test writes event by event. Thread-safe where an engine is.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/engine.h"

namespace agens::test {

class FakeReply final : public engine::RequestHandle {
 public:
    void add(engine::Event event) {
        std::function<void()> wake;
        {
            const std::lock_guard lock(m_mutex);
            m_events.push_back(std::move(event));
            wake = m_wake;
        }
        m_changed.notify_all();
        if (wake) wake();
    }
    void say(const std::string& text) { add(engine::Piece{engine::Channel::Text, text, {}}); }
    void finish(engine::FinishReason reason = engine::FinishReason::End) {
        add(engine::Finished{reason, {}, {}});
    }
    bool isCancelled() const {
        const std::lock_guard lock(m_mutex);
        return m_isCancelled;
    }

    std::optional<engine::Event> next(std::chrono::milliseconds timeout) override {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, timeout, [this] { return !m_events.empty(); });
        if (m_events.empty()) return std::nullopt;
        engine::Event event = std::move(m_events.front());
        m_events.pop_front();
        return event;
    }
    void onEvent(std::function<void()> wake) override {
        const std::lock_guard lock(m_mutex);
        m_wake = std::move(wake);
    }
    void cancel() override {
        {
            const std::lock_guard lock(m_mutex);
            if (m_isCancelled) return;
            m_isCancelled = true;
        }
        finish(engine::FinishReason::Cancelled);
    }

 private:
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<engine::Event> m_events;
    std::function<void()> m_wake;
    bool m_isCancelled = false;
};

// Outlives the engine it belongs to, so that a test can look at what was submitted.
class FakeEngineDesk {
 public:
    std::shared_ptr<FakeReply> submit(const engine::Request& request) {
        const std::lock_guard lock(m_mutex);
        m_requests.push_back(request);
        m_replies.push_back(std::make_shared<FakeReply>());
        return m_replies.back();
    }
    std::vector<engine::Request> requests() const {
        const std::lock_guard lock(m_mutex);
        return m_requests;
    }
    std::shared_ptr<FakeReply> reply(std::size_t index) const {
        const std::lock_guard lock(m_mutex);
        return index < m_replies.size() ? m_replies[index] : nullptr;
    }

 private:
    mutable std::mutex m_mutex;
    std::vector<engine::Request> m_requests;
    std::vector<std::shared_ptr<FakeReply>> m_replies;
};

class FakeEngine final : public engine::Engine {
 public:
    explicit FakeEngine(std::shared_ptr<FakeEngineDesk> desk) : m_desk(std::move(desk)) {
        m_facts.name = "Fake model";
        m_plan.servedContext = 4096;
    }
    const engine::ModelFacts& model() const override { return m_facts; }
    const engine::PlanReport& plan() const override { return m_plan; }
    std::string deviceText() const override { return "fake"; }
    Result<std::shared_ptr<engine::RequestHandle>> submit(engine::Request request) override {
        return std::shared_ptr<engine::RequestHandle>(m_desk->submit(request));
    }
    // One token a byte of every message.
    Result<engine::Prompt> render(const engine::Request& request) const override {
        engine::Prompt prompt;
        for (const auto& message : std::get<engine::ChatPrompt>(request.prompt).messages)
            prompt.text += message.content;
        prompt.ids.resize(prompt.text.size());
        return prompt;
    }
    Result<engine::Evaluation> evaluate(const engine::EvaluateRequest&, std::stop_token) override {
        return engine::Evaluation{};
    }
    engine::EngineStats stats() const override { return {}; }

 private:
    std::shared_ptr<FakeEngineDesk> m_desk;
    engine::ModelFacts m_facts;
    engine::PlanReport m_plan;
};

}  // namespace agens::test
