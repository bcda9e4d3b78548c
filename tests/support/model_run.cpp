// SPDX-License-Identifier: Apache-2.0
// Steps by hand: page table, rows, run.
#include "tests/support/model_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace agens::test {

ModelRun::ModelRun(const engine::OpenOptions& options)
    : m_loaded(engine::loadModel(options, {}, {})) {}

std::string ModelRun::deviceText() const {
    const device::DeviceInfo& info = m_loaded->device;
    return info.name + (info.isa.empty() ? "" : " " + info.isa) + ", " +
           std::to_string(info.threads) + (info.threads == 1 ? " thread" : " threads");
}

Rows ModelRun::feed(const std::vector<std::int32_t>& ids,
                    const std::vector<std::uint32_t>& positions, std::uint32_t chunk,
                    std::uint32_t firstPage) {
    return feedSteps(ids, positions, std::vector<std::uint32_t>(ids.size() / chunk + 1, chunk),
                     firstPage);
}

Rows ModelRun::feedSteps(const std::vector<std::int32_t>& ids,
                         const std::vector<std::uint32_t>& positions,
                         const std::vector<std::uint32_t>& steps, std::uint32_t firstPage) {
    std::vector<device::PageId> pages;
    for (std::uint32_t page = 0; page <= ids.size() / device::kPagePositions; ++page) {
        pages.emplace_back(firstPage + page);
    }
    const std::vector<std::span<const device::PageId>> tables = {pages};
    Rows out;
    std::size_t at = 0;
    for (const std::uint32_t size : steps) {
        std::vector<device::StepRow> rows;
        for (std::size_t i = at; i < std::min<std::size_t>(at + size, ids.size()); ++i) {
            const auto position = static_cast<std::uint32_t>(i);
            rows.push_back({.token = TokenId(ids[i]),
                            .position = Position(position),
                            .sequence = 0,
                            .wantLogits = std::ranges::binary_search(positions, position)});
        }
        if (rows.empty()) break;
        at += rows.size();
        const auto step = m_loaded->executor->run({rows, tables, true}, {});
        EXPECT_TRUE(step.ok()) << (step.ok() ? "" : step.error().text());
        if (!step.ok()) return out;
        out.vocabRows = step->vocabRows;
        out.hiddenSize = step->hiddenSize;
        out.logits.insert(out.logits.end(), step->logits.begin(), step->logits.end());
        out.hidden.insert(out.hidden.end(), step->hidden.begin(), step->hidden.end());
    }
    return out;
}

std::vector<std::uint32_t> allPositions(std::size_t count) {
    std::vector<std::uint32_t> positions(count);
    for (std::size_t i = 0; i < count; ++i)
        positions[i] = static_cast<std::uint32_t>(i);
    return positions;
}

std::ptrdiff_t firstDifference(const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() != b.size()) return static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::memcmp(&a[i], &b[i], sizeof(float)) != 0) return static_cast<std::ptrdiff_t>(i);
    }
    return -1;
}

}  // namespace agens::test
