// SPDX-License-Identifier: Apache-2.0
// StepRunner: runs a prepared StepProgram on the thread team. One parallel region per step; a
// barrier after each op whose result another thread reads.
//
// Few rows (at most kOwnRows): norm_quantize and quantize are computed by every thread for itself,
// into its own activation, so that no barrier stands between them and the matmul that reads them.
// More rows: threads split the rows and meet. The bits are the same.
//
// Attention with few rows and more than one chunk is split over (row, KV head, chunk) and folded in
// a second phase; otherwise a unit is (row tile, KV head) and folds as it goes. Same bits again.
//
// The arena is allocated by make(); run() allocates nothing.
#pragma once

#include <atomic>
#include <memory>
#include <stop_token>
#include <vector>

#include "engine/base/aligned_buffer.h"
#include "engine/base/result.h"
#include "engine/base/thread_team.h"
#include "engine/device/cpu/kernel_table.h"
#include "engine/device/device.h"

namespace agens::device::cpu {

constexpr std::uint32_t kOwnRows = 8;
// A row tile of attention: neighbouring rows of one sequence that walk the pages together.
constexpr std::uint32_t kAttentionTileRows = 16;

// What a program runs on; views into the device that owns them.
struct RunnerParts {
    StepProgram program;
    RowLimits limits;
    std::vector<PackedMatrix> matrices;
    std::vector<const float*> vectors;
    KvLayout layout;
    std::byte* kv = nullptr;
};

class StepRunner {
 public:
    static Result<std::unique_ptr<StepRunner>> make(RunnerParts parts, const KernelTable& kernels,
                                                    ThreadTeam& team);
    // Errors: Cancelled; CheckFailure when there are more rows than the limits allow.
    Result<StepOutputs> run(const StepInputs& inputs, const std::stop_token& stop);
    ByteCount arenaBytes() const { return m_arena.size(); }

 private:
    StepRunner(RunnerParts parts, const KernelTable& kernels, ThreadTeam& team)
        : m_parts(std::move(parts)), m_kernels(kernels), m_team(team) {}

    Result<void> layOut();
    void readRows(const StepInputs& inputs);
    void member(std::uint32_t index);
    bool apply(const Embed& op, std::uint32_t thread);
    bool apply(const NormQuantize& op, std::uint32_t thread);
    bool apply(const Quantize& op, std::uint32_t thread);
    bool apply(const Matmul& op, std::uint32_t thread);
    bool apply(const SwigluMatmul& op, std::uint32_t thread);
    bool apply(const RopeAppend& op, std::uint32_t thread);
    bool apply(const Attention& op, std::uint32_t thread);

    void attendByRows(const Attention& op, std::uint32_t thread);
    void attendByChunks(const Attention& op, std::uint32_t thread);
    void foldChunks(const Attention& op, std::uint32_t thread);
    void attendTile(const Attention& op, std::uint32_t kvHead, std::uint32_t firstRow,
                    std::uint32_t rows, std::uint32_t thread);
    AttentionChunkArgs pageArgs(const Attention& op, std::uint32_t kvHead, PageId page) const;

    float* slotRow(SlotId slot, std::size_t row) const {
        return m_slots[slot.value] + row * m_parts.program.slotColumns[slot.value];
    }
    const ActivationRows& activation(ActivationId id, std::uint32_t thread,
                                     std::uint32_t rows) const {
        return rows <= kOwnRows ? m_own[thread][id.value] : m_shared[id.value];
    }
    std::uint32_t wantedOrAll(bool onlyWanted) const {
        return onlyWanted ? m_wantedCount : static_cast<std::uint32_t>(m_inputs->rows.size());
    }
    float* partOf(std::uint32_t row, std::uint32_t head, std::uint32_t chunk) const;

    RunnerParts m_parts;
    const KernelTable& m_kernels;
    ThreadTeam& m_team;
    AlignedBuffer m_arena;
    std::vector<float*> m_slots;
    std::vector<ActivationRows> m_shared;
    std::vector<std::vector<ActivationRows>> m_own;  // by thread
    std::vector<float*> m_scratch;                   // by thread: one row, or parts of a row tile
    std::uint32_t m_headsMost = 0;
    std::uint32_t m_chunksMost = 0;
    float* m_chunkParts = nullptr;
    std::vector<std::uint32_t> m_wanted;
    std::uint32_t m_wantedCount = 0;

    // Of the running step.
    const StepInputs* m_inputs = nullptr;
    std::uint32_t m_chunks = 0;  // most chunks any row of the step sees
    const std::stop_token* m_stop = nullptr;
    std::atomic<bool> m_cancelled{false};
};

}  // namespace agens::device::cpu
