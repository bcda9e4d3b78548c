// SPDX-License-Identifier: Apache-2.0
// The kernels of the CPU device, written once over a type L of 16 lanes; each isa_*.cpp defines its
// L in an anonymous namespace and makes a table from it, so that everything here has internal
// linkage.
//
// L: F = 16 floats, with bcast, zero, load, store, loadPartial, storePartial, loadHalf(Partial),
// loadBfloat, add, sub, mul, div, fma, min, max, abs, exp2OfInteger, zeroWhereLess, largest (of the
// lanes), sum16 (tree 8, 4, 2, 1), fma1 (one float); Codes = 64 code bytes with loadCodes, low,
// high; NibbleSum / ByteSum = exact integer sums per lane; storeCodes (32 integral floats → int8,
// their sum).
#pragma once

#include "engine/device/cpu/isa_attention.h"
#include "engine/device/cpu/isa_matmul.h"
#include "engine/device/cpu/isa_rows.h"
#include "engine/device/cpu/kernel_table.h"

namespace agens::device::cpu {

template <class L>
constexpr KernelTable makeKernels() {
    return {.matmul = matmul<L>,
            .swiglu = swiglu<L>,
            .norm = norm<L>,
            .quantize = quantize<L>,
            .ropeHead = ropeHead<L>,
            .attentionChunk = attentionChunk<L>,
            .foldPart = foldPart<L>,
            .finishPart = finishPart<L>};
}

}  // namespace agens::device::cpu
