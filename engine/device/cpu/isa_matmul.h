// SPDX-License-Identifier: Apache-2.0
// matmul and swiglu_matmul over the lane type L of isa_kernels.h.
//
// A tile is one row block (16 outputs) × R input rows. Weights are unpacked once per tile and used
// for all R rows; R multiplies accumulator sets and touches no sum's order. 8 rows: 8 float and up
// to 8 integer accumulators, 8 code vectors, 2 scale vectors = 26 of 32 vector registers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/device/cpu/kernel_table.h"
#include "engine/device/ops/activation.h"
#include "engine/device/ops/transcendental.h"

namespace agens::device::cpu {

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

}  // namespace agens::device::cpu
