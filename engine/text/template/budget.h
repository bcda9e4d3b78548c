// SPDX-License-Identifier: Apache-2.0
// Budget: what one rendering may use. Every evaluated node, loop turn and piece of text moved costs
// steps; every living text, list and mapping costs bytes; every nested evaluation costs depth.
// Steps decide, so that the same template always ends the same way; the clock is the second guard.
// A spent budget throws TemplateFailure{Limit}. Thread: one rendering.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace agens::text {

struct BudgetLimits {
    std::uint64_t steps = 2'000'000;
    std::size_t textBytes = std::size_t{16} << 20;  // of the output and of any one text
    std::size_t liveBytes = std::size_t{64} << 20;
    std::uint32_t depth = 1'200;                              // nested evaluations
    std::uint32_t calls = 100;                                // nested macro calls
    std::chrono::nanoseconds time = std::chrono::seconds(1);  // computing, not waiting
};

class Budget {
 public:
    explicit Budget(const BudgetLimits& limits);

    void step(std::uint64_t cost = 1) {
        m_steps += cost;
        if (m_steps >= m_nextCheck) checkSteps();
    }
    // Steps for moving or looking through `bytes` of text.
    void moveText(std::size_t bytes) { step(1 + bytes / 256); }
    void checkTextSize(std::size_t bytes) const {
        if (bytes > m_limits.textBytes) failTextSize();
    }
    void take(std::size_t bytes) {
        m_live += bytes;
        if (m_live > m_limits.liveBytes) failLive();
    }
    void give(std::size_t bytes) { m_live -= bytes; }

 private:
    friend class DepthGuard;
    friend class CallGuard;
    void checkSteps();
    [[noreturn]] static void failTextSize();
    [[noreturn]] static void failLive();
    [[noreturn]] static void failDepth();
    [[noreturn]] static void failCalls();

    BudgetLimits m_limits;
    std::uint64_t m_steps = 0;
    std::uint64_t m_nextCheck = 0;
    std::size_t m_live = 0;
    std::uint32_t m_depth = 0;
    std::uint32_t m_calls = 0;
    std::chrono::nanoseconds m_deadline;  // of the thread's own time
};

// Held while one evaluation is nested in another: keeps the C++ stack bounded.
class DepthGuard {
 public:
    explicit DepthGuard(Budget& budget) : m_budget(budget) {
        if (m_budget.m_depth >= m_budget.m_limits.depth) Budget::failDepth();
        ++m_budget.m_depth;
    }
    ~DepthGuard() { --m_budget.m_depth; }
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;

 private:
    Budget& m_budget;
};

class CallGuard {
 public:
    explicit CallGuard(Budget& budget) : m_budget(budget) {
        if (m_budget.m_calls >= m_budget.m_limits.calls) Budget::failCalls();
        ++m_budget.m_calls;
    }
    ~CallGuard() { --m_budget.m_calls; }
    CallGuard(const CallGuard&) = delete;
    CallGuard& operator=(const CallGuard&) = delete;

 private:
    Budget& m_budget;
};

}  // namespace agens::text
