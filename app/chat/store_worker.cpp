// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/chat/store_worker.h"

#include <exception>
#include <string>
#include <utility>

#include "engine/base/log.h"

namespace agens::chat {

StoreWorker::StoreWorker() : m_thread([this] { run(); }) {}

StoreWorker::~StoreWorker() {
    {
        const std::lock_guard lock(m_mutex);
        m_isStopping = true;
    }
    m_changed.notify_one();
    m_thread.join();
}

bool StoreWorker::post(Priority priority, std::function<void()> command) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_isStopping) return false;
        m_queues[static_cast<std::size_t>(priority)].push_back(std::move(command));
    }
    m_changed.notify_one();
    return true;
}

// The first command of the highest priority; empty = stopping and nothing left.
std::function<void()> StoreWorker::takeNext() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        for (auto& queue : m_queues) {
            if (queue.empty()) continue;
            std::function<void()> command = std::move(queue.front());
            queue.pop_front();
            return command;
        }
        if (m_isStopping) return {};
        m_changed.wait(lock);
    }
}

void StoreWorker::run() {
    while (const std::function<void()> command = takeNext()) {
        try {
            command();
        } catch (const std::exception& failure) {
            // A receiver threw: its own bug, which must not end the store.
            log::error("store", std::string("a receiver of a result failed: ") + failure.what());
        } catch (...) {
            log::error("store", "a receiver of a result failed");
        }
    }
}

}  // namespace agens::chat
