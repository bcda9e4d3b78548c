// SPDX-License-Identifier: Apache-2.0
// Scalar lanes with plain x86-64; fma is the C library's, which is exact on every machine.
#include <cstdint>

#include "engine/device/cpu/isa_kernels.h"

namespace agens::device::cpu {
namespace {

#include "engine/device/cpu/isa_scalar_lanes.h"

constexpr KernelTable kKernels = makeKernels<ScalarLanes>();

}  // namespace

const KernelTable& scalarKernels() {
    return kKernels;
}

}  // namespace agens::device::cpu
