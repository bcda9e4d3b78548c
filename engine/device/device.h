// SPDX-License-Identifier: Apache-2.0
// Device: where a StepProgram runs. Upload weights, allocate the cache and prepare the program
// while loading; afterwards only run() and copyPage(). run() allocates nothing.
//
// Every implementation gives the bits that ops/ define; the reference device is the definition in
// running form, the CPU device the fast one (cpu/README.md). Errors: NoMemory with the figures;
// Cancelled from run(); Device when the machine refuses. Thread: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/device/formats/block_format.h"
#include "engine/device/step_io.h"
#include "engine/device/step_program.h"

namespace agens::device {

// Changes whenever any output bit of a device may change; part of the key of everything stored.
constexpr std::uint32_t kArithmeticVersion = 1;

struct DeviceInfo {
    std::string name;  // "cpu" or "reference"
    std::string isa;   // "avx512", "avx2", "scalar fma", "scalar"; empty for the reference
    std::uint32_t threads = 1;
    std::uint32_t arithmeticVersion = kArithmeticVersion;
};

// A matrix as it stands in the file: rows back to back, each rowBytes(format, columns) long.
struct MatrixSource {
    BlockFormat format = BlockFormat::F32;
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::span<const std::byte> bytes;
};

struct DeviceMemory {
    ByteCount weights;
    ByteCount kvPages;
    ByteCount activations;
};

// The form in which quantised matrices read their input (ops/activation.h): int8 codes, int8 codes
// and those of the rest, or f32 (then the matrices are dequantised).
enum class ActivationMode { Int8, Wide, F32 };

class Device {
 public:
    virtual ~Device() = default;
    virtual DeviceInfo info() const = 0;
    virtual Result<MatrixId> upload(const MatrixSource& source) = 0;
    virtual Result<VectorId> uploadVector(std::span<const float> values) = 0;
    virtual Result<void> allocateKv(const KvLayout& layout, std::uint32_t pages) = 0;
    virtual Result<void> prepare(const StepProgram& program, RowLimits limits) = 0;
    virtual Result<StepOutputs> run(const StepInputs& inputs, std::stop_token stop) = 0;
    virtual void copyPage(PageId from, PageId to) = 0;
    virtual DeviceMemory memory() const = 0;
};

}  // namespace agens::device
