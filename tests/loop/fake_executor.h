// SPDX-License-Identifier: Apache-2.0
// FakeExecutor: a device for tests. Its memory is a table page → token per row; the logits of a row
// are a function of the tokens that row can read, so a wrong page, a stale row or a row written
// twice shows as another reply or as a recorded fault. A test may make any step fail, throw or
// stop.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/loop/executor.h"

namespace agens::test {

class FakeExecutor final : public loop::Executor {
 public:
    // What follows the tokens before it; the row's only usable logit.
    using NextToken = std::function<TokenId(std::span<const TokenId>)>;

    FakeExecutor(const loop::ExecutorLimits& limits, NextToken next)
        : m_limits(limits),
          m_next(std::move(next)),
          m_memory(std::size_t{limits.pages} * device::kPagePositions, kEmpty) {
        rowsOfStep.reserve(100000);  // so that a step allocates nothing
        m_visible.reserve(limits.contextTokens);
    }

    loop::ExecutorLimits limits() const override { return m_limits; }

    Result<device::StepOutputs> run(const device::StepInputs& inputs,
                                    std::stop_token stop) override {
        ++steps;
        rowsOfStep.push_back(static_cast<std::uint32_t>(inputs.rows.size()));
        if (beforeStep) {
            if (auto error = beforeStep(stop)) return std::move(*error);
        }
        checkRows(inputs);
        std::uint32_t wanted = 0;
        for (const device::StepRow& row : inputs.rows)
            wanted += row.wantLogits ? 1 : 0;
        m_logits.assign(std::size_t{wanted} * m_limits.vocabRows,
                        -std::numeric_limits<float>::infinity());
        std::uint32_t filled = 0;
        for (const device::StepRow& row : inputs.rows) {
            cell(inputs.pageTables[row.sequence], row.position.value) = row.token;
        }
        for (const device::StepRow& row : inputs.rows) {
            if (!row.wantLogits) continue;
            const TokenId next =
                m_next(visible(inputs.pageTables[row.sequence], row.position.value));
            if (!giveNoLogits) {
                m_logits[std::size_t{filled} * m_limits.vocabRows +
                         static_cast<std::size_t>(next.value)] = 1.0F;
            }
            ++filled;
        }
        rows += inputs.rows.size();
        return device::StepOutputs{.wantedRows = wanted,
                                   .vocabRows = m_limits.vocabRows,
                                   .hiddenSize = inputs.wantHidden ? 1U : 0U,
                                   .logits = m_logits,
                                   .hidden = hiddenOf(inputs)};
    }

    void copyPage(device::PageId from, device::PageId to) override {
        ++copies;
        for (std::uint32_t i = 0; i < device::kPagePositions; ++i) {
            m_memory[to.value * device::kPagePositions + i] =
                m_memory[from.value * device::kPagePositions + i];
        }
    }

    std::function<std::optional<Error>(std::stop_token)> beforeStep;  // may throw
    bool giveNoLogits = false;
    std::uint64_t steps = 0;
    std::uint64_t rows = 0;
    std::uint32_t copies = 0;
    std::vector<std::uint32_t> rowsOfStep;
    std::vector<std::string> faults;

 private:
    static constexpr TokenId kEmpty = TokenId(-1);

    TokenId& cell(std::span<const device::PageId> table, std::uint32_t position) {
        const device::PageId page = table[position / device::kPagePositions];
        return m_memory[page.value * device::kPagePositions + position % device::kPagePositions];
    }

    std::span<const TokenId> visible(std::span<const device::PageId> table,
                                     std::uint32_t position) {
        m_visible.clear();
        for (std::uint32_t p = 0; p <= position; ++p)
            m_visible.push_back(cell(table, p));
        return m_visible;
    }

    std::span<const float> hiddenOf(const device::StepInputs& inputs) {
        m_hidden.clear();
        if (!inputs.wantHidden) return {};
        for (const device::StepRow& row : inputs.rows) {
            if (row.wantLogits) m_hidden.push_back(static_cast<float>(row.position.value));
        }
        return m_hidden;
    }

    void checkRows(const device::StepInputs& inputs) {
        if (inputs.rows.size() > m_limits.rowsMax) faults.emplace_back("more rows than rowsMax");
        const device::StepRow* before = nullptr;
        for (const device::StepRow& row : inputs.rows) {
            const bool isSame = before != nullptr && before->sequence == row.sequence;
            if (isSame && row.position.value != before->position.value + 1) {
                faults.push_back("gap before position " + std::to_string(row.position.value));
            }
            const auto table = inputs.pageTables[row.sequence];
            if (row.position.value / device::kPagePositions >= table.size()) {
                faults.emplace_back("row without a page");
                return;
            }
            before = &row;
        }
    }

    loop::ExecutorLimits m_limits;
    NextToken m_next;
    std::vector<TokenId> m_memory;
    std::vector<TokenId> m_visible;
    std::vector<float> m_logits;
    std::vector<float> m_hidden;
};

}  // namespace agens::test
