// SPDX-License-Identifier: Apache-2.0
// attention (ops/attention.h) over the lane type L of isa_kernels.h.
//
// Scores of 64 positions × Q queries stay in registers while d runs; K and V are read once for all
// Q.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/device/cpu/kernel_table.h"
#include "engine/device/ops/transcendental.h"
#include "engine/device/step_io.h"

namespace agens::device::cpu {

constexpr std::uint32_t kStrip = 4;  // vectors of positions or dims held per query

template <class L, bool kHalves>
typename L::F loadCache(const void* tile, std::size_t at) {
    if constexpr (kHalves) return L::loadHalf(static_cast<const std::uint16_t*>(tile) + at);
    return L::load(static_cast<const float*>(tile) + at);
}

template <class L, bool kHalves>
typename L::F loadCachePartial(const void* tile, std::size_t at, std::uint32_t count) {
    if constexpr (kHalves) {
        return L::loadHalfPartial(static_cast<const std::uint16_t*>(tile) + at, count);
    }
    return L::loadPartial(static_cast<const float*>(tile) + at, count);
}

template <class L, bool kHalves, std::uint32_t Q>
void chunkScores(const AttentionChunkArgs& args, std::uint32_t positions,
                 float (*scores)[kPagePositions]) {
    const typename L::F scale = L::bcast(args.scale);
    for (std::uint32_t p = 0; p < positions; p += kStrip * 16) {
        typename L::F acc[Q][kStrip];
        for (std::uint32_t q = 0; q < Q; ++q) {
            for (std::uint32_t i = 0; i < kStrip; ++i)
                acc[q][i] = L::zero();
        }
        for (std::uint32_t d = 0; d < args.headDim; ++d) {
            typename L::F keys[kStrip];
            for (std::uint32_t i = 0; i < kStrip; ++i) {
                keys[i] =
                    loadCache<L, kHalves>(args.keys, std::size_t{d} * kPagePositions + p + i * 16);
            }
            for (std::uint32_t q = 0; q < Q; ++q) {
                const typename L::F query = L::bcast(args.query[q][d]);
                for (std::uint32_t i = 0; i < kStrip; ++i)
                    acc[q][i] = L::fma(query, keys[i], acc[q][i]);
            }
        }
        for (std::uint32_t q = 0; q < Q; ++q) {
            for (std::uint32_t i = 0; i < kStrip; ++i) {
                L::store(scores[q] + p + i * 16, L::mul(acc[q][i], scale));
            }
        }
    }
}

// Scores → weights in place; returns maximum and sum in the part.
template <class L>
void softmaxChunk(float* scores, std::uint32_t visible, float* maximum, float* sum) {
    const std::uint32_t padded = (visible + 15) / 16 * 16;
    for (std::uint32_t p = visible; p < padded; ++p)
        scores[p] = -__builtin_inff();
    typename L::F largest = L::load(scores);
    for (std::uint32_t p = 16; p < padded; p += 16)
        largest = L::max(largest, L::load(scores + p));
    *maximum = L::largest(largest);
    const typename L::F shift = L::bcast(*maximum);
    typename L::F total = L::zero();
    for (std::uint32_t p = 0; p < padded; p += 16) {
        const typename L::F weight = expLanes<L>(L::sub(L::load(scores + p), shift));
        total = L::add(total, weight);
        L::store(scores + p, weight);
    }
    *sum = L::sum16(total);
}

// weighted[d … d + 16·N) of Q queries; `tail` > 0: the only vector has that many dims.
template <class L, bool kHalves, std::uint32_t Q, std::uint32_t N>
void weightedStrip(const AttentionChunkArgs& args, const float (*weights)[kPagePositions],
                   std::uint32_t shared, std::uint32_t d, std::uint32_t tail) {
    const auto values = [&](std::uint32_t p, std::uint32_t i) {
        const std::size_t at = std::size_t{p} * args.headDim + d + i * 16;
        return tail > 0 ? loadCachePartial<L, kHalves>(args.values, at, tail)
                        : loadCache<L, kHalves>(args.values, at);
    };
    typename L::F acc[Q][N];
    for (std::uint32_t q = 0; q < Q; ++q) {
        for (std::uint32_t i = 0; i < N; ++i)
            acc[q][i] = L::zero();
    }
    for (std::uint32_t p = 0; p < shared; ++p) {
        typename L::F v[N];
        for (std::uint32_t i = 0; i < N; ++i)
            v[i] = values(p, i);
        for (std::uint32_t q = 0; q < Q; ++q) {
            const typename L::F weight = L::bcast(weights[q][p]);
            for (std::uint32_t i = 0; i < N; ++i)
                acc[q][i] = L::fma(weight, v[i], acc[q][i]);
        }
    }
    for (std::uint32_t q = 0; q < Q; ++q) {
        for (std::uint32_t p = shared; p < args.visible[q]; ++p) {
            const typename L::F weight = L::bcast(weights[q][p]);
            for (std::uint32_t i = 0; i < N; ++i) {
                acc[q][i] = L::fma(weight, values(p, i), acc[q][i]);
            }
        }
        for (std::uint32_t i = 0; i < N; ++i) {
            float* out = args.part[q] + d + i * 16;
            if (tail > 0) {
                L::storePartial(out, acc[q][i], tail);
            } else {
                L::store(out, acc[q][i]);
            }
        }
    }
}

template <class L, bool kHalves, std::uint32_t Q>
void attentionQueries(const AttentionChunkArgs& args) {
    alignas(64) float scores[Q][kPagePositions];
    std::uint32_t most = 0;
    std::uint32_t shared = kPagePositions;
    for (std::uint32_t q = 0; q < Q; ++q) {
        most = args.visible[q] > most ? args.visible[q] : most;
        shared = args.visible[q] < shared ? args.visible[q] : shared;
    }
    chunkScores<L, kHalves, Q>(args, most, scores);
    for (std::uint32_t q = 0; q < Q; ++q) {
        softmaxChunk<L>(scores[q], args.visible[q], args.part[q] + args.headDim,
                        args.part[q] + args.headDim + 1);
    }
    std::uint32_t d = 0;
    for (; d + kStrip * 16 <= args.headDim; d += kStrip * 16) {
        weightedStrip<L, kHalves, Q, kStrip>(args, scores, shared, d, 0);
    }
    for (; d + 16 <= args.headDim; d += 16) {
        weightedStrip<L, kHalves, Q, 1>(args, scores, shared, d, 0);
    }
    if (d < args.headDim) {
        weightedStrip<L, kHalves, Q, 1>(args, scores, shared, d, args.headDim - d);
    }
}

template <class L, bool kHalves>
void attentionByCount(const AttentionChunkArgs& args) {
    switch (args.queries) {
        case 1:
            return attentionQueries<L, kHalves, 1>(args);
        case 2:
            return attentionQueries<L, kHalves, 2>(args);
        case 3:
            return attentionQueries<L, kHalves, 3>(args);
        case 4:
            return attentionQueries<L, kHalves, 4>(args);
        case 5:
            return attentionQueries<L, kHalves, 5>(args);
        default:
            return attentionQueries<L, kHalves, 6>(args);
    }
}

template <class L>
void attentionChunk(const AttentionChunkArgs& args) {
    if (args.halves) return attentionByCount<L, true>(args);
    attentionByCount<L, false>(args);
}

template <class L>
void foldPart(float* total, const float* part, std::uint32_t headDim) {
    const float maximum = total[headDim] > part[headDim] ? total[headDim] : part[headDim];
    const typename L::F top = L::bcast(maximum);
    const typename L::F alpha = expLanes<L>(L::sub(L::bcast(total[headDim]), top));
    const typename L::F beta = expLanes<L>(L::sub(L::bcast(part[headDim]), top));
    alignas(64) float lanes[16];
    L::store(lanes, L::fma(L::bcast(part[headDim + 1]), beta,
                           L::mul(L::bcast(total[headDim + 1]), alpha)));
    total[headDim + 1] = lanes[0];
    total[headDim] = maximum;
    for (std::uint32_t d = 0; d < headDim; d += 16) {
        const std::uint32_t left = headDim - d;
        if (left >= 16) {
            const typename L::F scaled = L::mul(L::load(total + d), alpha);
            L::store(total + d, L::fma(L::load(part + d), beta, scaled));
        } else {
            const typename L::F scaled = L::mul(L::loadPartial(total + d, left), alpha);
            L::storePartial(total + d, L::fma(L::loadPartial(part + d, left), beta, scaled), left);
        }
    }
}

template <class L>
void finishPart(const float* total, std::uint32_t headDim, float* out) {
    const typename L::F sum = L::bcast(total[headDim + 1]);
    for (std::uint32_t d = 0; d < headDim; d += 16) {
        const std::uint32_t left = headDim - d;
        if (left >= 16) {
            L::store(out + d, L::div(L::load(total + d), sum));
        } else {
            L::storePartial(out + d, L::div(L::loadPartial(total + d, left), sum), left);
        }
    }
}

}  // namespace agens::device::cpu
