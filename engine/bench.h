// SPDX-License-Identifier: Apache-2.0
// StepBench: times single steps of a loaded model, without loop, sampler or text. The timing
// primitive of `agens bench`; nothing else uses it.
//
//   TRY(auto bench, StepBench::open(options, progress, stop));
//   TRY(auto time, bench->step(ids, Position(0), false));   // prefill of ids, logits of the last
//   row
//
// One sequence with one page table; a step may start at any position whose predecessors were run.
// Thread: one at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/engine.h"

namespace agens::engine {

class StepBench {
 public:
    static Result<std::unique_ptr<StepBench>> open(const OpenOptions& options,
                                                   const LoadSink& progress, std::stop_token stop);
    virtual ~StepBench() = default;

    virtual std::string deviceText() const = 0;
    virtual std::uint32_t servedContext() const = 0;
    virtual std::uint32_t vocabRows() const = 0;
    virtual std::uint32_t rowsMax() const = 0;
    // Bytes that a decode step reads: all weights once. For the share of the read bandwidth.
    virtual ByteCount weightBytes() const = 0;

    // Runs ids at positions from, from + 1, … in one step and gives the time it took. Logits are
    // computed for the last row, or for every row.
    // Errors: InvalidRequest (more rows or a longer context than served), Device, Cancelled.
    virtual Result<std::chrono::nanoseconds> step(std::span<const TokenId> ids, Position from,
                                                  bool everyRow) = 0;
};

}  // namespace agens::engine
