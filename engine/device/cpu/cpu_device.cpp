// SPDX-License-Identifier: Apache-2.0
// CpuDevice: owns packed weights, the KV pool and the arena; run() is one parallel region over the
// op records (step_runner.h).
#include "engine/device/cpu/cpu_device.h"

#include <algorithm>
#include <cstring>

#include "engine/base/check.h"
#include "engine/base/thread_team.h"
#include "engine/device/cpu/packed_matrix.h"
#include "engine/device/cpu/step_runner.h"

namespace agens::device::cpu {
namespace {

const KernelTable& kernelsOf(Isa isa) {
    switch (isa) {
        case Isa::Scalar:
            return scalarKernels();
        case Isa::ScalarFma:
            return scalarFmaKernels();
        case Isa::Avx2:
            return avx2Kernels();
        case Isa::Avx512:
            return avx512Kernels();
    }
    return scalarKernels();
}

class CpuDevice final : public Device {
 public:
    explicit CpuDevice(const CpuOptions& options)
        : m_options(options), m_kernels(kernelsOf(options.isa)), m_team(options.threads) {}

    DeviceInfo info() const override {
        return {.name = "cpu", .isa = toString(m_options.isa), .threads = m_team.size()};
    }
    Result<MatrixId> upload(const MatrixSource& source) override;
    Result<VectorId> uploadVector(std::span<const float> values) override;
    Result<void> allocateKv(const KvLayout& layout, std::uint32_t pages) override;
    Result<void> prepare(const StepProgram& program, RowLimits limits) override;
    Result<StepOutputs> run(const StepInputs& inputs, std::stop_token stop) override;
    void copyPage(PageId from, PageId to) override;
    DeviceMemory memory() const override;

 private:
    CpuOptions m_options;
    const KernelTable& m_kernels;
    std::vector<PackedWeights> m_weights;
    std::vector<PackedMatrix> m_matrices;
    std::vector<AlignedBuffer> m_vectorMemory;
    std::vector<const float*> m_vectors;
    KvLayout m_layout;
    AlignedBuffer m_kv;
    std::unique_ptr<StepRunner> m_runner;
    ThreadTeam m_team;  // last: its threads end before what they read
};

Result<MatrixId> CpuDevice::upload(const MatrixSource& source) {
    TRY(PackedWeights packed, pack(source, m_options.mode));
    m_matrices.push_back(packed.matrix);
    m_weights.push_back(std::move(packed));
    return MatrixId(static_cast<std::uint32_t>(m_matrices.size() - 1));
}

Result<VectorId> CpuDevice::uploadVector(std::span<const float> values) {
    TRY(AlignedBuffer memory,
        AlignedBuffer::allocate(ByteCount(values.size_bytes()), "the weights"));
    std::memcpy(memory.data(), values.data(), values.size_bytes());
    m_vectors.push_back(memory.as<const float>());
    m_vectorMemory.push_back(std::move(memory));
    return VectorId(static_cast<std::uint32_t>(m_vectors.size() - 1));
}

Result<void> CpuDevice::allocateKv(const KvLayout& layout, std::uint32_t pages) {
    m_layout = layout;
    TRY(m_kv,
        AlignedBuffer::allocate(ByteCount(layout.pageBytes() * pages), "the conversations' cache"));
    return {};
}

Result<void> CpuDevice::prepare(const StepProgram& program, RowLimits limits) {
    TRY(m_runner, StepRunner::make({.program = program,
                                    .limits = limits,
                                    .matrices = m_matrices,
                                    .vectors = m_vectors,
                                    .layout = m_layout,
                                    .kv = m_kv.data()},
                                   m_kernels, m_team));
    return {};
}

Result<StepOutputs> CpuDevice::run(const StepInputs& inputs, std::stop_token stop) {
    CHECK(m_runner != nullptr) << "run() before prepare()";
    return m_runner->run(inputs, stop);
}

void CpuDevice::copyPage(PageId from, PageId to) {
    const std::uint64_t size = m_layout.pageBytes();
    std::memcpy(m_kv.data() + to.value * size, m_kv.data() + from.value * size, size);
}

DeviceMemory CpuDevice::memory() const {
    DeviceMemory memory;
    for (const PackedWeights& weights : m_weights)
        memory.weights = memory.weights + weights.memory.size();
    for (const AlignedBuffer& vector : m_vectorMemory)
        memory.weights = memory.weights + vector.size();
    memory.kvPages = m_kv.size();
    if (m_runner != nullptr) memory.activations = m_runner->arenaBytes();
    return memory;
}

}  // namespace

const char* toString(Isa isa) {
    switch (isa) {
        case Isa::Scalar:
            return "scalar";
        case Isa::ScalarFma:
            return "scalar fma";
        case Isa::Avx2:
            return "avx2";
        case Isa::Avx512:
            return "avx512";
    }
    return "scalar";
}

std::vector<Isa> availableIsas() {
    std::vector<Isa> isas = {Isa::Scalar};
    if (__builtin_cpu_supports("fma") == 0) return isas;
    isas.push_back(Isa::ScalarFma);
    if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("f16c") == 0) return isas;
    isas.push_back(Isa::Avx2);
    if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
        __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
        __builtin_cpu_supports("avx512vnni") != 0) {
        isas.push_back(Isa::Avx512);
    }
    return isas;
}

Result<std::unique_ptr<Device>> makeCpuDevice(const CpuOptions& options) {
    const std::vector<Isa> available = availableIsas();
    if (std::ranges::find(available, options.isa) == available.end()) {
        return Error{ErrorKind::Unsupported, "device.isa",
                     std::string("This machine has no ") + toString(options.isa) +
                         " instructions; the best it has is " + toString(available.back()) + ".",
                     "--isa"};
    }
    return std::unique_ptr<Device>(std::make_unique<CpuDevice>(options));
}

}  // namespace agens::device::cpu
