// SPDX-License-Identifier: Apache-2.0
// The rule of two figures: double above 8 ms, halve below 4 ms.
#include "app/service/batch_pacer.h"

#include <algorithm>

namespace agens::service {

BatchPacer::Time BatchPacer::wait(Time now) const {
    if (!m_lastSent) return Time::zero();
    return std::max(Time::zero(), *m_lastSent + m_period - now);
}

void BatchPacer::sent(Time now) {
    m_lastSent = now;
    m_onItsWay = true;
}

void BatchPacer::shown(Time took) {
    m_onItsWay = false;
    if (took > kSlow) m_period = std::min(m_period * 2, kLongestPeriod);
    if (took < kFast) m_period = std::max(m_period / 2, kFrame);
}

}  // namespace agens::service
