// SPDX-License-Identifier: Apache-2.0
// AVX2 with FMA and F16C: 16 lanes are two 256-bit registers. Byte products go through maddubs
// (pairs to s16): 8 code vectors × 15 · 127 · 2 = 30,480 stays below 32,767, so a whole group is
// summed in s16 before it is widened. 8-bit codes are taken as two nibbles, code = 16·high + low,
// for the same reason. Compiled with -mavx2 -mfma -mf16c (CMakeLists.txt).
#include <immintrin.h>

#include "engine/device/cpu/isa_kernels.h"

namespace agens::device::cpu {
namespace {

struct Avx2 {
    struct F {
        __m256 a, b;  // lanes 0 … 7, 8 … 15
    };
    struct Codes {
        __m256i a, b;
    };
    struct NibbleSum {
        __m256i a, b;  // s16 pairs
    };
    struct ByteSum {
        NibbleSum low, high;
        std::int32_t start;
    };

    static F bcast(float value) { return {_mm256_set1_ps(value), _mm256_set1_ps(value)}; }
    static F zero() { return {_mm256_setzero_ps(), _mm256_setzero_ps()}; }
    static F load(const float* from) { return {_mm256_loadu_ps(from), _mm256_loadu_ps(from + 8)}; }
    static void store(float* to, F value) {
        _mm256_storeu_ps(to, value.a);
        _mm256_storeu_ps(to + 8, value.b);
    }
    static F loadPartial(const float* from, std::uint32_t count) {
        float lanes[16] = {};
        for (std::uint32_t i = 0; i < count; ++i)
            lanes[i] = from[i];
        return load(lanes);
    }
    static void storePartial(float* to, F value, std::uint32_t count) {
        float lanes[16];
        store(lanes, value);
        for (std::uint32_t i = 0; i < count; ++i)
            to[i] = lanes[i];
    }
    static F loadHalf(const std::uint16_t* from) {
        return {_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))),
                _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 8)))};
    }
    static F loadHalfPartial(const std::uint16_t* from, std::uint32_t count) {
        std::uint16_t lanes[16] = {};
        for (std::uint32_t i = 0; i < count; ++i)
            lanes[i] = from[i];
        return loadHalf(lanes);
    }
    static __m256 bfloats(const std::uint16_t* from) {
        const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
    }
    static F loadBfloat(const std::uint16_t* from) { return {bfloats(from), bfloats(from + 8)}; }
    static F add(F x, F y) { return {_mm256_add_ps(x.a, y.a), _mm256_add_ps(x.b, y.b)}; }
    static F sub(F x, F y) { return {_mm256_sub_ps(x.a, y.a), _mm256_sub_ps(x.b, y.b)}; }
    static F mul(F x, F y) { return {_mm256_mul_ps(x.a, y.a), _mm256_mul_ps(x.b, y.b)}; }
    static F div(F x, F y) { return {_mm256_div_ps(x.a, y.a), _mm256_div_ps(x.b, y.b)}; }
    static F fma(F x, F y, F z) {
        return {_mm256_fmadd_ps(x.a, y.a, z.a), _mm256_fmadd_ps(x.b, y.b, z.b)};
    }
    static F min(F x, F y) { return {_mm256_min_ps(x.a, y.a), _mm256_min_ps(x.b, y.b)}; }
    static F max(F x, F y) { return {_mm256_max_ps(x.a, y.a), _mm256_max_ps(x.b, y.b)}; }
    static F abs(F x) {
        const __m256 sign = _mm256_set1_ps(-0.0F);
        return {_mm256_andnot_ps(sign, x.a), _mm256_andnot_ps(sign, x.b)};
    }
    static __m256 exp2OfHalf(__m256 n) {
        const __m256i biased = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127));
        return _mm256_castsi256_ps(_mm256_slli_epi32(biased, 23));
    }
    static F exp2OfInteger(F n) { return {exp2OfHalf(n.a), exp2OfHalf(n.b)}; }
    static F zeroWhereLess(F value, F x, F bound) {
        return {_mm256_and_ps(value.a, _mm256_cmp_ps(x.a, bound.a, _CMP_NLT_UQ)),
                _mm256_and_ps(value.b, _mm256_cmp_ps(x.b, bound.b, _CMP_NLT_UQ))};
    }
    static float largest(F x) {
        const __m256 eight = _mm256_max_ps(x.a, x.b);
        const __m128 four =
            _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
        const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
    }
    static float sum16(F x) {
        const __m256 eight = _mm256_add_ps(x.a, x.b);
        const __m128 four =
            _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
    }
    static float fma1(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

    static Codes loadCodes(const std::uint8_t* from) {
        const auto* halves = reinterpret_cast<const __m256i*>(from);
        return {_mm256_loadu_si256(halves), _mm256_loadu_si256(halves + 1)};
    }
    static __m256i lowHalf(__m256i pair) { return _mm256_and_si256(pair, _mm256_set1_epi8(15)); }
    static Codes low(Codes pair) { return {lowHalf(pair.a), lowHalf(pair.b)}; }
    static Codes high(Codes pair) {
        return {lowHalf(_mm256_srli_epi16(pair.a, 4)), lowHalf(_mm256_srli_epi16(pair.b, 4))};
    }
    static __m256i four(const std::int8_t* inputs) {
        std::int32_t word;
        __builtin_memcpy(&word, inputs, 4);
        return _mm256_set1_epi32(word);
    }
    static NibbleSum nibbleZero() { return {_mm256_setzero_si256(), _mm256_setzero_si256()}; }
    static NibbleSum nibbleDot(NibbleSum acc, Codes codes, const std::int8_t* inputs) {
        const __m256i word = four(inputs);
        return {_mm256_add_epi16(acc.a, _mm256_maddubs_epi16(codes.a, word)),
                _mm256_add_epi16(acc.b, _mm256_maddubs_epi16(codes.b, word))};
    }
    static __m256i widen(__m256i pairs, std::int16_t factor) {
        return _mm256_madd_epi16(pairs, _mm256_set1_epi16(factor));
    }
    static F toFloat(NibbleSum acc) {
        return {_mm256_cvtepi32_ps(widen(acc.a, 1)), _mm256_cvtepi32_ps(widen(acc.b, 1))};
    }
    static ByteSum byteStart(std::int32_t sum) { return {nibbleZero(), nibbleZero(), -128 * sum}; }
    static ByteSum byteDot(ByteSum acc, Codes codes, const std::int8_t* inputs) {
        return {nibbleDot(acc.low, low(codes), inputs), nibbleDot(acc.high, high(codes), inputs),
                acc.start};
    }
    static __m256i joined(__m256i low, __m256i high, std::int32_t start) {
        return _mm256_add_epi32(_mm256_add_epi32(widen(low, 1), widen(high, 16)),
                                _mm256_set1_epi32(start));
    }
    static F toFloat(ByteSum acc) {
        return {_mm256_cvtepi32_ps(joined(acc.low.a, acc.high.a, acc.start)),
                _mm256_cvtepi32_ps(joined(acc.low.b, acc.high.b, acc.start))};
    }
    static std::int32_t storeCodes(std::int8_t* to, F low, F high) {
        float lanes[32];
        store(lanes, low);
        store(lanes + 16, high);
        std::int32_t sum = 0;
        for (int i = 0; i < 32; ++i) {
            const auto code = static_cast<std::int32_t>(lanes[i]);
            to[i] = static_cast<std::int8_t>(code);
            sum += code;
        }
        return sum;
    }
};

constexpr KernelTable kKernels = makeKernels<Avx2>();

}  // namespace

const KernelTable& avx2Kernels() {
    return kKernels;
}

}  // namespace agens::device::cpu
