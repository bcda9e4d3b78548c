// SPDX-License-Identifier: Apache-2.0
// WeightTable: a model's weights after upload to a device, by canonical place. Built once while
// loading, with progress and cancel; `forward` turns it into a StepProgram.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/device.h"
#include "engine/model/binding.h"

namespace agens::weights {

struct Matrix {
    device::MatrixId id;
    device::BlockFormat format = device::BlockFormat::F32;
};

struct LayerWeights {
    device::VectorId mixerNorm;
    Matrix q, k, v, o;
    std::optional<device::VectorId> qBias, kBias, vBias, oBias;
    device::VectorId ffnNorm;
    Matrix gate, up, down;
};

struct WeightTable {
    Matrix embed;
    Matrix head;
    device::VectorId finalNorm;
    device::VectorId ropeTable;
    std::vector<LayerWeights> layers;
};

// Called with bytes uploaded so far and in all.
using UploadProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

// Errors: Cancelled; NoMemory; Io when the file changed while it was read.
// `positions`: rows of the rope table, i.e. the served context.
Result<WeightTable> uploadWeights(const model_file::ModelFile& file, const model::Model& model,
                                  std::uint32_t positions, device::Device& device,
                                  const UploadProgress& progress, std::stop_token stop);

}  // namespace agens::weights
