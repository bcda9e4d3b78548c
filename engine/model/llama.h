// SPDX-License-Identifier: Apache-2.0
// The Llama family (Llama 2/3, SmolLM2, TinyLlama, Mistral without windows) from GGUF.
#pragma once

#include "engine/base/result.h"
#include "engine/model/binding.h"

namespace agens::model {

Result<Model> readLlama(const model_file::ModelFile& file);

}  // namespace agens::model
