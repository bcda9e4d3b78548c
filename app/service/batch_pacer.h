// SPDX-License-Identifier: Apache-2.0
// BatchPacer: when the next batch of a reply goes to the window. The first at once, then one a
// frame; a window that needs long for a batch gets fewer and larger ones. Pure: time comes in.
//
// Invariant: at most one batch is on its way, so a slow window never has a queue of them.
// Thread: one (the reply's).
#pragma once

#include <chrono>
#include <optional>

namespace agens::service {

class BatchPacer {
 public:
    using Time = std::chrono::nanoseconds;
    static constexpr Time kFrame = std::chrono::milliseconds(33);
    static constexpr Time kLongestPeriod = std::chrono::milliseconds(132);
    static constexpr Time kSlow = std::chrono::milliseconds(8);  // the window took longer: double
    static constexpr Time kFast = std::chrono::milliseconds(4);  // it took less: halve again

    bool isDue(Time now) const { return !m_onItsWay && wait(now) == Time::zero(); }
    // Until the period is over; zero when it is.
    Time wait(Time now) const;
    void sent(Time now);
    // The window showed the batch and needed `took` for it.
    void shown(Time took);
    Time period() const { return m_period; }

 private:
    std::optional<Time> m_lastSent;
    Time m_period = kFrame;
    bool m_onItsWay = false;
};

}  // namespace agens::service
