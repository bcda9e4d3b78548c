// SPDX-License-Identifier: Apache-2.0
// attention (ops/attention.h) and the KV pool it reads.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "engine/device/formats/half.h"
#include "engine/device/reference/reference_ops.h"

namespace agens::device::reference {

float KvPool::read(PageId page, std::uint64_t element) const {
    const std::byte* begin = bytes.data() + page.value * layout.pageBytes();
    if (layout.element == KvElement::F32) {
        float value;
        std::memcpy(&value, begin + element * 4, 4);
        return value;
    }
    std::uint16_t half;
    std::memcpy(&half, begin + element * 2, 2);
    return halfToFloat(half);
}

void KvPool::write(PageId page, std::uint64_t element, float value) {
    std::byte* begin = bytes.data() + page.value * layout.pageBytes();
    if (layout.element == KvElement::F32) {
        std::memcpy(begin + element * 4, &value, 4);
        return;
    }
    const std::uint16_t half = floatToHalf(value);
    std::memcpy(begin + element * 2, &half, 2);
}

namespace {

// What a chunk of 256 positions contributes: its maximum, Σ weights, Σ weight · value.
struct ChunkPart {
    float maximum = 0.0F;
    float sum = 0.0F;
    std::vector<float> weighted;
};

ChunkPart chunkPart(const KvPool& pool, PageId page, const Attention& op, std::uint32_t kvHead,
                    std::uint32_t visible, std::span<const float> query) {
    const std::uint64_t keys = pool.layout.keyTile(op.layer, kvHead);
    const std::uint64_t values = pool.layout.valueTile(op.layer, kvHead);
    std::vector<float> weights(visible);
    for (std::uint32_t p = 0; p < visible; ++p) {
        float dot = 0.0F;
        for (std::uint32_t d = 0; d < op.headDim; ++d) {
            dot = std::fma(query[d], pool.read(page, keys + d * kPagePositions + p), dot);
        }
        weights[p] = dot * op.scale;
    }
    ChunkPart part;
    part.maximum = *std::max_element(weights.begin(), weights.end());
    std::array<float, 16> partial{};
    for (std::uint32_t p = 0; p < visible; ++p) {
        weights[p] = exponential(weights[p] - part.maximum);
        partial[p % 16] += weights[p];
    }
    for (std::size_t width = 8; width >= 1; width /= 2) {
        for (std::size_t j = 0; j < width; ++j)
            partial[j] += partial[j + width];
    }
    part.sum = partial[0];
    part.weighted.assign(op.headDim, 0.0F);
    for (std::uint32_t p = 0; p < visible; ++p) {
        for (std::uint32_t d = 0; d < op.headDim; ++d) {
            part.weighted[d] = std::fma(weights[p], pool.read(page, values + p * op.headDim + d),
                                        part.weighted[d]);
        }
    }
    return part;
}

void fold(ChunkPart& total, const ChunkPart& part) {
    const float maximum = std::max(total.maximum, part.maximum);
    const float alpha = exponential(total.maximum - maximum);
    const float beta = exponential(part.maximum - maximum);
    total.sum = std::fma(part.sum, beta, total.sum * alpha);
    for (std::size_t d = 0; d < total.weighted.size(); ++d) {
        total.weighted[d] = std::fma(part.weighted[d], beta, total.weighted[d] * alpha);
    }
    total.maximum = maximum;
}

}  // namespace

void attentionRow(const KvPool& pool, std::span<const PageId> pages, const Attention& op,
                  std::uint32_t kvHead, std::uint32_t length, std::span<const float> query,
                  std::span<float> out) {
    ChunkPart total;
    for (std::uint32_t begin = 0; begin < length; begin += kPagePositions) {
        const std::uint32_t visible = std::min(length - begin, kPagePositions);
        ChunkPart part = chunkPart(pool, pages[begin / kPagePositions], op, kvHead, visible, query);
        if (begin == 0) {
            total = std::move(part);
        } else {
            fold(total, part);
        }
    }
    for (std::uint32_t d = 0; d < op.headDim; ++d)
        out[d] = total.weighted[d] / total.sum;
}

}  // namespace agens::device::reference
