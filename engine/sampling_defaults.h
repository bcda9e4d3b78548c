// SPDX-License-Identifier: Apache-2.0
// The model's own sampling values, field by field: the file's general.sampling.* keys, then the row
// of its family, then the engine's. A value out of range is ignored with a line in the log.
#pragma once

#include "engine/model_file/metadata.h"
#include "engine/request.h"

namespace agens::engine {

SamplingValues samplingDefaults(const model_file::Metadata& metadata);

}  // namespace agens::engine
