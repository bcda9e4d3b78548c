// SPDX-License-Identifier: Apache-2.0
// PackedMatrix: weights rearranged so that a vector lane is an output row ("R16"). No value
// changes: codes and scales are those of the file, in another place.
//
// Output rows stand in row blocks of 16, inputs in groups of 32. Rows are padded to 16 with zero
// scales and zero codes. Per (row block, group), groups innermost:
//
//   Q4_1  codes 4 × 64 bytes: byte 4r+b of vector i = inputs 4i+b (low nibble), 16+4i+b (high) of
//   row r
//         scales 16 × f16 scale, then 16 × f16 minimum
//   Q8_0  codes 8 × 64 bytes: byte 4r+b of vector i = input 4i+b of row r, stored as code + 128
//         scales 16 × f16 scale
//   F32, F16, BF16   no groups: element [k][16] of the row block, k = 0 … columns-1
//
// Both planes start on a 64-byte border, and so does every code vector of the block formats.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/base/aligned_buffer.h"
#include "engine/base/result.h"
#include "engine/device/cpu/kernel_table.h"
#include "engine/device/device.h"

namespace agens::device::cpu {

struct PackedWeights {
    AlignedBuffer memory;
    PackedMatrix matrix;
};

// Bytes of one row block in each plane.
std::uint64_t codeBytesOfBlock(BlockFormat format, std::uint32_t columns);
std::uint64_t scaleBytesOfBlock(BlockFormat format, std::uint32_t columns);

// `mode` F32: the matrix is dequantised and packed as F32.
Result<PackedWeights> pack(const MatrixSource& source, ActivationMode mode);

// One row back to values, by the definition of the format (the embedding is read this way).
void unpackRow(const PackedMatrix& matrix, std::uint32_t row, float* values);

}  // namespace agens::device::cpu
