// SPDX-License-Identifier: Apache-2.0
// KernelTable: the inner loops of the CPU device, one table per instruction set (isa_*.cpp). Plain
// structs and function pointers: the files behind it are compiled for one instruction set each, so
// nothing here may drag in inline code that the linker could share with the rest of the program.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/device/formats/block_format.h"

namespace agens::device::cpu {

constexpr std::uint32_t kRowBlock = 16;
constexpr std::uint32_t kQueriesMost = 6;  // query vectors that share one pass over a page

// Weights in the layout drawn in packed_matrix.h.
struct PackedMatrix {
    BlockFormat format = BlockFormat::F32;
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::uint32_t rowBlocks = 0;
    const std::byte* codes = nullptr;
    const std::byte* scales = nullptr;
};

// Rows of an activation (ops/activation.h): values [rows, columns]; codes [rows, groups · 32];
// scales, scaledSums, sums [rows, groups]. Parts that its shape does not ask for are null.
struct ActivationRows {
    float* values = nullptr;
    std::int8_t* codes = nullptr;
    float* scales = nullptr;
    float* scaledSums = nullptr;
    std::int32_t* sums = nullptr;
    std::int8_t* restCodes = nullptr;  // wide only, as codes
    float* restScales = nullptr;       // wide only, as scales
    std::int32_t* restSums = nullptr;  // wide only, as sums
    std::uint32_t columns = 0;
    std::uint32_t groups = 0;
};

// Row blocks [blockBegin, blockEnd) of one matrix for all rows.
struct MatmulArgs {
    PackedMatrix matrix;
    ActivationRows in;
    std::uint32_t rows = 0;
    std::uint32_t blockBegin = 0;
    std::uint32_t blockEnd = 0;
    float* out = nullptr;  // [rows, outStride]
    std::uint32_t outStride = 0;
    const float* bias = nullptr;
    bool accumulate = false;
};

struct SwigluArgs {
    PackedMatrix gate;
    PackedMatrix up;
    ActivationRows in;
    std::uint32_t rows = 0;
    std::uint32_t blockBegin = 0;
    std::uint32_t blockEnd = 0;
    float* out = nullptr;
    std::uint32_t outStride = 0;
};

// One head of one row: rotate in place; with `keys` also write it and the value to the cache.
struct RopeHeadArgs {
    float* head = nullptr;         // [headDim]
    const float* table = nullptr;  // [dims]: cos, sin of each pair
    std::uint32_t headDim = 0;
    std::uint32_t dims = 0;
    bool adjacent = false;
    void* keys = nullptr;          // K tile [headDim][256], or null for a query head
    void* values = nullptr;        // V tile [256][headDim]
    const float* value = nullptr;  // [headDim]
    std::uint32_t place = 0;       // position in the page
    bool halves = true;            // element format of the cache
};

// Up to kQueriesMost query vectors over one page of one KV head (ops/attention.h).
struct AttentionChunkArgs {
    const void* keys = nullptr;
    const void* values = nullptr;
    bool halves = true;
    std::uint32_t headDim = 0;
    float scale = 1.0F;
    std::uint32_t queries = 0;
    const float* query[kQueriesMost] = {};
    std::uint32_t visible[kQueriesMost] = {};  // positions of this page the query sees, 1 … 256
    float* part[kQueriesMost] = {};            // partFloats(headDim) each
};

// A chunk's contribution: weighted [headDim], then the maximum, then the sum.
constexpr std::uint32_t partFloats(std::uint32_t headDim) {
    return headDim + 2;
}

struct KernelTable {
    void (*matmul)(const MatmulArgs&);
    void (*swiglu)(const SwigluArgs&);
    void (*norm)(const float* in, const float* weight, std::uint32_t columns, float eps,
                 float* out);
    void (*quantize)(const float* in, std::uint32_t row, const ActivationRows& out);
    void (*ropeHead)(const RopeHeadArgs&);
    void (*attentionChunk)(const AttentionChunkArgs&);
    void (*foldPart)(float* total, const float* part, std::uint32_t headDim);
    void (*finishPart)(const float* total, std::uint32_t headDim, float* out);
};

const KernelTable& scalarKernels();
const KernelTable& scalarFmaKernels();
const KernelTable& avx2Kernels();
const KernelTable& avx512Kernels();

}  // namespace agens::device::cpu
