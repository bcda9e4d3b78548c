// SPDX-License-Identifier: Apache-2.0
// Scalar lanes with the fma instruction (compiled with -mfma), nothing else.
#include <cstdint>

#include "engine/device/cpu/isa_kernels.h"

namespace agens::device::cpu {
namespace {

#include "engine/device/cpu/isa_scalar_lanes.h"

constexpr KernelTable kKernels = makeKernels<ScalarLanes>();

}  // namespace

const KernelTable& scalarFmaKernels() {
    return kKernels;
}

}  // namespace agens::device::cpu
