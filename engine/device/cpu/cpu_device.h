// SPDX-License-Identifier: Apache-2.0
// The fast CPU device: packed weights, one kernel table per instruction set chosen at run time, a
// thread team. Same bits on every instruction set and any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/device.h"

namespace agens::device::cpu {

enum class Isa : std::uint8_t { Scalar, ScalarFma, Avx2, Avx512 };

struct CpuOptions {
    Isa isa = Isa::Scalar;
    std::uint32_t threads = 1;
    ActivationMode mode = ActivationMode::Int8;
};

const char* toString(Isa isa);
// What this machine can run, slowest first.
std::vector<Isa> availableIsas();

// Errors: Unsupported when the machine lacks the instruction set.
Result<std::unique_ptr<Device>> makeCpuDevice(const CpuOptions& options);

}  // namespace agens::device::cpu
