// SPDX-License-Identifier: Apache-2.0
// A central counting barrier: with at most eight members on one machine a tree gains nothing.
#include "engine/base/thread_team.h"

namespace agens {
namespace {

// About 50 us of pauses on the machines measured (35 to 45 cycles each).
constexpr int kSpins = 3000;

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// Waits until `word` differs from `old`: spinning first, then on the futex behind std::atomic.
void waitWhile(const std::atomic<std::uint32_t>& word, std::uint32_t old) {
    for (int spin = 0; spin < kSpins; ++spin) {
        if (word.load(std::memory_order_acquire) != old) return;
        pause();
    }
    while (word.load(std::memory_order_acquire) == old)
        word.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadTeam::ThreadTeam(std::uint32_t members) : m_members(members == 0 ? 1 : members) {
    for (std::uint32_t member = 1; member < m_members; ++member) {
        m_threads.emplace_back([this, member] { work(member); });
    }
}

ThreadTeam::~ThreadTeam() {
    m_ending.store(true, std::memory_order_relaxed);
    m_job.fetch_add(1, std::memory_order_release);
    m_job.notify_all();
}

void ThreadTeam::runErased(Call call, void* context) {
    m_call = call;
    m_context = context;
    m_job.fetch_add(1, std::memory_order_release);
    m_job.notify_all();
    call(context, 0);
    barrier();
}

void ThreadTeam::work(std::uint32_t member) {
    std::uint32_t seen = 0;
    while (true) {
        waitWhile(m_job, seen);
        ++seen;
        if (m_ending.load(std::memory_order_relaxed)) return;
        m_call(m_context, member);
        barrier();
    }
}

void ThreadTeam::barrier() {
    if (m_members == 1) return;
    const std::uint32_t meeting = m_meeting.load(std::memory_order_relaxed);
    if (m_arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == m_members) {
        m_arrived.store(0, std::memory_order_relaxed);
        m_meeting.fetch_add(1, std::memory_order_release);
        m_meeting.notify_all();
        return;
    }
    waitWhile(m_meeting, meeting);
}

}  // namespace agens
