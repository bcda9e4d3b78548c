// SPDX-License-Identifier: Apache-2.0
// The parallel region and the ops that split rows or row blocks. apply() returns whether others
// read what it wrote, i.e. whether a barrier follows.
#include "engine/device/cpu/step_runner.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/device/cpu/packed_matrix.h"

namespace agens::device::cpu {
namespace {

struct Share {
    std::uint32_t begin;
    std::uint32_t end;
};

// Contiguous, deterministic parts: thread t of T gets [n·t/T, n·(t+1)/T).
Share shareOf(std::uint32_t count, std::uint32_t thread, std::uint32_t threads) {
    const auto at = [&](std::uint32_t t) {
        return static_cast<std::uint32_t>(std::uint64_t{count} * t / threads);
    };
    return {at(thread), at(thread + 1)};
}

}  // namespace

Result<std::unique_ptr<StepRunner>> StepRunner::make(RunnerParts parts, const KernelTable& kernels,
                                                     ThreadTeam& team) {
    std::unique_ptr<StepRunner> runner(new StepRunner(std::move(parts), kernels, team));
    // The head's input is also an output in f32.
    runner->m_parts.program.activations[runner->m_parts.program.finalHidden.value].needsFloat =
        true;
    TRY_VOID(runner->layOut());
    return runner;
}

void StepRunner::readRows(const StepInputs& inputs) {
    CHECK(inputs.rows.size() <= m_parts.limits.rows) << inputs.rows.size() << " rows in a step";
    m_inputs = &inputs;
    m_wantedCount = 0;
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < inputs.rows.size(); ++i) {
        if (inputs.rows[i].wantLogits) m_wanted[m_wantedCount++] = i;
        last = std::max(last, inputs.rows[i].position.value);
    }
    m_chunks = last / kPagePositions + 1;
    CHECK(m_wantedCount <= m_parts.limits.wanted) << m_wantedCount << " rows with logits";
    CHECK(m_chunks <= m_chunksMost) << "position " << last << " is beyond the served context";
}

Result<StepOutputs> StepRunner::run(const StepInputs& inputs, const std::stop_token& stop) {
    readRows(inputs);
    m_stop = &stop;
    m_cancelled.store(stop.stop_requested(), std::memory_order_relaxed);
    if (!m_cancelled.load(std::memory_order_relaxed)) {
        auto task = [this](std::uint32_t thread) { member(thread); };
        m_team.run(task);
    }
    if (m_cancelled.load(std::memory_order_relaxed)) {
        return Error{ErrorKind::Cancelled, "device.cancelled", "The step was cancelled.", ""};
    }
    const StepProgram& program = m_parts.program;
    StepOutputs out;
    out.wantedRows = m_wantedCount;
    out.vocabRows = program.vocabRows;
    out.hiddenSize = program.hiddenSize;
    out.logits = {m_slots[program.logits.value], std::size_t{m_wantedCount} * program.vocabRows};
    if (inputs.wantHidden) {
        const ActivationRows& hidden = activation(program.finalHidden, 0, m_wantedCount);
        out.hidden = {hidden.values, std::size_t{m_wantedCount} * program.hiddenSize};
    }
    return out;
}

void StepRunner::member(std::uint32_t thread) {
    for (const OpRecord& record : m_parts.program.ops) {
        const bool isRead = std::visit([&](const auto& op) { return apply(op, thread); }, record);
        // Once a layer: thread 0 looks at the stop token before the meeting, all read the flag
        // after it; it cannot change again before they have passed the next one.
        const bool isLayerStart = std::holds_alternative<RopeAppend>(record);
        if (isLayerStart && thread == 0 && m_stop->stop_requested()) {
            m_cancelled.store(true, std::memory_order_relaxed);
        }
        if (isRead) m_team.barrier();
        if (isLayerStart && m_cancelled.load(std::memory_order_relaxed)) return;
    }
}

bool StepRunner::apply(const Embed& op, std::uint32_t thread) {
    const auto count = static_cast<std::uint32_t>(m_inputs->rows.size());
    const Share share = shareOf(count, thread, m_team.size());
    const PackedMatrix& table = m_parts.matrices[op.table.value];
    for (std::uint32_t row = share.begin; row < share.end; ++row) {
        float* out = slotRow(op.out, row);
        unpackRow(table, static_cast<std::uint32_t>(m_inputs->rows[row].token.value), out);
        if (op.scale == 1.0F) continue;
        for (std::uint32_t i = 0; i < table.columns; ++i)
            out[i] *= op.scale;
    }
    return true;
}

bool StepRunner::apply(const NormQuantize& op, std::uint32_t thread) {
    const std::uint32_t rows = wantedOrAll(op.onlyWanted);
    const bool isOwn = rows <= kOwnRows;
    const Share share = isOwn ? Share{0, rows} : shareOf(rows, thread, m_team.size());
    const ActivationRows& out = activation(op.out, thread, rows);
    for (std::uint32_t row = share.begin; row < share.end; ++row) {
        const float* in = slotRow(op.in, op.onlyWanted ? m_wanted[row] : row);
        float* normed =
            out.values != nullptr ? out.values + std::size_t{row} * out.columns : m_scratch[thread];
        m_kernels.norm(in, m_parts.vectors[op.weight.value], out.columns, op.eps, normed);
        if (out.codes != nullptr) m_kernels.quantize(normed, row, out);
    }
    return !isOwn;
}

bool StepRunner::apply(const Quantize& op, std::uint32_t thread) {
    const auto rows = static_cast<std::uint32_t>(m_inputs->rows.size());
    const bool isOwn = rows <= kOwnRows;
    const Share share = isOwn ? Share{0, rows} : shareOf(rows, thread, m_team.size());
    const ActivationRows& out = activation(op.out, thread, rows);
    for (std::uint32_t row = share.begin; row < share.end; ++row) {
        const float* in = slotRow(op.in, row);
        if (out.values != nullptr)
            std::copy_n(in, out.columns, out.values + std::size_t{row} * out.columns);
        if (out.codes != nullptr) m_kernels.quantize(in, row, out);
    }
    return !isOwn;
}

bool StepRunner::apply(const Matmul& op, std::uint32_t thread) {
    const std::uint32_t rows = wantedOrAll(op.onlyWanted);
    if (rows == 0) return true;
    std::uint32_t blocks = 0;
    for (std::uint32_t p = 0; p < op.partCount; ++p) {
        blocks += m_parts.matrices[op.parts[p].matrix.value].rowBlocks;
    }
    // The row blocks of all parts are one list, split contiguously.
    const Share share = shareOf(blocks, thread, m_team.size());
    std::uint32_t first = 0;
    for (std::uint32_t p = 0; p < op.partCount; ++p) {
        const MatmulPart& part = op.parts[p];
        const PackedMatrix& matrix = m_parts.matrices[part.matrix.value];
        const std::uint32_t begin =
            std::clamp(share.begin, first, first + matrix.rowBlocks) - first;
        const std::uint32_t end = std::clamp(share.end, first, first + matrix.rowBlocks) - first;
        if (begin < end) {
            m_kernels.matmul({.matrix = matrix,
                              .in = activation(op.in, thread, rows),
                              .rows = rows,
                              .blockBegin = begin,
                              .blockEnd = end,
                              .out = m_slots[part.out.value],
                              .outStride = m_parts.program.slotColumns[part.out.value],
                              .bias = part.bias ? m_parts.vectors[part.bias->value] : nullptr,
                              .accumulate = op.accumulate});
        }
        first += matrix.rowBlocks;
    }
    return true;
}

bool StepRunner::apply(const SwigluMatmul& op, std::uint32_t thread) {
    const auto rows = static_cast<std::uint32_t>(m_inputs->rows.size());
    const PackedMatrix& gate = m_parts.matrices[op.gate.value];
    const Share share = shareOf(gate.rowBlocks, thread, m_team.size());
    m_kernels.swiglu({.gate = gate,
                      .up = m_parts.matrices[op.up.value],
                      .in = activation(op.in, thread, rows),
                      .rows = rows,
                      .blockBegin = share.begin,
                      .blockEnd = share.end,
                      .out = m_slots[op.out.value],
                      .outStride = m_parts.program.slotColumns[op.out.value]});
    return true;
}

bool StepRunner::apply(const RopeAppend& op, std::uint32_t thread) {
    const auto rows = static_cast<std::uint32_t>(m_inputs->rows.size());
    const std::uint32_t heads = op.qHeads + op.kvHeads;
    const Share share = shareOf(rows * heads, thread, m_team.size());
    for (std::uint32_t unit = share.begin; unit < share.end; ++unit) {
        const std::uint32_t row = unit / heads;
        const std::uint32_t head = unit % heads;
        const StepRow& step = m_inputs->rows[row];
        RopeHeadArgs args{
            .table = m_parts.vectors[op.table.value] + std::size_t{step.position.value} * op.dims,
            .headDim = op.headDim,
            .dims = op.dims,
            .adjacent = op.pairing == RopePairing::Adjacent};
        if (head < op.qHeads) {
            args.head = slotRow(op.q, row) + std::size_t{head} * op.headDim;
        } else {
            const std::uint32_t kvHead = head - op.qHeads;
            const PageId page =
                m_inputs->pageTables[step.sequence][step.position.value / kPagePositions];
            std::byte* begin = m_parts.kv + page.value * m_parts.layout.pageBytes();
            const std::uint64_t size = m_parts.layout.elementBytes();
            args.head = slotRow(op.k, row) + std::size_t{kvHead} * op.headDim;
            args.keys = begin + m_parts.layout.keyTile(op.layer, kvHead) * size;
            args.values = begin + m_parts.layout.valueTile(op.layer, kvHead) * size;
            args.value = slotRow(op.v, row) + std::size_t{kvHead} * op.headDim;
            args.place = step.position.value % kPagePositions;
            args.halves = m_parts.layout.element == KvElement::F16;
        }
        m_kernels.ropeHead(args);
    }
    return true;
}

}  // namespace agens::device::cpu
