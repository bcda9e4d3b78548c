// SPDX-License-Identifier: Apache-2.0
// What happens to one row: norm, quantise (ops/activation.h), rope and the write to the cache, over
// the lane type L of isa_kernels.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/device/cpu/kernel_table.h"
#include "engine/device/formats/half.h"
#include "engine/device/ops/activation.h"
#include "engine/device/ops/transcendental.h"
#include "engine/device/step_io.h"

namespace agens::device::cpu {

//

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

//

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

}  // namespace agens::device::cpu
