// SPDX-License-Identifier: Apache-2.0
// getrandom() behind the seam; 16 bytes never come short once the system's pool is ready.
#include "app/chat/random_source.h"

#include <sys/random.h>

#include "engine/base/check.h"
#include "engine/base/sha256.h"

namespace agens::chat {

std::array<std::uint8_t, 16> SystemRandom::bits128() {
    std::array<std::uint8_t, 16> bits{};
    ssize_t got = -1;
    do {
        got = ::getrandom(bits.data(), bits.size(), 0);
    } while (got < 0 && errno == EINTR);
    CHECK(got == static_cast<ssize_t>(bits.size())) << "getrandom gave " << got;
    return bits;
}

std::string makeUid(RandomSource& random) {
    return toHex(random.bits128());
}

}  // namespace agens::chat
