// SPDX-License-Identifier: Apache-2.0
// Philox, dln, dexp: every operation in the order the golden values were made with.
#include "engine/sampling/noise.h"

#include <bit>
#include <cmath>
#include <cstddef>

#include "engine/base/check.h"

namespace agens::sampling {
namespace {

constexpr double kLn2High = 0x1.62e42fefa39efp-1;
constexpr double kLn2Low = 0x1.abc9e3b39803fp-56;
constexpr double kOneOverLn2 = 0x1.71547652b82fep+0;
constexpr double kSqrt2 = 0x1.6a09e667f3bcdp+0;
constexpr std::uint64_t kMantissaBits = 52;
constexpr std::uint64_t kMantissaMask = (1ULL << kMantissaBits) - 1;
constexpr std::int64_t kExponentBias = 1023;

// Adding and subtracting 1.5 * 2^52 rounds to an integer, half to even, without a libm call.
constexpr double kRoundToInteger = 0x1.8p+52;

// 1/i! rounded to double, i = 0 … 13 (the factorials up to 13! are exact).
constexpr std::array<double, 14> kInverseFactorials = [] {
    std::array<double, 14> table{};
    double factorial = 1.0;
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (i > 0) factorial *= static_cast<double>(i);
        table[i] = 1.0 / factorial;
    }
    return table;
}();

double powerOfTwo(std::int64_t exponent) {  // -1022 … 1023
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kExponentBias)
                                 << kMantissaBits);
}

// Inlined into a caller with and one without the fused instruction: equal bits either way, since a
// fused multiply-add has one correct result.
[[gnu::always_inline]] inline double dexpBody(double x) {
    if (x < -700.0) return 0.0;
    const double k = (x * kOneOverLn2 + kRoundToInteger) - kRoundToInteger;
    const double r = __builtin_fma(-k, kLn2Low, __builtin_fma(-k, kLn2High, x));
    double p = kInverseFactorials[13];
    for (std::size_t i = 13; i-- > 0;)
        p = __builtin_fma(p, r, kInverseFactorials[i]);
    return p * powerOfTwo(static_cast<std::int64_t>(k));
}

void dexpAllPlain(std::span<const double> x, std::span<double> out) {
    for (std::size_t i = 0; i < x.size(); ++i)
        out[i] = dexpBody(x[i]);
}

#if defined(__x86_64__)
[[gnu::target("fma,avx2")]] void dexpAllFused(std::span<const double> x, std::span<double> out) {
    for (std::size_t i = 0; i < x.size(); ++i)
        out[i] = dexpBody(x[i]);
}

bool hasFusedMultiplyAdd() {
    return __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("avx2") != 0;
}
#endif

std::uint64_t joinWords(std::uint32_t high, std::uint32_t low) {
    return (std::uint64_t{high} << 20) | (low >> 12);
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c,
                                    std::array<std::uint32_t, 2> key) {
    constexpr std::uint64_t kMultiplier0 = 0xD2511F53;
    constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57;
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t product0 = kMultiplier0 * c[0];
        const std::uint64_t product1 = kMultiplier1 * c[2];
        c = {static_cast<std::uint32_t>(product1 >> 32) ^ c[1] ^ key[0],
             static_cast<std::uint32_t>(product1),
             static_cast<std::uint32_t>(product0 >> 32) ^ c[3] ^ key[1],
             static_cast<std::uint32_t>(product0)};
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
    return c;
}

NoisePair noiseBitsOfPair(const NoiseKey& key, std::uint32_t pair) {
    const std::array<std::uint32_t, 4> words =
        philox({pair, key.position, key.choice, static_cast<std::uint32_t>(key.domain)},
               {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)});
    return {joinWords(words[0], words[1]), joinWords(words[2], words[3])};
}

std::uint64_t noiseBits(const NoiseKey& key, std::uint32_t v) {
    const NoisePair pair = noiseBitsOfPair(key, v >> 1);
    return (v & 1) == 0 ? pair.even : pair.odd;
}

double unitOf(std::uint64_t bits) {
    return static_cast<double>(2 * bits + 1) * 0x1p-53;
}

double gumbelOf(std::uint64_t bits) {
    return -dln(-dln(unitOf(bits)));
}

double gumbelBound(std::uint64_t bits) {
    // b leading ones of the 52: 1 - u > 2^-(b+1), so the noise is below (b + 1) ln 2. The constant
    // is above ln 2 by 3e-4, far more than dln's error.
    const int leadingOnes = std::countl_one(bits << 12);
    return static_cast<double>(leadingOnes + 1) * 0.6935;
}

double dln(double x) {
    DCHECK(std::isnormal(x) && x > 0) << "dln of " << x;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    auto exponent = static_cast<std::int64_t>(bits >> kMantissaBits) - kExponentBias;
    double m = std::bit_cast<double>((bits & kMantissaMask) |
                                     (static_cast<std::uint64_t>(kExponentBias) << kMantissaBits));
    if (m > kSqrt2) {
        m = 0.5 * m;
        ++exponent;
    }
    const double s = (m - 1.0) / (m + 1.0);
    const double z = s * s;
    double p = 2.0 / 21.0;
    for (int i = 9; i >= 1; --i)
        p = std::fma(p, z, 2.0 / static_cast<double>(2 * i + 1));
    const double q = (s * z) * p;
    const auto e = static_cast<double>(exponent);
    return std::fma(e, kLn2High, 2.0 * s + std::fma(e, kLn2Low, q));
}

double dexp(double x) {
    return dexpBody(x);
}

void dexpAll(std::span<const double> x, std::span<double> out) {
    CHECK(x.size() <= out.size()) << x.size() << " exponents into " << out.size();
#if defined(__x86_64__)
    if (hasFusedMultiplyAdd()) return dexpAllFused(x, out);
#endif
    dexpAllPlain(x, out);
}

}  // namespace agens::sampling
