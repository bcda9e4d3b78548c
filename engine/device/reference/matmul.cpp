// SPDX-License-Identifier: Apache-2.0
// matmul (ops/matmul.h). Weight row outside, step rows inside: a row is decoded once, and the inner
// loop over step rows is what a compiler may turn into vector code without touching any sum's
// order.
#include <array>
#include <cmath>
#include <cstring>

#include "engine/device/formats/decode_row.h"
#include "engine/device/formats/q4_1.h"
#include "engine/device/formats/q8_0.h"
#include "engine/device/reference/reference_ops.h"

namespace agens::device::reference {
namespace {

// A block's integer codes, scale and minimum.
struct DotBlock {
    std::array<std::int32_t, kGroup> codes;
    float scale;
    float minimum;
};

void read(const Q4_1Block& block, DotBlock& out) {
    for (std::uint32_t i = 0; i < kGroup; ++i)
        out.codes[i] = static_cast<std::int32_t>(block.codeOf(i));
    out.scale = halfToFloat(block.scale);
    out.minimum = halfToFloat(block.minimum);
}

void read(const Q8_0Block& block, DotBlock& out) {
    for (std::uint32_t i = 0; i < kGroup; ++i)
        out.codes[i] = block.codes[i];
    out.scale = halfToFloat(block.scale);
    out.minimum = 0.0F;
}

// Exact: the integer is below 2^24.
float exactDot(const DotBlock& block, const std::int8_t* codes) {
    std::int32_t dot = 0;
    for (std::uint32_t i = 0; i < kGroup; ++i)
        dot += block.codes[i] * codes[i];
    return static_cast<float>(dot);
}

template <class Block, bool kHasMinimum>
void quantisedRow(const std::byte* weights, const Activation& in, std::uint32_t rows, float* out,
                  std::size_t stride) {
    const std::uint32_t groups = groupsOf(in.shape.columns);
    for (std::uint32_t row = 0; row < rows; ++row)
        out[row * stride] = 0.0F;
    for (std::uint32_t group = 0; group < groups; ++group) {
        Block raw;
        std::memcpy(&raw, weights + group * sizeof(Block), sizeof(Block));
        DotBlock block;
        read(raw, block);
        for (std::uint32_t row = 0; row < rows; ++row) {
            const std::size_t at = std::size_t{row} * groups + group;
            float& acc = out[row * stride];
            const float dot = exactDot(block, in.codes.data() + at * kGroup);
            acc = std::fma(dot, block.scale * in.scales[at], acc);
            if (in.shape.isWide) {
                const float rest = exactDot(block, in.restCodes.data() + at * kGroup);
                acc = std::fma(rest, block.scale * in.restScales[at], acc);
            }
            if constexpr (kHasMinimum) acc = std::fma(block.minimum, in.scaledSums[at], acc);
        }
    }
}

// acc[r] = fma(w[k], a[k][r], acc[r]) in ascending k. `columnsFirst` is the input transposed, so
// that neighbouring step rows are neighbours in memory.
inline __attribute__((always_inline)) void fmaColumns(const float* weights,
                                                      const float* columnsFirst,
                                                      std::size_t columns, std::size_t rows,
                                                      float* acc) {
    for (std::size_t k = 0; k < columns; ++k) {
        for (std::size_t row = 0; row < rows; ++row) {
            acc[row] = __builtin_fmaf(weights[k], columnsFirst[k * rows + row], acc[row]);
        }
    }
}

void fmaColumnsAnywhere(const float* weights, const float* columnsFirst, std::size_t columns,
                        std::size_t rows, float* acc) {
    fmaColumns(weights, columnsFirst, columns, rows, acc);
}

// The same code with the instruction instead of the library's fma: same bits, eight times as fast.
__attribute__((target("fma"))) void fmaColumnsHardware(const float* weights,
                                                       const float* columnsFirst,
                                                       std::size_t columns, std::size_t rows,
                                                       float* acc) {
    fmaColumns(weights, columnsFirst, columns, rows, acc);
}

void floatRows(const Matrix& matrix, const Activation& in, std::uint32_t rows,
               std::span<float> out) {
    const std::size_t columns = matrix.columns;
    std::vector<float> columnsFirst(columns * rows);
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t k = 0; k < columns; ++k) {
            columnsFirst[k * rows + row] = in.values[row * columns + k];
        }
    }
    const auto kernel =
        __builtin_cpu_supports("fma") != 0 ? fmaColumnsHardware : fmaColumnsAnywhere;
    std::vector<float> weights(columns);
    std::vector<float> acc(rows);
    for (std::uint32_t output = 0; output < matrix.rows; ++output) {
        decodeRow(matrix.format, matrix.row(output), weights);
        std::fill(acc.begin(), acc.end(), 0.0F);
        kernel(weights.data(), columnsFirst.data(), columns, rows, acc.data());
        for (std::size_t row = 0; row < rows; ++row)
            out[row * matrix.rows + output] = acc[row];
    }
}

}  // namespace

void matmulRows(const Matrix& matrix, const Activation& in, std::uint32_t rows, bool dequantise,
                std::span<float> out) {
    if (dequantise || isFloat(matrix.format)) return floatRows(matrix, in, rows, out);
    for (std::uint32_t output = 0; output < matrix.rows; ++output) {
        const std::byte* weights = matrix.row(output);
        if (matrix.format == BlockFormat::Q4_1) {
            quantisedRow<Q4_1Block, true>(weights, in, rows, out.data() + output, matrix.rows);
        } else {
            quantisedRow<Q8_0Block, false>(weights, in, rows, out.data() + output, matrix.rows);
        }
    }
}

}  // namespace agens::device::reference
