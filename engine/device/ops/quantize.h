// SPDX-License-Identifier: Apache-2.0
// quantize: f32 rows in the form the next matmul reads (activation.h).
// Shapes: in [rows, columns] f32; out activation [rows, columns].
#pragma once

#include "engine/device/ops/activation.h"
#include "engine/device/ops/ids.h"

namespace agens::device {

struct Quantize {
    SlotId in;
    ActivationId out;
};

}  // namespace agens::device
