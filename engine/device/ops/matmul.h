// SPDX-License-Identifier: Apache-2.0
// matmul: out[r] = matrix · in[r] (+ bias) (added to out), for up to three matrices that share one
// input.
//
// Shapes: in activation [rows, k]; matrix [n, k]; bias [n] f32 or none; out [rows, n] f32.
// Arithmetic, one accumulator per (row, output), starting at 0, k never split:
//   quantised matrix (dot block = 32 inputs, ascending):
//     idot = Σ code_w · code_a                                   exact integer
//     acc  = fma(float(idot), scale_w · scale_a, acc)            scale product rounded once
//     over a wide activation: the same with the rest's codes and scale, right after
//     with a minimum: acc = fma(min_w, scaledSum_a, acc)         right after
//   float matrix: widen to f32, acc = fma(w[k], a[k], acc), ascending k
//   then acc + bias (one addition), then out + acc when `accumulate` (one addition).
// A matrix uploaded for f32 activations is dequantised first and then is a float matrix.
// Bytes: the matrix once per step, whatever the number of rows up to the tile of the device.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "engine/device/ops/ids.h"

namespace agens::device {

struct MatmulPart {
    MatrixId matrix;
    std::optional<VectorId> bias;
    SlotId out;
};

struct Matmul {
    ActivationId in;
    std::array<MatmulPart, 3> parts{};
    std::uint32_t partCount = 1;
    bool accumulate = false;  // residual: out += result
    bool onlyWanted = false;  // the input holds only the rows with wantLogits
};

}  // namespace agens::device
