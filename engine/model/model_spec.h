// SPDX-License-Identifier: Apache-2.0
// ModelSpec: what a model file says, checked; a plain value. Built only by this folder; nothing
// downstream validates it again. Ranges: design of the model families, the Llama columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/device/ops/rope_append.h"

namespace agens::model {

enum class RopeKind { None, Linear };

struct RopeSpec {
    device::RopePairing pairing = device::RopePairing::Adjacent;
    std::uint32_t dims = 0;  // rotated columns of a head, even, 2 … headDim
    double base = 10000.0;   // 1 … 1e12
    RopeKind kind = RopeKind::None;
    double factor = 1.0;          // linear: angles are divided by it
    std::vector<float> divisors;  // empty, or one per pair (llama3 scaling as the file stores it)
};

struct LayerSpec {
    std::uint32_t qHeads = 0;   // 1 … 256
    std::uint32_t kvHeads = 0;  // divides qHeads
    std::uint32_t headDim = 0;  // 8 … 512, even
    std::uint32_t ffnSize = 0;  // 8 … 262,144
    float scale = 1.0F;         // of attention scores: 1/√headDim
};

struct ModelSpec {
    std::string family;  // "llama"
    std::string name;
    std::uint32_t hidden = 0;       // 16 … 32,768, multiple of 8
    std::vector<LayerSpec> layers;  // 1 … 512
    std::uint32_t vocabRows = 0;    // 16 … 1,048,576
    float embedScale = 1.0F;
    bool tiedHead = false;
    float normEps = 1e-5F;  // 1e-12 … 1e-2
    std::uint32_t contextTrained = 0;
    RopeSpec rope;
    std::uint64_t parameters = 0;
};

// cos at column 2i, sin at 2i+1 of row `position`, for positions 0 … positions-1. Angles in double,
// stored f32: θ_i = position · base^(-2i/dims) / divisor_i / factor.
std::vector<float> ropeTable(const RopeSpec& rope, std::uint32_t positions);

}  // namespace agens::model
