// SPDX-License-Identifier: Apache-2.0
// Laying out the arena of a StepRunner: slots, activations (shared and per thread), attention
// parts.
#include <algorithm>

#include "engine/device/cpu/step_runner.h"

namespace agens::device::cpu {
namespace {

// Hands out 64-byte aligned pieces; the first pass (no memory) only measures.
class Carver {
 public:
    explicit Carver(std::byte* memory) : m_memory(memory) {}
    template <class T>
    T* take(std::uint64_t count) {
        T* piece = m_memory == nullptr ? nullptr : reinterpret_cast<T*>(m_memory + m_used);
        m_used += (count * sizeof(T) + 63) / 64 * 64;
        return piece;
    }
    std::uint64_t used() const { return m_used; }

 private:
    std::byte* m_memory;
    std::uint64_t m_used = 0;
};

ActivationRows takeActivation(Carver& carver, const ActivationShape& shape, std::uint64_t rows) {
    ActivationRows out;
    out.columns = shape.columns;
    out.groups = groupsOf(shape.columns);
    if (shape.needsFloat) out.values = carver.take<float>(rows * shape.columns);
    if (!shape.needsInt8) return out;
    out.codes = carver.take<std::int8_t>(rows * out.groups * kGroup);
    out.scales = carver.take<float>(rows * out.groups);
    out.scaledSums = carver.take<float>(rows * out.groups);
    out.sums = carver.take<std::int32_t>(rows * out.groups);
    if (!shape.isWide) return out;
    out.restCodes = carver.take<std::int8_t>(rows * out.groups * kGroup);
    out.restScales = carver.take<float>(rows * out.groups);
    out.restSums = carver.take<std::int32_t>(rows * out.groups);
    return out;
}

std::uint32_t contextChunks(const RunnerParts& parts) {
    std::uint64_t positions = kPagePositions;
    for (const OpRecord& record : parts.program.ops) {
        if (const auto* rope = std::get_if<RopeAppend>(&record)) {
            positions = std::max<std::uint64_t>(positions, rope->positions);
        }
    }
    return static_cast<std::uint32_t>((positions + kPagePositions - 1) / kPagePositions);
}

}  // namespace

Result<void> StepRunner::layOut() {
    const StepProgram& program = m_parts.program;
    std::uint32_t columnsMost = 0;
    for (const std::uint32_t columns : program.slotColumns)
        columnsMost = std::max(columnsMost, columns);
    std::uint32_t groupMost = 1;  // query heads of a KV head
    for (const OpRecord& record : program.ops) {
        if (const auto* op = std::get_if<Attention>(&record)) {
            m_headsMost = std::max(m_headsMost, op->qHeads);
            groupMost = std::max(groupMost, op->qHeads / op->kvHeads);
        }
    }
    m_chunksMost = contextChunks(m_parts);
    const std::uint64_t part = partFloats(m_parts.layout.headDim);
    const std::uint64_t tileFloats = (kAttentionTileRows * groupMost + kQueriesMost) * part;

    const auto carve = [&](Carver& carver) {
        m_slots.clear();
        m_shared.clear();
        m_own.assign(m_team.size(), {});
        m_scratch.clear();
        for (std::uint32_t i = 0; i < program.slotColumns.size(); ++i) {
            const bool isLogits = i == program.logits.value;
            const std::uint64_t rows = isLogits ? m_parts.limits.wanted : m_parts.limits.rows;
            m_slots.push_back(carver.take<float>(rows * program.slotColumns[i]));
        }
        for (std::uint32_t i = 0; i < program.activations.size(); ++i) {
            m_shared.push_back(takeActivation(carver, program.activations[i], m_parts.limits.rows));
            for (auto& own : m_own)
                own.push_back(takeActivation(carver, program.activations[i], kOwnRows));
        }
        for (std::uint32_t thread = 0; thread < m_team.size(); ++thread) {
            m_scratch.push_back(
                carver.take<float>(std::max<std::uint64_t>(columnsMost, tileFloats)));
        }
        m_chunkParts =
            carver.take<float>(std::uint64_t{kOwnRows} * m_headsMost * m_chunksMost * part);
    };
    Carver measure(nullptr);
    carve(measure);
    TRY(m_arena, AlignedBuffer::allocate(ByteCount(measure.used()), "the activations"));
    Carver carver(m_arena.data());
    carve(carver);
    m_wanted.resize(m_parts.limits.rows);
    return {};
}

}  // namespace agens::device::cpu
