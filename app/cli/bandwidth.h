// SPDX-License-Identifier: Apache-2.0
// How fast this machine reads memory right now: the denominator of every speed table.
#pragma once

#include <cstdint>

namespace agens::cli {

// Best of several passes over memory far larger than the caches, in bytes a second. This is the one
// figure where the best counts: it asks what the machine can do, not what it does on average.
double readBandwidth(std::uint32_t threads);

}  // namespace agens::cli
