// SPDX-License-Identifier: Apache-2.0
// The ops of ops/ in plain scalar code: slow, obvious, the definition of every bit. Each function
// computes whole rows; the reference device calls them in program order, tests call them one by
// one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/device/formats/block_format.h"
#include "engine/device/kv_layout.h"
#include "engine/device/ops/activation.h"
#include "engine/device/step_program.h"

namespace agens::device::reference {

// Weights as the file has them.
struct Matrix {
    BlockFormat format = BlockFormat::F32;
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::vector<std::byte> bytes;
    const std::byte* row(std::uint32_t index) const {
        return bytes.data() + index * rowBytes(format, columns);
    }
};

// Rows of an activation; only the parts its shape asks for are filled.
struct Activation {
    ActivationShape shape;
    std::vector<float> values;           // [rows, columns]
    std::vector<std::int8_t> codes;      // [rows, groups · 32]
    std::vector<float> scales;           // [rows, groups]
    std::vector<float> scaledSums;       // [rows, groups]
    std::vector<std::int8_t> restCodes;  // wide only, as codes
    std::vector<float> restScales;       // wide only, as scales
    void resize(std::uint32_t rows);
};

// The KV pool: f32 or f16 elements.
struct KvPool {
    KvLayout layout;
    std::vector<std::byte> bytes;
    float read(PageId page, std::uint64_t element) const;
    void write(PageId page, std::uint64_t element, float value);
};

void embedRow(const Matrix& table, std::int32_t token, float scale, std::span<float> out);
void normRow(std::span<const float> in, std::span<const float> weight, float eps,
             std::span<float> out);
void quantizeRow(std::span<const float> in, Activation& out, std::uint32_t row);
// out[r · n + o] = matrix row o · input row r, for `rows` rows; a float matrix reads values, a
// quantised one codes unless `dequantise`.
void matmulRows(const Matrix& matrix, const Activation& in, std::uint32_t rows, bool dequantise,
                std::span<float> out);
float silu(float x);
float exponential(float x);
void ropeRow(std::span<float> heads, std::uint32_t headDim, std::uint32_t dims, RopePairing pairing,
             std::span<const float> table);
// One query head over positions 0 … length-1 of its sequence.
void attentionRow(const KvPool& pool, std::span<const PageId> pages, const Attention& op,
                  std::uint32_t kvHead, std::uint32_t length, std::span<const float> query,
                  std::span<float> out);

}  // namespace agens::device::reference
