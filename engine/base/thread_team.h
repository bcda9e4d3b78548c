// SPDX-License-Identifier: Apache-2.0
// ThreadTeam: a fixed group of threads that runs one task together, the caller being member 0.
// Inside the task members meet at barrier(). Waiting is spinning with pause for about 50 us, then
// parking on a futex: between the ops of a step nobody sleeps, an idle team uses no processor time.
//
// run(task) calls task(member) on every member and returns when all have returned; the task must
// not throw. Everything written before a barrier by one member is seen after it by all. Thread:
// run() from one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace agens {

class ThreadTeam {
 public:
    explicit ThreadTeam(std::uint32_t members);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    std::uint32_t size() const { return m_members; }

    template <class Task>
    void run(Task& task) {
        runErased(
            [](void* context, std::uint32_t member) { (*static_cast<Task*>(context))(member); },
            &task);
    }

    // All members of a running task; each call is one meeting.
    void barrier();

 private:
    using Call = void (*)(void* context, std::uint32_t member);
    void runErased(Call call, void* context);
    void work(std::uint32_t member);

    const std::uint32_t m_members;
    Call m_call = nullptr;
    void* m_context = nullptr;
    alignas(64) std::atomic<std::uint32_t> m_job{0};      // counts runs; a change wakes the workers
    alignas(64) std::atomic<std::uint32_t> m_arrived{0};  // members at the present meeting
    alignas(64) std::atomic<std::uint32_t> m_meeting{0};  // counts meetings that are over
    std::atomic<bool> m_ending{false};
    std::vector<std::jthread> m_threads;
};

}  // namespace agens
