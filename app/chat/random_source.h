// SPDX-License-Identifier: Apache-2.0
// RandomSource: the seam to the system's random bytes; uids are made from it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace agens::chat {

class RandomSource {
 public:
    virtual ~RandomSource() = default;
    virtual std::array<std::uint8_t, 16> bits128() = 0;
};

class SystemRandom final : public RandomSource {
 public:
    std::array<std::uint8_t, 16> bits128() override;
};

// 128 random bits as 32 hex digits.
std::string makeUid(RandomSource& random);

}  // namespace agens::chat
