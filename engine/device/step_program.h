// SPDX-License-Identifier: Apache-2.0
// StepProgram: the flat list of op records a device runs for a step, built once per model by
// `forward` and independent of the number of rows. No graph, no views, no rewriting. What each op
// computes, to the bit, stands in its header under ops/; device/reference runs them in plain code.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "engine/device/kv_layout.h"
#include "engine/device/ops/activation.h"
#include "engine/device/ops/attention.h"
#include "engine/device/ops/embed.h"
#include "engine/device/ops/ids.h"
#include "engine/device/ops/matmul.h"
#include "engine/device/ops/norm_quantize.h"
#include "engine/device/ops/quantize.h"
#include "engine/device/ops/rope_append.h"
#include "engine/device/ops/swiglu_matmul.h"

namespace agens::device {

using OpRecord =
    std::variant<Embed, NormQuantize, Quantize, Matmul, SwigluMatmul, RopeAppend, Attention>;

struct StepProgram {
    std::vector<std::uint32_t> slotColumns;    // by SlotId
    std::vector<ActivationShape> activations;  // by ActivationId
    std::vector<OpRecord> ops;
    SlotId logits;             // [wanted rows, vocabRows]
    ActivationId finalHidden;  // the head's input; its f32 rows on request
    std::uint32_t hiddenSize = 0;
    std::uint32_t vocabRows = 0;
};

// Most rows of a step, and of them with logits.
struct RowLimits {
    std::uint32_t rows = 512;
    std::uint32_t wanted = 16;
};

}  // namespace agens::device
