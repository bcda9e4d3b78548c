// SPDX-License-Identifier: Apache-2.0
// The processors of a logits row, in the order they run (numbers of the design's table):
//
//   1 bans · 4 repetition · 8 argmax if T < 0.01 · 9 temperature · 10 top-k · 11 top-p · 12 min-p ·
//   14 draw
//
// f32, one rounding per written operation. The first four change the row in place; the later ones
// thin out a list of candidates. Ties always go to the lower id. Nothing here allocates: lists
// only shrink, scratch comes in from the Sampler.
// Thread: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/units.h"
#include "engine/sampling/noise.h"

namespace agens::sampling {

// A temperature below this is greedy.
constexpr float kGreedyBelow = 0.01F;

struct Candidate {
    float logit = 0.0F;
    std::int32_t id = 0;
    double weight = 0.0;  // dexp(logit - best), valid after weigh()
};

// Better logit first, then lower id: a total order over one row's candidates.
inline bool isBetter(const Candidate& a, const Candidate& b) {
    return a.logit > b.logit || (a.logit == b.logit && a.id < b.id);
}

// 1. Rows beyond the vocabulary and banned ids to -inf; NaN as well. Returns how many NaN there
// were.
std::uint32_t ban(std::span<float> row, std::uint32_t vocabulary, std::span<const TokenId> banned);

// The tokens a penalty looks at: those committed, then those chosen earlier in this step.
struct History {
    std::span<const TokenId> committed;
    std::span<const TokenId> chosen;
};

// Remembers which ids were met; emptied in O(1).
class SeenIds {
 public:
    explicit SeenIds(std::size_t vocabRows) : m_stamps(vocabRows, 0) {}
    void clear();
    bool add(TokenId id);  // false: met before

 private:
    std::vector<std::uint32_t> m_stamps;
    std::uint32_t m_stamp = 0;
};

// 4. Each id of the last `window` tokens (0 = all) once: logit > 0 ? logit / penalty : logit *
// penalty.
void penaliseRepetition(std::span<float> row, const History& history, std::uint32_t window,
                        float penalty, SeenIds& seen);

// 8. Best logit, lowest id; nothing when every logit is -inf.
std::optional<TokenId> argmax(std::span<const float> row);

// 9. Division, not multiplication with a reciprocal.
void divideByTemperature(std::span<float> row, float temperature);

// Every id that is not -inf, ids ascending. `candidates` has capacity for the whole row.
void collect(std::span<const float> row, std::vector<Candidate>& candidates);

// 10. Keeps the k best, best first.
void keepTopK(std::vector<Candidate>& candidates, std::uint32_t k);

// 11. Keeps the shortest best-first prefix whose weights reach p of the whole. Sorts no more than
// the prefix needs, in growing parts. `differences` and `weights` hold one double per candidate.
struct WeightScratch {
    std::span<double> differences;
    std::span<double> weights;
};
void keepTopP(std::vector<Candidate>& candidates, double p, const WeightScratch& scratch);

// 12. Keeps logit - best >= dln(minP); minP >= 1 keeps the best one.
void keepMinP(std::vector<Candidate>& candidates, double minP);

// 14. argmax of double(logit) + noise; ties to the lower id. Requires: not empty.
TokenId draw(std::span<const Candidate> candidates, const NoiseKey& key);

}  // namespace agens::sampling
