// SPDX-License-Identifier: Apache-2.0
// The random numbers of the sampler: keyed by (seed, position, token id), never by the order of
// calls.
//
//   unit()    u in (0, 1), 52 random bits of Philox4x32-10, exact in double
//   gumbel()  -dln(-dln(u)), range -3.6038 … 36.7368
//   dln()     natural logarithm, dexp() exponential: our own, because libm's bits differ between
//             versions. IEEE double, round to nearest even, fused multiply-add exactly where
//             written.
//
// A reply can therefore be replayed bit for bit on any machine, and a draft can be checked
// against the target's own choice (design: lossless verification). 560 golden lines:
// tests/golden/noise.
// Thread: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace agens::sampling {

enum class NoiseDomain : std::uint32_t { Token = 0, XtcCoin = 1 };

// Ten rounds of Philox 4x32.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

// Where a number stands: position = where the chosen token will stand, choice = index among
// parallel choices of one request.
struct NoiseKey {
    std::uint64_t seed = 0;
    std::uint32_t position = 0;
    std::uint32_t choice = 0;
    NoiseDomain domain = NoiseDomain::Token;
};

// The 52 random bits of token v; two neighbouring tokens share one Philox block.
std::uint64_t noiseBits(const NoiseKey& key, std::uint32_t v);
struct NoisePair {
    std::uint64_t even = 0;
    std::uint64_t odd = 0;
};
NoisePair noiseBitsOfPair(const NoiseKey& key, std::uint32_t pair);  // tokens 2 pair, 2 pair + 1

double unitOf(std::uint64_t bits);    // (2 bits + 1) 2^-53
double gumbelOf(std::uint64_t bits);  // noise of these 52 bits
// Never below gumbelOf(bits), from the number of leading ones: -ln(-ln u) <= -ln(1 - u).
double gumbelBound(std::uint64_t bits);

inline double unit(const NoiseKey& key, std::uint32_t v) {
    return unitOf(noiseBits(key, v));
}
inline double gumbel(const NoiseKey& key, std::uint32_t v) {
    return gumbelOf(noiseBits(key, v));
}

double dln(double x);   // x positive and normal; error < 1.6 ulp
double dexp(double x);  // x <= 0; 0 below -700; error < 0.9 ulp

// out[i] = dexp(x[i]); the same bits, with the hardware's fused multiply-add where there is one.
void dexpAll(std::span<const double> x, std::span<double> out);

}  // namespace agens::sampling
