// SPDX-License-Identifier: Apache-2.0
// embed, norm_quantize, quantize, rope and the element functions (ops/).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "engine/device/formats/decode_row.h"
#include "engine/device/ops/transcendental.h"
#include "engine/device/reference/reference_ops.h"

namespace agens::device::reference {
namespace {

// One float as the lane type of transcendental.h.
struct OneLane {
    using F = float;
    static F bcast(float value) { return value; }
    static F add(F a, F b) { return a + b; }
    static F sub(F a, F b) { return a - b; }
    static F mul(F a, F b) { return a * b; }
    static F div(F a, F b) { return a / b; }
    static F fma(F a, F b, F c) { return std::fma(a, b, c); }
    static F min(F a, F b) { return a < b ? a : b; }
    static F max(F a, F b) { return a > b ? a : b; }
    static F exp2OfInteger(F n) {
        return std::bit_cast<float>((static_cast<std::uint32_t>(static_cast<std::int32_t>(n) + 127))
                                    << 23);
    }
    static F zeroWhereLess(F value, F x, F bound) { return x < bound ? 0.0F : value; }
};

}  // namespace

float exponential(float x) {
    return expLanes<OneLane>(x);
}
float silu(float x) {
    return siluLanes<OneLane>(x);
}

void Activation::resize(std::uint32_t rows) {
    const std::size_t groups = groupsOf(shape.columns);
    if (shape.needsFloat) values.resize(std::size_t{rows} * shape.columns);
    if (!shape.needsInt8) return;
    codes.resize(rows * groups * kGroup);
    scales.resize(rows * groups);
    scaledSums.resize(rows * groups);
    if (!shape.isWide) return;
    restCodes.resize(rows * groups * kGroup);
    restScales.resize(rows * groups);
}

void embedRow(const Matrix& table, std::int32_t token, float scale, std::span<float> out) {
    decodeRow(table.format, table.row(static_cast<std::uint32_t>(token)), out);
    if (scale == 1.0F) return;
    for (float& value : out)
        value *= scale;
}

void normRow(std::span<const float> in, std::span<const float> weight, float eps,
             std::span<float> out) {
    std::array<float, 16> partial{};
    for (std::size_t i = 0; i < in.size(); ++i) {
        partial[i % 16] = std::fma(in[i], in[i], partial[i % 16]);
    }
    for (std::size_t width = 8; width >= 1; width /= 2) {
        for (std::size_t j = 0; j < width; ++j)
            partial[j] += partial[j + width];
    }
    const float mean = partial[0] / static_cast<float>(in.size());
    const float inverse = 1.0F / std::sqrt(mean + eps);
    for (std::size_t i = 0; i < in.size(); ++i)
        out[i] = in[i] * inverse * weight[i];
}

namespace {

struct Quantised {
    float scale;
    std::int32_t sum;
};

// One group: codes of up to 32 values, zeros behind them.
Quantised quantizeGroup(std::span<const float> values, std::int8_t* codes) {
    float largest = 0.0F;
    for (const float value : values)
        largest = std::max(largest, std::fabs(value));
    Quantised out{.scale = largest / 127.0F, .sum = 0};
    for (std::size_t i = 0; i < kGroup; ++i) {
        float code = 0.0F;
        // Adding and subtracting 1.5 · 2^23 rounds half to even.
        if (i < values.size() && out.scale != 0.0F) {
            code = values[i] / out.scale + kRoundMagic - kRoundMagic;
        }
        codes[i] = static_cast<std::int8_t>(code);
        out.sum += codes[i];
    }
    return out;
}

}  // namespace

void quantizeRow(std::span<const float> in, Activation& out, std::uint32_t row) {
    if (out.shape.needsFloat) {
        std::ranges::copy(in, out.values.begin() + static_cast<std::ptrdiff_t>(row * in.size()));
    }
    if (!out.shape.needsInt8) return;
    const std::size_t groups = groupsOf(out.shape.columns);
    for (std::size_t group = 0; group < groups; ++group) {
        const std::size_t at = row * groups + group;
        const std::size_t begin = group * kGroup;
        const auto values = in.subspan(begin, std::min<std::size_t>(kGroup, in.size() - begin));
        std::int8_t* codes = out.codes.data() + at * kGroup;
        const Quantised first = quantizeGroup(values, codes);
        out.scales[at] = first.scale;
        out.scaledSums[at] = first.scale * static_cast<float>(first.sum);
        if (!out.shape.isWide) continue;
        std::array<float, kGroup> rest{};
        for (std::size_t i = 0; i < values.size(); ++i) {
            rest[i] = std::fma(-first.scale, static_cast<float>(codes[i]), values[i]);
        }
        const Quantised second =
            quantizeGroup(std::span(rest).first(values.size()), out.restCodes.data() + at * kGroup);
        out.restScales[at] = second.scale;
        out.scaledSums[at] += second.scale * static_cast<float>(second.sum);
    }
}

void ropeRow(std::span<float> heads, std::uint32_t headDim, std::uint32_t dims, RopePairing pairing,
             std::span<const float> table) {
    for (std::size_t head = 0; head < heads.size(); head += headDim) {
        for (std::uint32_t pair = 0; pair < dims / 2; ++pair) {
            const bool adjacent = pairing == RopePairing::Adjacent;
            float& a = heads[head + (adjacent ? 2 * pair : pair)];
            float& b = heads[head + (adjacent ? 2 * pair + 1 : pair + dims / 2)];
            const float cosine = table[2 * pair];
            const float sine = table[2 * pair + 1];
            const float rotatedA = std::fma(a, cosine, -(b * sine));
            b = std::fma(b, cosine, a * sine);
            a = rotatedA;
        }
    }
}

}  // namespace agens::device::reference
