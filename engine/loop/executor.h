// SPDX-License-Identifier: Apache-2.0
// Executor: the seam between the loop and whatever turns rows into logits: a device with a model
// (device_executor.h), a script (scripted_executor.h), or a table in a test.
// Thread: engine thread only.
#pragma once

#include <cstdint>
#include <stop_token>

#include "engine/base/result.h"
#include "engine/device/step_io.h"

namespace agens::loop {

struct ExecutorLimits {
    std::uint32_t rowsMax = 512;   // rows of a step, all sequences together
    std::uint32_t wantedMax = 16;  // of them with logits
    std::uint32_t vocabRows = 0;
    std::uint32_t pages = 0;          // KV pages in the pool
    std::uint32_t contextTokens = 0;  // served context of one sequence
    std::uint32_t runningSequences = 2;
};

class Executor {
 public:
    virtual ~Executor() = default;
    virtual ExecutorLimits limits() const = 0;
    // Blocks. Cancelled when `stop` was requested (checked between layers); then nothing of the
    // step counts, and cache rows of the step are as if never written.
    virtual Result<device::StepOutputs> run(const device::StepInputs& inputs,
                                            std::stop_token stop) = 0;
    // Copies a whole page, so that a sequence can start from another one's prefix.
    virtual void copyPage(device::PageId from, device::PageId to) = 0;
};

}  // namespace agens::loop
