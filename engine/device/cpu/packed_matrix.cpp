// SPDX-License-Identifier: Apache-2.0
// Rearranging blocks; see the drawing in packed_matrix.h.
#include "engine/device/cpu/packed_matrix.h"

#include <cstring>
#include <vector>

#include "engine/device/formats/decode_row.h"
#include "engine/device/formats/half.h"
#include "engine/device/formats/q4_1.h"
#include "engine/device/formats/q8_0.h"
#include "engine/device/ops/activation.h"

namespace agens::device::cpu {
namespace {

std::uint32_t elementBytes(BlockFormat format) {
    return factsOf(format).blockBytes;
}

// Writes lane `lane` of one (row block, group).
void packBlock(const Q4_1Block& block, std::uint32_t lane, std::uint8_t* codes,
               std::uint16_t* scales) {
    for (std::uint32_t i = 0; i < 16; ++i) {
        const auto low = block.codeOf(i);
        const auto high = block.codeOf(i + 16);
        codes[i / 4 * 64 + lane * 4 + i % 4] = static_cast<std::uint8_t>(low | high << 4);
    }
    scales[lane] = block.scale;
    scales[kRowBlock + lane] = block.minimum;
}

void packBlock(const Q8_0Block& block, std::uint32_t lane, std::uint8_t* codes,
               std::uint16_t* scales) {
    for (std::uint32_t i = 0; i < 32; ++i) {
        codes[i / 4 * 64 + lane * 4 + i % 4] = static_cast<std::uint8_t>(block.codes[i] + 128);
    }
    scales[lane] = block.scale;
}

template <class Block>
void packRows(const MatrixSource& source, std::uint8_t* codes, std::byte* scales) {
    const std::uint32_t groups = source.columns / Block::kValues;
    const std::uint64_t codeStride = codeBytesOfBlock(source.format, source.columns) / groups;
    const std::uint64_t scaleStride = scaleBytesOfBlock(source.format, source.columns) / groups;
    for (std::uint32_t row = 0; row < source.rows; ++row) {
        const std::byte* blocks =
            source.bytes.data() + row * rowBytes(source.format, source.columns);
        const std::uint64_t first = std::uint64_t{row / kRowBlock} * groups;
        for (std::uint32_t group = 0; group < groups; ++group) {
            Block block;
            std::memcpy(&block, blocks + group * sizeof(Block), sizeof(Block));
            packBlock(block, row % kRowBlock, codes + (first + group) * codeStride,
                      reinterpret_cast<std::uint16_t*>(scales + (first + group) * scaleStride));
        }
    }
}

// A padded row of Q8_0 must hold code 0, which is stored as 128.
void fillPaddingCodes(const MatrixSource& source, std::uint8_t* codes, std::uint64_t bytes) {
    if (source.format == BlockFormat::Q8_0) std::memset(codes, 128, bytes);
}

void packFloats(const MatrixSource& source, std::uint32_t size, std::byte* elements) {
    for (std::uint32_t row = 0; row < source.rows; ++row) {
        const std::byte* from = source.bytes.data() + row * rowBytes(source.format, source.columns);
        std::byte* to =
            elements + std::uint64_t{row / kRowBlock} * source.columns * kRowBlock * size;
        for (std::uint32_t k = 0; k < source.columns; ++k) {
            std::memcpy(to + (std::uint64_t{k} * kRowBlock + row % kRowBlock) * size,
                        from + std::uint64_t{k} * size, size);
        }
    }
}

void packDequantised(const MatrixSource& source, float* elements) {
    std::vector<float> values(source.columns);
    for (std::uint32_t row = 0; row < source.rows; ++row) {
        decodeRow(source.format,
                  source.bytes.data() + row * rowBytes(source.format, source.columns), values);
        float* to = elements + std::uint64_t{row / kRowBlock} * source.columns * kRowBlock;
        for (std::uint32_t k = 0; k < source.columns; ++k) {
            to[std::uint64_t{k} * kRowBlock + row % kRowBlock] = values[k];
        }
    }
}

void unpackQ4_1(const PackedMatrix& matrix, std::uint32_t row, float* values) {
    const std::uint32_t groups = matrix.columns / kGroup;
    const std::uint32_t lane = row % kRowBlock;
    for (std::uint32_t group = 0; group < groups; ++group) {
        const std::uint64_t at = std::uint64_t{row / kRowBlock} * groups + group;
        const auto* codes = reinterpret_cast<const std::uint8_t*>(matrix.codes) + at * 256;
        const auto* scales = reinterpret_cast<const std::uint16_t*>(matrix.scales) + at * 32;
        const float scale = halfToFloat(scales[lane]);
        const float minimum = halfToFloat(scales[kRowBlock + lane]);
        for (std::uint32_t i = 0; i < 16; ++i) {
            const std::uint8_t pair = codes[i / 4 * 64 + lane * 4 + i % 4];
            values[group * kGroup + i] = scale * static_cast<float>(pair & 15) + minimum;
            values[group * kGroup + 16 + i] = scale * static_cast<float>(pair >> 4) + minimum;
        }
    }
}

void unpackQ8_0(const PackedMatrix& matrix, std::uint32_t row, float* values) {
    const std::uint32_t groups = matrix.columns / kGroup;
    const std::uint32_t lane = row % kRowBlock;
    for (std::uint32_t group = 0; group < groups; ++group) {
        const std::uint64_t at = std::uint64_t{row / kRowBlock} * groups + group;
        const auto* codes = reinterpret_cast<const std::uint8_t*>(matrix.codes) + at * 512;
        const float scale =
            halfToFloat(reinterpret_cast<const std::uint16_t*>(matrix.scales)[at * 16 + lane]);
        for (std::uint32_t i = 0; i < kGroup; ++i) {
            const int code = codes[i / 4 * 64 + lane * 4 + i % 4] - 128;
            values[group * kGroup + i] = scale * static_cast<float>(code);
        }
    }
}

float readElement(BlockFormat format, const std::byte* element) {
    float value = 0.0F;
    decodeRow(format, element, std::span(&value, 1));
    return value;
}

}  // namespace

std::uint64_t codeBytesOfBlock(BlockFormat format, std::uint32_t columns) {
    if (format == BlockFormat::Q4_1) return std::uint64_t{columns} / kGroup * 256;
    if (format == BlockFormat::Q8_0) return std::uint64_t{columns} / kGroup * 512;
    return std::uint64_t{columns} * kRowBlock * elementBytes(format);
}

std::uint64_t scaleBytesOfBlock(BlockFormat format, std::uint32_t columns) {
    if (format == BlockFormat::Q4_1) return std::uint64_t{columns} / kGroup * 64;
    if (format == BlockFormat::Q8_0) return std::uint64_t{columns} / kGroup * 32;
    return 0;
}

Result<PackedWeights> pack(const MatrixSource& source, ActivationMode mode) {
    const bool dequantise = mode == ActivationMode::F32 && !isFloat(source.format);
    PackedWeights packed;
    PackedMatrix& matrix = packed.matrix;
    matrix.format = dequantise ? BlockFormat::F32 : source.format;
    matrix.rows = source.rows;
    matrix.columns = source.columns;
    matrix.rowBlocks = (source.rows + kRowBlock - 1) / kRowBlock;
    const std::uint64_t codeBytes =
        codeBytesOfBlock(matrix.format, matrix.columns) * matrix.rowBlocks;
    const std::uint64_t scaleBytes =
        scaleBytesOfBlock(matrix.format, matrix.columns) * matrix.rowBlocks;
    const std::uint64_t scalesAt = (codeBytes + 63) / 64 * 64;
    TRY(packed.memory, AlignedBuffer::allocate(ByteCount(scalesAt + scaleBytes), "the weights"));
    auto* codes = packed.memory.as<std::uint8_t>();
    std::byte* scales = packed.memory.data() + scalesAt;
    fillPaddingCodes(source, codes, dequantise ? 0 : codeBytes);
    if (dequantise) {
        packDequantised(source, packed.memory.as<float>());
    } else if (source.format == BlockFormat::Q4_1) {
        packRows<Q4_1Block>(source, codes, scales);
    } else if (source.format == BlockFormat::Q8_0) {
        packRows<Q8_0Block>(source, codes, scales);
    } else {
        packFloats(source, elementBytes(source.format), packed.memory.data());
    }
    matrix.codes = packed.memory.data();
    matrix.scales = scales;
    return packed;
}

void unpackRow(const PackedMatrix& matrix, std::uint32_t row, float* values) {
    if (matrix.format == BlockFormat::Q4_1) return unpackQ4_1(matrix, row, values);
    if (matrix.format == BlockFormat::Q8_0) return unpackQ8_0(matrix, row, values);
    const std::uint32_t size = elementBytes(matrix.format);
    const std::byte* block =
        matrix.codes + codeBytesOfBlock(matrix.format, matrix.columns) * (row / kRowBlock);
    for (std::uint32_t k = 0; k < matrix.columns; ++k) {
        const std::uint64_t at = std::uint64_t{k} * kRowBlock + row % kRowBlock;
        values[k] = readElement(matrix.format, block + at * size);
    }
}

}  // namespace agens::device::cpu
