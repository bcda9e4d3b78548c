// SPDX-License-Identifier: Apache-2.0
// How attention is cut over threads (step_runner.h); the arithmetic is in the kernels.
#include <algorithm>
#include <cstring>

#include "engine/device/cpu/step_runner.h"

namespace agens::device::cpu {

AttentionChunkArgs StepRunner::pageArgs(const Attention& op, std::uint32_t kvHead,
                                        PageId page) const {
    const std::byte* begin = m_parts.kv + page.value * m_parts.layout.pageBytes();
    const std::uint64_t size = m_parts.layout.elementBytes();
    AttentionChunkArgs args;
    args.keys = begin + m_parts.layout.keyTile(op.layer, kvHead) * size;
    args.values = begin + m_parts.layout.valueTile(op.layer, kvHead) * size;
    args.halves = m_parts.layout.element == KvElement::F16;
    args.headDim = op.headDim;
    args.scale = op.scale;
    return args;
}

float* StepRunner::partOf(std::uint32_t row, std::uint32_t head, std::uint32_t chunk) const {
    const std::size_t index = (std::size_t{row} * m_headsMost + head) * m_chunksMost + chunk;
    return m_chunkParts + index * partFloats(m_parts.layout.headDim);
}

bool StepRunner::apply(const Attention& op, std::uint32_t thread) {
    if (m_inputs->rows.size() > kOwnRows || m_chunks == 1) {
        attendByRows(op, thread);
        return true;
    }
    attendByChunks(op, thread);
    m_team.barrier();
    foldChunks(op, thread);
    return true;
}

void StepRunner::attendByRows(const Attention& op, std::uint32_t thread) {
    // Tiles never span two sequences. All threads walk the same list and take every T-th unit, so
    // that the growing cost of later rows is spread evenly.
    const auto rows = static_cast<std::uint32_t>(m_inputs->rows.size());
    std::uint32_t unit = 0;
    for (std::uint32_t first = 0; first < rows;) {
        std::uint32_t count = 1;
        while (count < kAttentionTileRows && first + count < rows &&
               m_inputs->rows[first + count].sequence == m_inputs->rows[first].sequence) {
            ++count;
        }
        for (std::uint32_t kvHead = 0; kvHead < op.kvHeads; ++kvHead, ++unit) {
            if (unit % m_team.size() == thread) attendTile(op, kvHead, first, count, thread);
        }
        first += count;
    }
}

void StepRunner::attendTile(const Attention& op, std::uint32_t kvHead, std::uint32_t firstRow,
                            std::uint32_t rows, std::uint32_t thread) {
    const std::uint32_t group = op.qHeads / op.kvHeads;
    const std::uint32_t part = partFloats(op.headDim);
    float* totals = m_scratch[thread];
    float* parts = totals + std::size_t{rows} * group * part;
    const auto pages = m_inputs->pageTables[m_inputs->rows[firstRow].sequence];
    const std::uint32_t last = m_inputs->rows[firstRow + rows - 1].position.value;
    for (std::uint32_t begin = 0; begin <= last; begin += kPagePositions) {
        AttentionChunkArgs args = pageArgs(op, kvHead, pages[begin / kPagePositions]);
        float* totalOf[kQueriesMost] = {};
        const auto flush = [&] {
            if (args.queries > 0) m_kernels.attentionChunk(args);
            for (std::uint32_t q = 0; begin > 0 && q < args.queries; ++q) {
                m_kernels.foldPart(totalOf[q], args.part[q], op.headDim);
            }
            args.queries = 0;
        };
        for (std::uint32_t i = 0; i < rows * group; ++i) {
            const std::uint32_t row = firstRow + i / group;
            const std::uint32_t position = m_inputs->rows[row].position.value;
            if (position < begin) continue;
            const std::uint32_t q = args.queries++;
            totalOf[q] = totals + std::size_t{i} * part;
            args.query[q] =
                slotRow(op.q, row) + std::size_t{kvHead * group + i % group} * op.headDim;
            args.visible[q] = std::min(position - begin + 1, kPagePositions);
            args.part[q] = begin == 0 ? totalOf[q] : parts + std::size_t{q} * part;
            if (args.queries == kQueriesMost) flush();
        }
        flush();
    }
    for (std::uint32_t i = 0; i < rows * group; ++i) {
        float* out = slotRow(op.out, firstRow + i / group) +
                     std::size_t{kvHead * group + i % group} * op.headDim;
        m_kernels.finishPart(totals + std::size_t{i} * part, op.headDim, out);
    }
}

void StepRunner::attendByChunks(const Attention& op, std::uint32_t thread) {
    const auto rows = static_cast<std::uint32_t>(m_inputs->rows.size());
    const std::uint32_t group = op.qHeads / op.kvHeads;
    std::uint32_t unit = 0;
    for (std::uint32_t row = 0; row < rows; ++row) {
        const StepRow& step = m_inputs->rows[row];
        for (std::uint32_t chunk = 0; chunk <= step.position.value / kPagePositions; ++chunk) {
            for (std::uint32_t kvHead = 0; kvHead < op.kvHeads; ++kvHead, ++unit) {
                if (unit % m_team.size() != thread) continue;
                AttentionChunkArgs args =
                    pageArgs(op, kvHead, m_inputs->pageTables[step.sequence][chunk]);
                const std::uint32_t visible =
                    std::min(step.position.value - chunk * kPagePositions + 1, kPagePositions);
                for (std::uint32_t g = 0; g < group; ++g) {
                    const std::uint32_t head = kvHead * group + g;
                    const std::uint32_t q = args.queries++;
                    args.query[q] = slotRow(op.q, row) + std::size_t{head} * op.headDim;
                    args.visible[q] = visible;
                    args.part[q] = partOf(row, head, chunk);
                    if (args.queries < kQueriesMost && g + 1 < group) continue;
                    m_kernels.attentionChunk(args);
                    args.queries = 0;
                }
            }
        }
    }
}

void StepRunner::foldChunks(const Attention& op, std::uint32_t thread) {
    const auto rows = static_cast<std::uint32_t>(m_inputs->rows.size());
    for (std::uint32_t unit = thread; unit < rows * op.qHeads; unit += m_team.size()) {
        const std::uint32_t row = unit / op.qHeads;
        const std::uint32_t head = unit % op.qHeads;
        float* total = partOf(row, head, 0);
        const std::uint32_t chunks = m_inputs->rows[row].position.value / kPagePositions + 1;
        for (std::uint32_t chunk = 1; chunk < chunks; ++chunk) {
            m_kernels.foldPart(total, partOf(row, head, chunk), op.headDim);
        }
        m_kernels.finishPart(total, op.headDim,
                             slotRow(op.out, row) + std::size_t{head} * op.headDim);
    }
}

}  // namespace agens::device::cpu
