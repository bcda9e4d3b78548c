// SPDX-License-Identifier: Apache-2.0
// Future<T>: a Result<T> that comes later, from the store worker. Used once, in one of two ways:
//
//   Result<Sent> sent = store.send(id, text).get();                    // waits: terminal, tests
//   store.send(id, text).then(onUiThread, [](Result<Sent> sent) {…});  // never waits: window
//
// An Executor runs a call on the thread it stands for; it must be callable from the store worker.
// If the receiver may die first, the executor or the call has to hold something that notices (the
// service gives its QObject as context). A Future that is dropped loses nothing: the command runs.
// Errors: a store that closes first answers Cancelled, id "store.closed".
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "engine/base/result.h"

namespace agens::chat {

using Executor = std::function<void(std::function<void()>)>;

// Runs the call at once on the thread that finished the command (the store worker): for calls that
// only hand a value on. Such a call must not wait for the store.
inline Executor inlineExecutor() {
    return [](const std::function<void()>& call) { call(); };
}

template <class T>
class Promise;

template <class T>
class [[nodiscard]] Future {
 public:
    bool isReady() const {
        const std::lock_guard lock(m_state->mutex);
        return m_state->result.has_value();
    }

    // Waits for the command. Never from the store worker.
    Result<T> get() {
        std::unique_lock lock(m_state->mutex);
        m_state->changed.wait(lock, [&] { return m_state->result.has_value(); });
        return std::move(*m_state->result);
    }

    // Hands the result to `call` through `executor`, now or when it comes.
    void then(Executor executor, std::function<void(Result<T>)> call) {
        std::unique_lock lock(m_state->mutex);
        if (!m_state->result.has_value()) {
            m_state->executor = std::move(executor);
            m_state->call = std::move(call);
            return;
        }
        lock.unlock();
        m_state->deliver(executor, std::move(call));
    }

    // The result is not wanted (a draft saved on the way); the command still runs.
    void ignore() const {}

 private:
    friend class Promise<T>;
    struct State {
        std::mutex mutex;
        std::condition_variable changed;
        std::optional<Result<T>> result;
        Executor executor;
        std::function<void(Result<T>)> call;

        // The result travels in a shared box because std::function wants copyable calls.
        void deliver(const Executor& run, std::function<void(Result<T>)> receiver) {
            auto box = std::make_shared<Result<T>>(std::move(*result));
            run([box, receiver = std::move(receiver)] { receiver(std::move(*box)); });
        }
    };
    explicit Future(std::shared_ptr<State> state) : m_state(std::move(state)) {}

    std::shared_ptr<State> m_state;  // shared by promise and future: either may go first
};

template <class T>
class Promise {
 public:
    Promise() : m_state(std::make_shared<typename Future<T>::State>()) {}

    Future<T> future() const { return Future<T>(m_state); }

    // The first result counts; later ones are dropped.
    void set(Result<T> result) const {
        std::unique_lock lock(m_state->mutex);
        if (m_state->result.has_value()) return;
        m_state->result.emplace(std::move(result));
        const Executor executor = std::move(m_state->executor);
        auto call = std::move(m_state->call);
        lock.unlock();
        m_state->changed.notify_all();
        if (call) m_state->deliver(executor, std::move(call));
    }

 private:
    std::shared_ptr<typename Future<T>::State> m_state;
};

}  // namespace agens::chat
