// SPDX-License-Identifier: Apache-2.0
// f16 and bf16 ↔ f32, exact, in plain integer code. Hardware conversions give the same bits for
// every finite value and infinity (half_test walks all 65,536 patterns). f32 → f16 rounds to
// nearest, ties to even; values beyond 65,504 become infinity, as the hardware does. Always
// inlined: a file compiled for one instruction set must not leave a copy that others may link.
#pragma once

#include <bit>
#include <cstdint>

namespace agens::device {

inline __attribute__((always_inline)) constexpr float halfToFloat(std::uint16_t half) {
    const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1fu;
    const std::uint32_t fraction = half & 0x3ffu;
    if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
    if (exponent != 0)
        return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
    // Subnormal: fraction · 2^-24, exact in f32.
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

inline __attribute__((always_inline)) constexpr std::uint16_t floatToHalf(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) {  // NaN stays a NaN, quiet, upper payload kept
        return static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
    }
    if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
    if (magnitude < 0x38800000u) {
        // Below the smallest normal half: adding 2^-1 lets f32 round to a multiple of 2^-24.
        const float rounded = std::bit_cast<float>(magnitude) + 0.5F;
        return static_cast<std::uint16_t>(sign |
                                          (std::bit_cast<std::uint32_t>(rounded) - 0x3f000000u));
    }
    const std::uint32_t odd = (magnitude >> 13) & 1u;
    return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

inline __attribute__((always_inline)) constexpr float bfloatToFloat(std::uint16_t bfloat) {
    return std::bit_cast<float>(std::uint32_t{bfloat} << 16);
}

}  // namespace agens::device
