// SPDX-License-Identifier: Apache-2.0
// StoreWorker: the one thread that touches the store, and its queue. Commands of a higher priority
// go first, equal ones in the order they came.
// Invariant: every posted command runs exactly once, also those still queued when it stops.
// Whatever a command throws stays in the command's own wrapper; a last catch keeps the thread
// alive. Thread: post() from any thread, commands on the worker's.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace agens::chat {

enum class Priority { UserWrite, Checkpoint, Read, Search, Maintenance };

class StoreWorker {
 public:
    StoreWorker();
    // Runs what is queued, then ends the thread. Not from the worker itself.
    ~StoreWorker();
    StoreWorker(const StoreWorker&) = delete;
    StoreWorker& operator=(const StoreWorker&) = delete;

    // False: it is stopping, the command was not taken.
    bool post(Priority priority, std::function<void()> command);

 private:
    static constexpr std::size_t kPriorities = 5;
    void run();
    std::function<void()> takeNext();

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::array<std::deque<std::function<void()>>, kPriorities> m_queues;
    bool m_isStopping = false;
    std::thread m_thread;
};

}  // namespace agens::chat
