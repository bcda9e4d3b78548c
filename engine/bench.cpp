// SPDX-License-Identifier: Apache-2.0
// StepBench over loadModel: the executor is called directly, with buffers made before the clock
// starts.
#include "engine/bench.h"

#include <numeric>
#include <vector>

#include "engine/load_model.h"

namespace agens::engine {
namespace {

class LoadedStepBench final : public StepBench {
 public:
    LoadedStepBench(LoadedModel model, std::stop_token stop)
        : m_model(std::move(model)), m_stop(std::move(stop)), m_limits(m_model.executor->limits()) {
        for (std::uint32_t page = 0; page * device::kPagePositions < m_limits.contextTokens;
             ++page) {
            m_pages.emplace_back(page);
        }
    }

    std::string deviceText() const override { return engine::deviceText(m_model.device); }
    std::uint32_t servedContext() const override { return m_limits.contextTokens; }
    std::uint32_t vocabRows() const override { return m_limits.vocabRows; }
    std::uint32_t rowsMax() const override { return m_limits.rowsMax; }
    ByteCount weightBytes() const override {
        for (const PlannedArena& arena : m_model.plan.arenas) {
            if (arena.name == "weights") return arena.bytes;
        }
        return ByteCount(0);
    }

    Result<std::chrono::nanoseconds> step(std::span<const TokenId> ids, Position from,
                                          bool everyRow) override {
        const bool fits = !ids.empty() && ids.size() <= m_limits.rowsMax &&
                          from.value + ids.size() <= m_limits.contextTokens;
        if (!fits) {
            return Error{ErrorKind::InvalidRequest, "bench.rows",
                         "A step of " + std::to_string(ids.size()) + " rows at position " +
                             std::to_string(from.value) + " does not fit the served context of " +
                             std::to_string(m_limits.contextTokens) + " tokens.",
                         ""};
        }
        std::vector<device::StepRow> rows(ids.size());
        for (std::uint32_t i = 0; i < rows.size(); ++i) {
            rows[i] = {.token = ids[i],
                       .position = from + i,
                       .sequence = 0,
                       .wantLogits = everyRow || i + 1 == rows.size()};
        }
        const std::span<const device::PageId> table = m_pages;
        const device::StepInputs inputs{.rows = rows, .pageTables = std::span(&table, 1)};
        const auto begin = std::chrono::steady_clock::now();
        TRY([[maybe_unused]] const device::StepOutputs outputs,
            m_model.executor->run(inputs, m_stop));
        return std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin);
    }

 private:
    LoadedModel m_model;
    std::stop_token m_stop;
    loop::ExecutorLimits m_limits;
    std::vector<device::PageId> m_pages;
};

}  // namespace

Result<std::unique_ptr<StepBench>> StepBench::open(const OpenOptions& options,
                                                   const LoadSink& progress, std::stop_token stop) {
    TRY(LoadedModel model, loadModel(options, progress, stop));
    std::unique_ptr<StepBench> bench = std::make_unique<LoadedStepBench>(std::move(model), stop);
    return bench;
}

}  // namespace agens::engine
