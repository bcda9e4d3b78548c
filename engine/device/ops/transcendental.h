// SPDX-License-Identifier: Apache-2.0
// exp and silu in f32, written once over a lane type, so that every device and ISA computes the
// same bits; libm is never called per element. L is a struct of static functions over its type L::F
// (one or more floats): bcast(float), add, sub, mul, div, min, max, fma(a, b, c) = a·b+c rounded
// once, exp2OfInteger(n) = 2^n for integral -126 <= n <= 127, zeroWhereLess(value, x, bound).
//
// exp: n = round(x · log2 e), r = x - n·ln2 in two parts (Cody and Waite), then the Taylor
// polynomial to r^7 in Horner form (|r| <= 0.347: remainder below 5e-9), times 2^n. Error over all
// floats in
// [-87, 88]: transcendental_test prints and bounds it. x < -87 → 0, x > 88 counts as 88.
#pragma once

namespace agens::device {

constexpr float kLog2E = 0x1.715476p+0F;
constexpr float kLn2High = 0x1.62e400p-1F;
constexpr float kLn2Low = 0x1.7f7d1cp-20F;
constexpr float kRoundMagic =
    12582912.0F;  // 1.5 · 2^23: adding and subtracting rounds half to even

template <class L>
inline __attribute__((always_inline)) typename L::F expLanes(typename L::F x) {
    const auto clamped = L::max(L::min(x, L::bcast(88.0F)), L::bcast(-87.0F));
    const auto magic = L::bcast(kRoundMagic);
    const auto n = L::sub(L::fma(clamped, L::bcast(kLog2E), magic), magic);
    auto r = L::fma(n, L::bcast(-kLn2High), clamped);
    r = L::fma(n, L::bcast(-kLn2Low), r);
    auto p = L::bcast(0x1.a01a02p-13F);           // 1/7!
    p = L::fma(p, r, L::bcast(0x1.6c16c2p-10F));  // 1/6!
    p = L::fma(p, r, L::bcast(0x1.111112p-7F));   // 1/5!
    p = L::fma(p, r, L::bcast(0x1.555556p-5F));   // 1/4!
    p = L::fma(p, r, L::bcast(0x1.555556p-3F));   // 1/3!
    p = L::fma(p, r, L::bcast(0.5F));
    p = L::fma(p, r, L::bcast(1.0F));
    p = L::fma(p, r, L::bcast(1.0F));
    return L::zeroWhereLess(L::mul(p, L::exp2OfInteger(n)), x, L::bcast(-87.0F));
}

template <class L>
inline __attribute__((always_inline)) typename L::F siluLanes(typename L::F x) {
    return L::div(x, L::add(L::bcast(1.0F), expLanes<L>(L::sub(L::bcast(0.0F), x))));
}

}  // namespace agens::device
