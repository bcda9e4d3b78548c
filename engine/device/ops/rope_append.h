// SPDX-License-Identifier: Apache-2.0
// rope_append: rotates the queries in place and writes rotated keys and plain values to the cache.
//
// Shapes: q [rows, qHeads · headDim], k, v [rows, kvHeads · headDim] f32; table [contextTokens,
// dims] f32: cos of pair i at column 2i, sin at 2i+1, row = position.
// Arithmetic: pair (a, b) → (fma(a, cos, -(b · sin)), fma(b, cos, a · sin)); pairs are (2i, 2i+1)
// or (i, i + dims/2); columns from `dims` on pass unchanged. The cache rounds to its element
// format. Order: a device writes every row of the step before any row of the step reads the cache.
#pragma once

#include <cstdint>

#include "engine/device/ops/ids.h"

namespace agens::device {

enum class RopePairing : std::uint8_t { Adjacent, Halves };

struct RopeAppend {
    SlotId q;
    SlotId k;
    SlotId v;
    VectorId table;
    std::uint32_t layer = 0;
    std::uint32_t qHeads = 0;
    std::uint32_t kvHeads = 0;
    std::uint32_t headDim = 0;
    std::uint32_t dims = 0;       // rotated columns of a head, even
    std::uint32_t positions = 0;  // rows of the table: the served context
    RopePairing pairing = RopePairing::Halves;
};

}  // namespace agens::device
