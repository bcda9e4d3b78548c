// SPDX-License-Identifier: Apache-2.0
// Interrupts: Ctrl+C and SIGTERM as values. From construction on, both signals are blocked in this
// thread and in every thread made later, and one small thread reads them.
//
//   token()   asks the running work to end; requested by the first interrupt since take()
//   take()    how many came; starts a new count and a new token
//
// Three interrupts that nobody took end the process at once: whatever hangs, a person gets out.
// Make it before the engine, so that the engine's threads inherit the blocked signals.
// Thread: main.
#pragma once

#include <atomic>
#include <mutex>
#include <stop_token>
#include <thread>

namespace agens::cli {

class Interrupts {
 public:
    Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;
    ~Interrupts();

    bool any() const { return m_count.load() > 0; }
    int take();
    std::stop_token token();
    // Readable while an interrupt waits to be taken; for poll() beside stdin.
    int descriptor() const { return m_wake; }

 private:
    void watch();

    int m_signals = -1;  // signalfd
    int m_end = -1;      // eventfd: the destructor calls
    int m_wake = -1;     // eventfd: an interrupt came
    std::atomic<int> m_count = 0;
    std::mutex m_mutex;  // guards m_stop
    std::stop_source m_stop;
    std::thread m_thread;
};

}  // namespace agens::cli
