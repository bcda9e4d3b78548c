// SPDX-License-Identifier: Apache-2.0
// What goes into one run of a StepProgram and what comes out. Plain views; the caller owns them.
//
// A row is one token of one sequence. Rows of one sequence stand in ascending position order.
// Before any row reads the cache, the keys and values of every row of the step are written to it;
// row r then reads positions 0 … its own. A row's output bits never depend on which other rows
// share the step.
#pragma once

#include <cstdint>
#include <span>

#include "engine/base/units.h"

namespace agens::device {

// Number of a KV page of the device's pool. A page holds 256 positions of every layer.
using PageId = Unit<struct PageIdTag, std::uint32_t>;

constexpr std::uint32_t kPagePositions = 256;

struct StepRow {
    TokenId token;
    Position position;
    std::uint32_t sequence = 0;  // index into StepInputs::pageTables
    bool wantLogits = false;
};

struct StepInputs {
    std::span<const StepRow> rows;
    // Page p of a table holds positions [256 p, 256 (p + 1)) of that sequence.
    std::span<const std::span<const PageId>> pageTables;
    bool wantHidden = false;  // hidden rows after the final norm for the rows with wantLogits
};

// Valid until the next run. Row order = order of the wanting rows in StepInputs.
struct StepOutputs {
    std::uint32_t wantedRows = 0;
    std::uint32_t vocabRows = 0;
    std::uint32_t hiddenSize = 0;
    std::span<const float> logits;  // [wantedRows, vocabRows], raw
    std::span<const float> hidden;  // [wantedRows, hiddenSize] or empty
    std::span<const float> logitsOf(std::uint32_t row) const {
        return logits.subspan(std::size_t{row} * vocabRows, vocabRows);
    }
};

}  // namespace agens::device
