// SPDX-License-Identifier: Apache-2.0
// attention: softmax attention of each row over its sequence's cache, own position included.
//
// Shapes: q [rows, qHeads · headDim] f32; out the same shape, another slot. Query head h reads KV
// head h / (qHeads / kvHeads).
// Arithmetic per (row, head), chunks of 256 positions from position 0, only visible positions:
//   score_p = scale · Σ_d q_d·K[d][p]       fma in ascending d from 0, then one multiplication
//   m_c = max score;  w_p = exp(score_p - m_c)
//   s_c = Σ w_p   in 16 partials (p mod 16 of the chunk), then partial j += j+8, +4, +2, +1
//   o_c[d] = Σ w_p·V[p][d]                  fma in ascending p from 0
// chunks are folded in ascending order into (M, S, O): the first is taken as it is, then
//   M' = max(M, m_c); α = exp(M - M'); β = exp(m_c - M')
//   S = fma(s_c, β, S·α);  O[d] = fma(o_c[d], β, O[d]·α);  M = M'
// out[d] = O[d] / S.
// Bytes: per KV head 2 · length · headDim elements, shared by the query heads of that KV head.
#pragma once

#include <cstdint>

#include "engine/device/ops/ids.h"

namespace agens::device {

struct Attention {
    SlotId q;
    SlotId out;
    std::uint32_t layer = 0;
    std::uint32_t qHeads = 0;
    std::uint32_t kvHeads = 0;
    std::uint32_t headDim = 0;
    float scale = 1.0F;
};

}  // namespace agens::device
