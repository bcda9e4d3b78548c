// SPDX-License-Identifier: Apache-2.0
// Clock: the seam to time. Code takes it through a constructor, so that tests decide what time it
// is.
#pragma once

#include <chrono>
#include <cstdint>

namespace agens {

class Clock {
 public:
    virtual ~Clock() = default;
    // Monotonic; only differences mean something.
    virtual std::chrono::nanoseconds now() const = 0;
    // Milliseconds since 1970 for display; may jump, never used for order.
    virtual std::int64_t wallMs() const = 0;
};

class SystemClock final : public Clock {
 public:
    std::chrono::nanoseconds now() const override {
        return std::chrono::steady_clock::now().time_since_epoch();
    }
    std::int64_t wallMs() const override {
        using namespace std::chrono;
        return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
    }
};

}  // namespace agens
