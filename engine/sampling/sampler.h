// SPDX-License-Identifier: Apache-2.0
// Sampler: choose(row, state) → the token that stands next. One function for plain decoding and
// for every row of a verify block; `state` is what plain decoding would have at that row.
//
// Owns the scratch of one row (32 bytes per vocabulary row), made once: choosing allocates
// nothing. The result is a function of (row, state) alone; scratch carries nothing over.
// Errors: none; a row without any usable logit gives no token, which the loop reports.
// Thread: one at a time (engine thread).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/units.h"
#include "engine/request.h"
#include "engine/sampling/processors.h"

namespace agens::sampling {

struct ChooseState {
    const engine::SamplingValues& values;
    std::uint64_t seed = 0;
    Position position;  // where the chosen token will stand
    History history;
};

struct Choice {
    std::optional<TokenId> token;  // nothing: every logit was banned, NaN or -inf
    std::uint32_t notNumbers = 0;  // NaN found in the row
};

class Sampler {
 public:
    // `vocabRows` logits a row, of which the first `vocabulary` are real; `banned` is never chosen.
    Sampler(std::uint32_t vocabRows, std::uint32_t vocabulary, std::vector<TokenId> banned);
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    Choice choose(std::span<const float> logits, const ChooseState& state);

 private:
    std::uint32_t m_vocabulary;
    std::vector<TokenId> m_banned;
    std::vector<float> m_row;
    std::vector<Candidate> m_candidates;
    std::vector<double> m_differences;
    std::vector<double> m_weights;
    SeenIds m_seen;
};

}  // namespace agens::sampling
