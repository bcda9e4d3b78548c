// SPDX-License-Identifier: Apache-2.0
// 16 lanes as an array, for machines without AVX2. Included by isa_scalar.cpp (fma from the C
// library) and isa_scalar_fma.cpp (the fma instruction), which must give the same bits. No include
// guard needed beyond this one: each file includes it once, inside its own anonymous namespace.
#pragma once

struct ScalarLanes {
    struct F {
        float lane[16];
    };
    struct Codes {
        std::uint8_t byte[64];
    };
    struct NibbleSum {
        std::int32_t lane[16];
    };
    using ByteSum = NibbleSum;

    template <class Function>
    static F each(Function function) {
        F out;
        for (int i = 0; i < 16; ++i)
            out.lane[i] = function(i);
        return out;
    }
    static F bcast(float value) {
        return each([=](int) { return value; });
    }
    static F zero() { return bcast(0.0F); }
    static F load(const float* from) {
        return each([=](int i) { return from[i]; });
    }
    static void store(float* to, F value) {
        for (int i = 0; i < 16; ++i)
            to[i] = value.lane[i];
    }
    static F loadPartial(const float* from, std::uint32_t count) {
        return each([=](int i) { return static_cast<std::uint32_t>(i) < count ? from[i] : 0.0F; });
    }
    static void storePartial(float* to, F value, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i)
            to[i] = value.lane[i];
    }
    static F loadHalf(const std::uint16_t* from) {
        return each([=](int i) { return halfToFloat(from[i]); });
    }
    static F loadHalfPartial(const std::uint16_t* from, std::uint32_t count) {
        return each([=](int i) {
            return static_cast<std::uint32_t>(i) < count ? halfToFloat(from[i]) : 0.0F;
        });
    }
    static F loadBfloat(const std::uint16_t* from) {
        return each([=](int i) { return bfloatToFloat(from[i]); });
    }
    static F add(F x, F y) {
        return each([&](int i) { return x.lane[i] + y.lane[i]; });
    }
    static F sub(F x, F y) {
        return each([&](int i) { return x.lane[i] - y.lane[i]; });
    }
    static F mul(F x, F y) {
        return each([&](int i) { return x.lane[i] * y.lane[i]; });
    }
    static F div(F x, F y) {
        return each([&](int i) { return x.lane[i] / y.lane[i]; });
    }
    static F fma(F x, F y, F z) {
        return each([&](int i) { return __builtin_fmaf(x.lane[i], y.lane[i], z.lane[i]); });
    }
    static F min(F x, F y) {
        return each([&](int i) { return x.lane[i] < y.lane[i] ? x.lane[i] : y.lane[i]; });
    }
    static F max(F x, F y) {
        return each([&](int i) { return x.lane[i] > y.lane[i] ? x.lane[i] : y.lane[i]; });
    }
    static F abs(F x) {
        return each([&](int i) { return __builtin_fabsf(x.lane[i]); });
    }
    static F exp2OfInteger(F n) {
        return each([&](int i) {
            const auto bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(n.lane[i]) + 127)
                              << 23;
            float power;
            __builtin_memcpy(&power, &bits, 4);
            return power;
        });
    }
    static F zeroWhereLess(F value, F x, F bound) {
        return each([&](int i) { return x.lane[i] < bound.lane[i] ? 0.0F : value.lane[i]; });
    }
    static float largest(F x) {
        float most = x.lane[0];
        for (int i = 1; i < 16; ++i)
            most = x.lane[i] > most ? x.lane[i] : most;
        return most;
    }
    static float sum16(F x) {
        for (int width = 8; width >= 1; width /= 2) {
            for (int i = 0; i < width; ++i)
                x.lane[i] += x.lane[i + width];
        }
        return x.lane[0];
    }
    static float fma1(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

    static Codes loadCodes(const std::uint8_t* from) {
        Codes codes;
        __builtin_memcpy(codes.byte, from, 64);
        return codes;
    }
    static Codes low(Codes pair) {
        for (std::uint8_t& byte : pair.byte)
            byte = byte & 15U;
        return pair;
    }
    static Codes high(Codes pair) {
        for (std::uint8_t& byte : pair.byte)
            byte = static_cast<std::uint8_t>(byte >> 4U);
        return pair;
    }
    static NibbleSum same(std::int32_t value) {
        NibbleSum sum;
        for (std::int32_t& lane : sum.lane)
            lane = value;
        return sum;
    }
    static NibbleSum nibbleZero() { return same(0); }
    static NibbleSum nibbleDot(NibbleSum acc, const Codes& codes, const std::int8_t* inputs) {
        for (int i = 0; i < 16; ++i) {
            for (int b = 0; b < 4; ++b)
                acc.lane[i] += codes.byte[i * 4 + b] * inputs[b];
        }
        return acc;
    }
    static F toFloat(NibbleSum acc) {
        return each([&](int i) { return static_cast<float>(acc.lane[i]); });
    }
    static ByteSum byteStart(std::int32_t sum) { return same(-128 * sum); }
    static ByteSum byteDot(ByteSum acc, const Codes& codes, const std::int8_t* inputs) {
        return nibbleDot(acc, codes, inputs);
    }
    static std::int32_t storeCodes(std::int8_t* to, F low, F high) {
        std::int32_t sum = 0;
        for (int i = 0; i < 16; ++i) {
            to[i] = static_cast<std::int8_t>(low.lane[i]);
            to[i + 16] = static_cast<std::int8_t>(high.lane[i]);
            sum += to[i] + to[i + 16];
        }
        return sum;
    }
};
