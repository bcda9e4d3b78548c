// SPDX-License-Identifier: Apache-2.0
// The kernels of the CPU device, written once over a type L of 16 lanes; each isa_*.cpp defines its
// L in an anonymous namespace and makes a table from it, so that everything here has internal
// linkage.
//
// L: F = 16 floats, with bcast, zero, load, store, loadPartial, storePartial, loadHalf(Partial),
// loadBfloat, add, sub, mul, div, fma, min, max, abs, exp2OfInteger, zeroWhereLess, largest (of the
// lanes), sum16 (tree 8, 4, 2, 1), fma1 (one float); Codes = 64 code bytes with loadCodes, low,
// high; NibbleSum / ByteSum = exact integer sums per lane; storeCodes (32 integral floats → int8,
// their sum).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/device/cpu/kernel_table.h"
#include "engine/device/formats/half.h"
#include "engine/device/ops/activation.h"
#include "engine/device/ops/transcendental.h"
#include "engine/device/step_io.h"

namespace agens::device::cpu {

// --- matmul
// ------------------------------------------------------------------------------------------ A tile
// is one row block (16 outputs) × R input rows. Weights are unpacked once per tile and used for all
// R rows; R multiplies accumulator sets and touches no sum's order. 8 rows: 8 float and up to 8
// integer accumulators, 8 code vectors, 2 scale vectors = 26 of 32 vector registers.

// acc + dot(codes, 32 inputs) · scale, the dot product exact.
template <class L>
inline __attribute__((always_inline)) typename L::F addNibbles(typename L::F acc,
                                                               const typename L::Codes* code,
                                                               const std::int8_t* inputs,
                                                               typename L::F scale) {
    typename L::NibbleSum dot = L::nibbleZero();
    for (std::uint32_t i = 0; i < 8; ++i)
        dot = L::nibbleDot(dot, code[i], inputs + i * 4);
    return L::fma(L::toFloat(dot), scale, acc);
}

template <class L>
inline __attribute__((always_inline)) typename L::F addBytes(typename L::F acc,
                                                             const typename L::Codes* code,
                                                             const std::int8_t* inputs,
                                                             std::int32_t inputSum,
                                                             typename L::F scale) {
    typename L::ByteSum dot = L::byteStart(inputSum);
    for (std::uint32_t i = 0; i < 8; ++i)
        dot = L::byteDot(dot, code[i], inputs + i * 4);
    return L::fma(L::toFloat(dot), scale, acc);
}

template <class L, std::uint32_t R, bool kWide>
void tileQ4_1(const PackedMatrix& matrix, std::uint32_t block, const ActivationRows& in,
              std::uint32_t row, typename L::F* acc) {
    const auto* codes = reinterpret_cast<const std::uint8_t*>(matrix.codes) +
                        std::uint64_t{block} * in.groups * 256;
    const auto* scales = reinterpret_cast<const std::uint16_t*>(matrix.scales) +
                         std::uint64_t{block} * in.groups * 32;
    typename L::F sum[R];
    for (std::uint32_t r = 0; r < R; ++r)
        sum[r] = L::zero();
    for (std::uint32_t group = 0; group < in.groups; ++group, codes += 256, scales += 32) {
        typename L::Codes code[8];
        for (std::uint32_t i = 0; i < 4; ++i) {
            const typename L::Codes pair = L::loadCodes(codes + i * 64);
            code[i] = L::low(pair);
            code[i + 4] = L::high(pair);
        }
        const typename L::F scale = L::loadHalf(scales);
        const typename L::F minimum = L::loadHalf(scales + kRowBlock);
        for (std::uint32_t r = 0; r < R; ++r) {
            const std::size_t at = (std::size_t{row} + r) * in.groups + group;
            sum[r] = addNibbles<L>(sum[r], code, in.codes + at * kGroup,
                                   L::mul(scale, L::bcast(in.scales[at])));
            if constexpr (kWide) {
                sum[r] = addNibbles<L>(sum[r], code, in.restCodes + at * kGroup,
                                       L::mul(scale, L::bcast(in.restScales[at])));
            }
            sum[r] = L::fma(minimum, L::bcast(in.scaledSums[at]), sum[r]);
        }
    }
    for (std::uint32_t r = 0; r < R; ++r)
        acc[r] = sum[r];
}

template <class L, std::uint32_t R, bool kWide>
void tileQ8_0(const PackedMatrix& matrix, std::uint32_t block, const ActivationRows& in,
              std::uint32_t row, typename L::F* acc) {
    const auto* codes = reinterpret_cast<const std::uint8_t*>(matrix.codes) +
                        std::uint64_t{block} * in.groups * 512;
    const auto* scales = reinterpret_cast<const std::uint16_t*>(matrix.scales) +
                         std::uint64_t{block} * in.groups * 16;
    typename L::F sum[R];
    for (std::uint32_t r = 0; r < R; ++r)
        sum[r] = L::zero();
    for (std::uint32_t group = 0; group < in.groups; ++group, codes += 512, scales += 16) {
        typename L::Codes code[8];
        for (std::uint32_t i = 0; i < 8; ++i)
            code[i] = L::loadCodes(codes + i * 64);
        const typename L::F scale = L::loadHalf(scales);
        for (std::uint32_t r = 0; r < R; ++r) {
            const std::size_t at = (std::size_t{row} + r) * in.groups + group;
            sum[r] = addBytes<L>(sum[r], code, in.codes + at * kGroup, in.sums[at],
                                 L::mul(scale, L::bcast(in.scales[at])));
            if constexpr (kWide) {
                sum[r] = addBytes<L>(sum[r], code, in.restCodes + at * kGroup, in.restSums[at],
                                     L::mul(scale, L::bcast(in.restScales[at])));
            }
        }
    }
    for (std::uint32_t r = 0; r < R; ++r)
        acc[r] = sum[r];
}

// Float weights: Element is F32 (float), F16 or BF16 (std::uint16_t with kBfloat).
template <class L, BlockFormat kFormat>
typename L::F loadWeights(const std::byte* elements, std::uint64_t at) {
    if constexpr (kFormat == BlockFormat::F32) {
        return L::load(reinterpret_cast<const float*>(elements) + at);
    } else if constexpr (kFormat == BlockFormat::F16) {
        return L::loadHalf(reinterpret_cast<const std::uint16_t*>(elements) + at);
    } else {
        return L::loadBfloat(reinterpret_cast<const std::uint16_t*>(elements) + at);
    }
}

template <class L, std::uint32_t R, BlockFormat kFormat>
void tileFloat(const PackedMatrix& matrix, std::uint32_t block, const ActivationRows& in,
               std::uint32_t row, typename L::F* acc) {
    const std::uint64_t first = std::uint64_t{block} * matrix.columns * kRowBlock;
    const float* values = in.values + std::size_t{row} * in.columns;
    typename L::F sum[R];
    for (std::uint32_t r = 0; r < R; ++r)
        sum[r] = L::zero();
    for (std::uint32_t k = 0; k < matrix.columns; ++k) {
        const typename L::F weights =
            loadWeights<L, kFormat>(matrix.codes, first + std::uint64_t{k} * kRowBlock);
        for (std::uint32_t r = 0; r < R; ++r) {
            sum[r] = L::fma(weights, L::bcast(values[r * in.columns + k]), sum[r]);
        }
    }
    for (std::uint32_t r = 0; r < R; ++r)
        acc[r] = sum[r];
}

constexpr std::uint32_t kTileRows = 8;

template <class L, std::uint32_t R>
void tile(const PackedMatrix& matrix, std::uint32_t block, const ActivationRows& in,
          std::uint32_t row, typename L::F* acc) {
    switch (matrix.format) {
        case BlockFormat::Q4_1:
            return in.restCodes != nullptr ? tileQ4_1<L, R, true>(matrix, block, in, row, acc)
                                           : tileQ4_1<L, R, false>(matrix, block, in, row, acc);
        case BlockFormat::Q8_0:
            return in.restCodes != nullptr ? tileQ8_0<L, R, true>(matrix, block, in, row, acc)
                                           : tileQ8_0<L, R, false>(matrix, block, in, row, acc);
        case BlockFormat::F32:
            return tileFloat<L, R, BlockFormat::F32>(matrix, block, in, row, acc);
        case BlockFormat::F16:
            return tileFloat<L, R, BlockFormat::F16>(matrix, block, in, row, acc);
        case BlockFormat::BF16:
            return tileFloat<L, R, BlockFormat::BF16>(matrix, block, in, row, acc);
    }
}

template <class L>
void anyTile(const PackedMatrix& matrix, std::uint32_t block, const ActivationRows& in,
             std::uint32_t row, std::uint32_t count, typename L::F* acc) {
    switch (count) {
        case 1:
            return tile<L, 1>(matrix, block, in, row, acc);
        case 2:
            return tile<L, 2>(matrix, block, in, row, acc);
        case 3:
            return tile<L, 3>(matrix, block, in, row, acc);
        case 4:
            return tile<L, 4>(matrix, block, in, row, acc);
        case 5:
            return tile<L, 5>(matrix, block, in, row, acc);
        case 6:
            return tile<L, 6>(matrix, block, in, row, acc);
        case 7:
            return tile<L, 7>(matrix, block, in, row, acc);
        default:
            return tile<L, 8>(matrix, block, in, row, acc);
    }
}

template <class L>
void storeOutputs(const MatmulArgs& args, std::uint32_t block, std::uint32_t row,
                  typename L::F value) {
    const std::uint32_t first = block * kRowBlock;
    const std::uint32_t left = args.matrix.rows - first;
    float* out = args.out + std::size_t{row} * args.outStride + first;
    if (left >= kRowBlock) {
        if (args.bias != nullptr) value = L::add(value, L::load(args.bias + first));
        if (args.accumulate) value = L::add(L::load(out), value);
        return L::store(out, value);
    }
    if (args.bias != nullptr) value = L::add(value, L::loadPartial(args.bias + first, left));
    if (args.accumulate) value = L::add(L::loadPartial(out, left), value);
    L::storePartial(out, value, left);
}

template <class L>
void matmul(const MatmulArgs& args) {
    typename L::F acc[kTileRows];
    for (std::uint32_t block = args.blockBegin; block < args.blockEnd; ++block) {
        for (std::uint32_t row = 0; row < args.rows; row += kTileRows) {
            const std::uint32_t left = args.rows - row;
            const std::uint32_t count = left < kTileRows ? left : kTileRows;
            anyTile<L>(args.matrix, block, args.in, row, count, acc);
            for (std::uint32_t r = 0; r < count; ++r)
                storeOutputs<L>(args, block, row + r, acc[r]);
        }
    }
}

template <class L>
void swiglu(const SwigluArgs& args) {
    typename L::F gated[kTileRows];
    typename L::F up[kTileRows];
    for (std::uint32_t block = args.blockBegin; block < args.blockEnd; ++block) {
        const std::uint32_t first = block * kRowBlock;
        const std::uint32_t lanes = args.gate.rows - first;
        for (std::uint32_t row = 0; row < args.rows; row += kTileRows) {
            const std::uint32_t left = args.rows - row;
            const std::uint32_t count = left < kTileRows ? left : kTileRows;
            anyTile<L>(args.gate, block, args.in, row, count, gated);
            anyTile<L>(args.up, block, args.in, row, count, up);
            for (std::uint32_t r = 0; r < count; ++r) {
                const typename L::F value = L::mul(siluLanes<L>(gated[r]), up[r]);
                float* out = args.out + std::size_t{row + r} * args.outStride + first;
                if (lanes >= kRowBlock) {
                    L::store(out, value);
                } else {
                    L::storePartial(out, value, lanes);
                }
            }
        }
    }
}

// --- norm, quantise
// ----------------------------------------------------------------------------------

template <class L>
void norm(const float* in, const float* weight, std::uint32_t columns, float eps, float* out) {
    const std::uint32_t whole = columns / 16 * 16;
    typename L::F squares = L::zero();
    for (std::uint32_t i = 0; i < whole; i += 16) {
        const typename L::F x = L::load(in + i);
        squares = L::fma(x, x, squares);
    }
    if (whole < columns) {
        const typename L::F x = L::loadPartial(in + whole, columns - whole);
        squares = L::fma(x, x, squares);
    }
    const float mean = L::sum16(squares) / static_cast<float>(columns);
    const float inverse = 1.0F / __builtin_sqrtf(mean + eps);
    const typename L::F inv = L::bcast(inverse);
    for (std::uint32_t i = 0; i < whole; i += 16) {
        L::store(out + i, L::mul(L::mul(L::load(in + i), inv), L::load(weight + i)));
    }
    if (whole < columns) {
        const std::uint32_t left = columns - whole;
        const typename L::F x = L::loadPartial(in + whole, left);
        L::storePartial(out + whole, L::mul(L::mul(x, inv), L::loadPartial(weight + whole, left)),
                        left);
    }
}

// Rounded codes of 32 values as integral floats, their scale and sum; the codes are also stored.
template <class L>
struct GroupCodes {
    typename L::F low, high;
    float scale;
    std::int32_t sum;
};

template <class L>
GroupCodes<L> codesOf(typename L::F low, typename L::F high, std::int8_t* codes) {
    GroupCodes<L> out{L::zero(), L::zero(), 0.0F, 0};
    out.scale = L::largest(L::max(L::abs(low), L::abs(high))) / 127.0F;
    const typename L::F divisor = L::bcast(out.scale);
    const typename L::F magic = L::bcast(kRoundMagic);
    if (out.scale != 0.0F) {
        out.low = L::sub(L::add(L::div(low, divisor), magic), magic);
        out.high = L::sub(L::add(L::div(high, divisor), magic), magic);
    }
    out.sum = L::storeCodes(codes, out.low, out.high);
    return out;
}

template <class L>
void quantizeGroup(typename L::F low, typename L::F high, std::size_t at,
                   const ActivationRows& out) {
    const GroupCodes<L> first = codesOf<L>(low, high, out.codes + at * kGroup);
    out.scales[at] = first.scale;
    out.sums[at] = first.sum;
    out.scaledSums[at] = first.scale * static_cast<float>(first.sum);
    if (out.restCodes == nullptr) return;
    const typename L::F minusScale = L::bcast(-first.scale);
    const GroupCodes<L> rest =
        codesOf<L>(L::fma(minusScale, first.low, low), L::fma(minusScale, first.high, high),
                   out.restCodes + at * kGroup);
    out.restScales[at] = rest.scale;
    out.restSums[at] = rest.sum;
    out.scaledSums[at] += rest.scale * static_cast<float>(rest.sum);
}

template <class L>
void quantize(const float* in, std::uint32_t row, const ActivationRows& out) {
    for (std::uint32_t group = 0; group < out.groups; ++group) {
        const float* x = in + group * kGroup;
        const std::uint32_t left = out.columns - group * kGroup;
        const std::size_t at = std::size_t{row} * out.groups + group;
        if (left >= kGroup) {
            quantizeGroup<L>(L::load(x), L::load(x + 16), at, out);
        } else if (left > 16) {
            quantizeGroup<L>(L::load(x), L::loadPartial(x + 16, left - 16), at, out);
        } else {
            quantizeGroup<L>(L::loadPartial(x, left), L::zero(), at, out);
        }
    }
}

// --- rope and the cache
// ------------------------------------------------------------------------------

inline __attribute__((always_inline)) void writeElement(void* tile, std::size_t at, float value,
                                                        bool halves) {
    if (halves) {
        static_cast<std::uint16_t*>(tile)[at] = floatToHalf(value);
    } else {
        static_cast<float*>(tile)[at] = value;
    }
}

template <class L>
void ropeHead(const RopeHeadArgs& args) {
    for (std::uint32_t pair = 0; pair < args.dims / 2; ++pair) {
        float& a = args.head[args.adjacent ? 2 * pair : pair];
        float& b = args.head[args.adjacent ? 2 * pair + 1 : pair + args.dims / 2];
        const float cosine = args.table[2 * pair];
        const float sine = args.table[2 * pair + 1];
        const float rotated = L::fma1(a, cosine, -(b * sine));
        b = L::fma1(b, cosine, a * sine);
        a = rotated;
    }
    if (args.keys == nullptr) return;
    for (std::uint32_t d = 0; d < args.headDim; ++d) {
        writeElement(args.keys, std::size_t{d} * kPagePositions + args.place, args.head[d],
                     args.halves);
        writeElement(args.values, std::size_t{args.place} * args.headDim + d, args.value[d],
                     args.halves);
    }
}

// --- attention
// --------------------------------------------------------------------------------------- Scores of
// 64 positions × Q queries stay in registers while d runs; K and V are read once for all Q.

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

template <class L>
constexpr KernelTable makeKernels() {
    return {.matmul = matmul<L>,
            .swiglu = swiglu<L>,
            .norm = norm<L>,
            .quantize = quantize<L>,
            .ropeHead = ropeHead<L>,
            .attentionChunk = attentionChunk<L>,
            .foldPart = foldPart<L>,
            .finishPart = finishPart<L>};
}

}  // namespace agens::device::cpu
