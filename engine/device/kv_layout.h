// SPDX-License-Identifier: Apache-2.0
// Where keys and values stand inside a page. A page holds 256 positions of every layer; inside it,
// per layer and KV head, one K tile and one V tile:
//
//   K [headDim][256]   a vector lane is a position: scores need no horizontal sums
//   V [256][headDim]   a vector lane is a dim: neither does the weighted sum
//
// in elements of the cache's format (f16 or f32). Offsets are in elements from the page's start.
#pragma once

#include <cstdint>

#include "engine/device/step_io.h"

namespace agens::device {

enum class KvElement : std::uint8_t { F16, F32 };

struct KvLayout {
    std::uint32_t layers = 0;
    std::uint32_t kvHeads = 0;
    std::uint32_t headDim = 0;
    KvElement element = KvElement::F16;

    constexpr std::uint64_t elementBytes() const { return element == KvElement::F16 ? 2 : 4; }
    constexpr std::uint64_t tileElements() const { return std::uint64_t{kPagePositions} * headDim; }
    constexpr std::uint64_t pageElements() const { return 2 * tileElements() * kvHeads * layers; }
    constexpr std::uint64_t pageBytes() const { return pageElements() * elementBytes(); }
    constexpr std::uint64_t keyTile(std::uint32_t layer, std::uint32_t kvHead) const {
        return (std::uint64_t{layer} * kvHeads + kvHead) * 2 * tileElements();
    }
    constexpr std::uint64_t valueTile(std::uint32_t layer, std::uint32_t kvHead) const {
        return keyTile(layer, kvHead) + tileElements();
    }
};

}  // namespace agens::device
