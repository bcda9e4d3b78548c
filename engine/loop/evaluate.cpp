// SPDX-License-Identifier: Apache-2.0
// Groups of rows, and the copies of what was asked for.
#include "engine/loop/evaluate.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace agens::loop {
namespace {

Error invalid(std::string what, const char* field) {
    return Error{ErrorKind::InvalidRequest, "evaluate.request", std::move(what), field};
}

// Wanted rows of one group, ascending positions.
class WantedPositions {
 public:
    explicit WantedPositions(const engine::EvaluateRequest& request)
        : m_positions(request.positions) {}
    bool take(std::uint32_t position) {
        if (m_positions.empty()) return true;
        if (m_next == m_positions.size() || m_positions[m_next].value != position) return false;
        ++m_next;
        return true;
    }

 private:
    const std::vector<Position>& m_positions;
    std::size_t m_next = 0;
};

// Rows of the next step. It ends early where the executor has no room for more rows with logits.
void addGroup(std::span<const TokenId> ids, std::uint32_t begin, std::uint32_t wantedMax,
              WantedPositions& wanted, std::vector<device::StepRow>& rows) {
    rows.clear();
    std::uint32_t withLogits = 0;
    for (std::uint32_t i = 0; i < ids.size() && withLogits < wantedMax; ++i) {
        const bool isWanted = wanted.take(begin + i);
        rows.push_back({.token = ids[i], .position = Position(begin + i), .wantLogits = isWanted});
        withLogits += isWanted ? 1 : 0;
    }
}

void append(engine::Evaluation& evaluation, const device::StepOutputs& outputs) {
    evaluation.vocabRows = outputs.vocabRows;
    evaluation.hiddenSize = outputs.hiddenSize;
    evaluation.logits.insert(evaluation.logits.end(), outputs.logits.begin(), outputs.logits.end());
    evaluation.hidden.insert(evaluation.hidden.end(), outputs.hidden.begin(), outputs.hidden.end());
}

}  // namespace

Result<void> validateEvaluation(const engine::EvaluateRequest& request,
                                const ExecutorLimits& limits, std::uint32_t vocabulary) {
    if (request.ids.empty()) return invalid("There are no token ids to evaluate.", "ids");
    if (request.ids.size() > limits.contextTokens) {
        return invalid(std::to_string(request.ids.size()) +
                           " token ids do not fit the context of " +
                           std::to_string(limits.contextTokens) + ".",
                       "ids");
    }
    for (const TokenId id : request.ids) {
        if (id.value >= 0 && static_cast<std::uint32_t>(id.value) < vocabulary) continue;
        return invalid("Token id " + std::to_string(id.value) + " is not in the vocabulary of " +
                           std::to_string(vocabulary) + ".",
                       "ids");
    }
    const auto& positions = request.positions;
    const auto isUnordered = [](Position a, Position b) { return a.value >= b.value; };
    if (std::ranges::adjacent_find(positions, isUnordered) != positions.end()) {
        return invalid("Positions must ascend without repeats.", "positions");
    }
    if (!positions.empty() && positions.back().value >= request.ids.size()) {
        return invalid("Position " + std::to_string(positions.back().value) + " is beyond the " +
                           std::to_string(request.ids.size()) + " ids.",
                       "positions");
    }
    return {};
}

Result<engine::Evaluation> evaluate(Executor& executor, cache::KvPages& pages,
                                    cache::PrefixStore& store,
                                    const engine::EvaluateRequest& request, std::stop_token stop) {
    const ExecutorLimits limits = executor.limits();
    const std::uint32_t group =
        request.rowsPerStep == 0 ? limits.rowsMax : std::min(request.rowsPerStep, limits.rowsMax);
    cache::SequenceCache cache(pages, limits.contextTokens);
    WantedPositions wanted(request);
    engine::Evaluation evaluation;
    std::vector<device::StepRow> rows;
    const std::span<const TokenId> ids(request.ids);
    while (cache.length() < ids.size()) {
        const std::uint32_t begin = cache.length();
        const std::size_t most = std::min<std::size_t>(group, ids.size() - begin);
        addGroup(ids.subspan(begin, most), begin, limits.wantedMax, wanted, rows);
        if (!store.extend(cache, ids.subspan(begin, rows.size()))) {
            return Error{ErrorKind::NoMemory, "evaluate.pages", "No KV page is free.", ""};
        }
        const std::array tables = {cache.pageTable()};
        TRY(const device::StepOutputs outputs,
            executor.run({.rows = rows, .pageTables = tables, .wantHidden = request.wantHidden},
                         stop));
        append(evaluation, outputs);
        cache.commit(static_cast<std::uint32_t>(rows.size()));
    }
    return evaluation;
}

}  // namespace agens::loop
