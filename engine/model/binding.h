// SPDX-License-Identifier: Apache-2.0
// The binding table: which tensor of the file is which weight of the model. Only this folder knows
// file names. Every entry is present and has the shape the spec asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/model_spec.h"
#include "engine/model_file/tensor_index.h"

namespace agens::model {

// Rows [firstRow, firstRow + rows) of a tensor; nullptr = the model has no such weight.
struct BoundTensor {
    const model_file::TensorEntry* entry = nullptr;
    std::uint64_t firstRow = 0;
    std::uint64_t rows = 0;
    explicit operator bool() const { return entry != nullptr; }
};

struct LayerBinding {
    BoundTensor mixerNorm;
    BoundTensor q, k, v, o;
    BoundTensor qBias, kBias, vBias, oBias;
    BoundTensor ffnNorm;
    BoundTensor gate, up, down;
};

struct Binding {
    BoundTensor embed;
    BoundTensor finalNorm;
    BoundTensor head;  // the embedding when tied
    std::vector<LayerBinding> layers;
};

// A model file understood: spec and binding, cross-checked. Views into the file given to it.
struct Model {
    ModelSpec spec;
    Binding binding;
};

// Errors: Unsupported (another family, one sentence that says what it is and what would work);
// InvalidFile (a key or tensor is missing, has another shape or is out of range).
Result<Model> readModel(const model_file::ModelFile& file);

}  // namespace agens::model
