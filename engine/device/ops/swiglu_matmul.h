// SPDX-License-Identifier: Apache-2.0
// swiglu_matmul: out[r] = silu(gate · in[r]) ∘ (up · in[r]).
//
// Shapes: in activation [rows, k]; gate, up [n, k]; out [rows, n] f32.
// Arithmetic: both products as in matmul.h; silu(x) = x / (1 + exp(-x)) with the project's exp
// (transcendental.h); then one multiplication.
#pragma once

#include "engine/device/ops/ids.h"

namespace agens::device {

struct SwigluMatmul {
    ActivationId in;
    MatrixId gate;
    MatrixId up;
    SlotId out;
};

}  // namespace agens::device
