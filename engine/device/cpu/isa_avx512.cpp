// SPDX-License-Identifier: Apache-2.0
// AVX-512 with VNNI: one 512-bit register = 16 output rows; 4 code bytes of a row × 4 input bytes
// are one dot-product instruction. Compiled with -mavx512{f,bw,dq,vl,vnni} -mf16c -mfma
// (CMakeLists.txt).
#include <immintrin.h>

#include "engine/device/cpu/isa_kernels.h"

namespace agens::device::cpu {
namespace {

struct Avx512 {
    using F = __m512;
    using Codes = __m512i;
    struct NibbleSum {
        __m512i sum;
    };
    using ByteSum = NibbleSum;

    static __mmask16 lanes(std::uint32_t count) {
        return static_cast<__mmask16>((1U << count) - 1U);
    }

    static F bcast(float value) { return _mm512_set1_ps(value); }
    static F zero() { return _mm512_setzero_ps(); }
    static F load(const float* from) { return _mm512_loadu_ps(from); }
    static void store(float* to, F value) { _mm512_storeu_ps(to, value); }
    static F loadPartial(const float* from, std::uint32_t count) {
        return _mm512_maskz_loadu_ps(lanes(count), from);
    }
    static void storePartial(float* to, F value, std::uint32_t count) {
        _mm512_mask_storeu_ps(to, lanes(count), value);
    }
    static F loadHalf(const std::uint16_t* from) {
        return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    }
    static F loadHalfPartial(const std::uint16_t* from, std::uint32_t count) {
        return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(lanes(count), from));
    }
    static F loadBfloat(const std::uint16_t* from) {
        const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
    }
    static F add(F a, F b) { return _mm512_add_ps(a, b); }
    static F sub(F a, F b) { return _mm512_sub_ps(a, b); }
    static F mul(F a, F b) { return _mm512_mul_ps(a, b); }
    static F div(F a, F b) { return _mm512_div_ps(a, b); }
    static F fma(F a, F b, F c) { return _mm512_fmadd_ps(a, b, c); }
    static F min(F a, F b) { return _mm512_min_ps(a, b); }
    static F max(F a, F b) { return _mm512_max_ps(a, b); }
    static F abs(F a) { return _mm512_abs_ps(a); }
    static F exp2OfInteger(F n) {
        const __m512i biased = _mm512_add_epi32(_mm512_cvtps_epi32(n), _mm512_set1_epi32(127));
        return _mm512_castsi512_ps(_mm512_slli_epi32(biased, 23));
    }
    static F zeroWhereLess(F value, F x, F bound) {
        return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, bound, _CMP_NLT_UQ), value);
    }
    static float largest(F a) { return _mm512_reduce_max_ps(a); }
    static float sum16(F a) {
        const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1));
        const __m128 four =
            _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
    }
    static float fma1(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

    static Codes loadCodes(const std::uint8_t* from) { return _mm512_loadu_si512(from); }
    static Codes low(Codes pair) { return _mm512_and_si512(pair, _mm512_set1_epi8(15)); }
    static Codes high(Codes pair) {
        return _mm512_and_si512(_mm512_srli_epi16(pair, 4), _mm512_set1_epi8(15));
    }
    static __m512i four(const std::int8_t* inputs) {
        std::int32_t word;
        __builtin_memcpy(&word, inputs, 4);
        return _mm512_set1_epi32(word);
    }
    static NibbleSum nibbleZero() { return {_mm512_setzero_si512()}; }
    static NibbleSum nibbleDot(NibbleSum acc, Codes codes, const std::int8_t* inputs) {
        return {_mm512_dpbusd_epi32(acc.sum, codes, four(inputs))};
    }
    static F toFloat(NibbleSum acc) { return _mm512_cvtepi32_ps(acc.sum); }
    // Codes are stored + 128: start at -128 · Σ inputs.
    static ByteSum byteStart(std::int32_t sum) { return {_mm512_set1_epi32(-128 * sum)}; }
    static ByteSum byteDot(ByteSum acc, Codes codes, const std::int8_t* inputs) {
        return nibbleDot(acc, codes, inputs);
    }
    static std::int32_t storeCodes(std::int8_t* to, F low, F high) {
        const __m512i first = _mm512_cvtps_epi32(low);
        const __m512i second = _mm512_cvtps_epi32(high);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(first));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 16), _mm512_cvtepi32_epi8(second));
        return _mm512_reduce_add_epi32(_mm512_add_epi32(first, second));
    }
};

constexpr KernelTable kKernels = makeKernels<Avx512>();

}  // namespace

const KernelTable& avx512Kernels() {
    return kKernels;
}

}  // namespace agens::device::cpu
