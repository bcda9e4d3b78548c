// SPDX-License-Identifier: Apache-2.0
// norm_quantize: RMSNorm of each row, in the form the next matmul reads (activation.h).
//
//   out = (x · inv) · weight,  inv = 1 / sqrt(mean(x²) + eps)
//
// Shapes: in [rows, columns] f32; weight [columns] f32; out activation [rows, columns].
// Arithmetic: Σx² in 16 partial sums, partial j takes columns j, j+16, … with fma; then partial
// j += j+8, +4, +2, +1. mean = Σ / float(columns); sqrt and the division are correctly rounded;
// x·inv is rounded before the multiplication with the weight.
// Bytes: columns · 4 read, columns · (1 | 4) written per row.
#pragma once

#include "engine/device/ops/activation.h"
#include "engine/device/ops/ids.h"

namespace agens::device {

struct NormQuantize {
    SlotId in;
    VectorId weight;
    float eps = 1e-5F;
    ActivationId out;
    bool onlyWanted = false;  // rows with wantLogits only, packed together (the head's norm)
};

}  // namespace agens::device
