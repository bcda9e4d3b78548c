// SPDX-License-Identifier: Apache-2.0
// The order of the processors, once.
#include "engine/sampling/sampler.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace agens::sampling {

Sampler::Sampler(std::uint32_t vocabRows, std::uint32_t vocabulary, std::vector<TokenId> banned)
    : m_vocabulary(vocabulary),
      m_banned(std::move(banned)),
      m_row(vocabRows),
      m_differences(vocabRows),
      m_weights(vocabRows),
      m_seen(vocabRows) {
    m_candidates.reserve(vocabRows);
    for (const TokenId id : m_banned) {
        CHECK(id.value >= 0 && static_cast<std::uint32_t>(id.value) < vocabRows)
            << "banned id " << id.value << " of " << vocabRows;
    }
}

Choice Sampler::choose(std::span<const float> logits, const ChooseState& state) {
    CHECK(logits.size() == m_row.size()) << logits.size() << " logits for " << m_row.size();
    const engine::SamplingValues& values = state.values;
    std::copy(logits.begin(), logits.end(), m_row.begin());
    Choice choice;
    choice.notNumbers = ban(m_row, m_vocabulary, m_banned);
    penaliseRepetition(m_row, state.history, values.repeatLastN, values.repetitionPenalty, m_seen);
    if (values.temperature < kGreedyBelow) {
        choice.token = argmax(m_row);
        return choice;
    }
    divideByTemperature(m_row, values.temperature);
    collect(m_row, m_candidates);
    if (m_candidates.empty()) return choice;
    keepTopK(m_candidates, values.topK);
    keepTopP(m_candidates, values.topP, {m_differences, m_weights});
    keepMinP(m_candidates, values.minP);
    choice.token = draw(m_candidates, {.seed = state.seed, .position = state.position.value});
    return choice;
}

}  // namespace agens::sampling
