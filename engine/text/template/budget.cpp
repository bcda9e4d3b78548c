// SPDX-License-Identifier: Apache-2.0
// The sentences of spent budgets, and the look at the clock every few thousand steps.
#include "engine/text/template/budget.h"

#include <algorithm>
#include <ctime>

#include "engine/text/template/failure.h"

namespace agens::text {
namespace {

constexpr std::uint64_t kStepsBetweenClocks = 4096;

// Time this thread has computed: a busy machine must not make a template fail.
std::chrono::nanoseconds threadTime() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

void fail(FailureKind kind, std::string what, std::uint32_t line) {
    throw TemplateFailure{kind, std::move(what), line};
}

Budget::Budget(const BudgetLimits& limits)
    : m_limits(limits), m_deadline(threadTime() + limits.time) {
    m_nextCheck = std::min(kStepsBetweenClocks, m_limits.steps);
}

void Budget::checkSteps() {
    if (m_steps >= m_limits.steps) {
        fail(FailureKind::Limit,
             "The chat template takes more than " + std::to_string(m_limits.steps) + " steps.");
    }
    if (threadTime() >= m_deadline) {
        fail(FailureKind::Limit, "The chat template takes too long.");
    }
    m_nextCheck = std::min(m_steps + kStepsBetweenClocks, m_limits.steps);
}

void Budget::failTextSize() {
    fail(FailureKind::Limit, "The chat template makes a text that is too large.");
}

void Budget::failLive() {
    fail(FailureKind::Limit, "The chat template holds too many values.");
}

void Budget::failDepth() {
    fail(FailureKind::Limit, "The chat template is nested too deeply.");
}

void Budget::failCalls() {
    fail(FailureKind::Limit, "The chat template calls its macros too deeply.");
}

}  // namespace agens::text
