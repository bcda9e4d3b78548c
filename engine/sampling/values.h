// SPDX-License-Identifier: Apache-2.0
// decideValues: what the request asks for over the model's defaults, every field checked.
//
// Ranges: temperature 0…100, topK 0…vocabulary, topP (0, 1], minP [0, 1], repetitionPenalty (0,
// 10].
// Errors: InvalidRequest, id "request.sampling", where = name of the field.
// Thread: pure function.
#pragma once

#include <cstdint>

#include "engine/base/result.h"
#include "engine/request.h"

namespace agens::sampling {

Result<engine::SamplingValues> decideValues(const engine::SamplingRequest& request,
                                            const engine::SamplingValues& defaults,
                                            std::uint32_t vocabulary);

}  // namespace agens::sampling
