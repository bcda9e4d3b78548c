// SPDX-License-Identifier: Apache-2.0
// The processors of a logits row.
#include "engine/sampling/processors.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iterator>
#include <limits>

#include "engine/base/check.h"

namespace agens::sampling {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

// Equal values differ by 0, also when both are infinite.
double differenceFromBest(float logit, float best) {
    return logit == best ? 0.0 : static_cast<double>(logit) - static_cast<double>(best);
}

float bestLogit(std::span<const Candidate> candidates) {
    float best = kNever;
    for (const Candidate& candidate : candidates)
        best = std::max(best, candidate.logit);
    return best;
}

void weigh(std::span<Candidate> candidates, const WeightScratch& scratch) {
    const float best = bestLogit(candidates);
    const std::size_t count = candidates.size();
    for (std::size_t i = 0; i < count; ++i) {
        scratch.differences[i] = differenceFromBest(candidates[i].logit, best);
    }
    dexpAll(scratch.differences.first(count), scratch.weights.first(count));
    for (std::size_t i = 0; i < count; ++i)
        candidates[i].weight = scratch.weights[i];
}

// The sum's bits depend on its order: ids ascending.
double weightSum(std::span<Candidate> candidates) {
    const auto byId = [](const Candidate& a, const Candidate& b) { return a.id < b.id; };
    if (!std::is_sorted(candidates.begin(), candidates.end(), byId)) {
        std::sort(candidates.begin(), candidates.end(), byId);
    }
    double sum = 0.0;
    for (const Candidate& candidate : candidates)
        sum += candidate.weight;
    return sum;
}

// Brings the best `count` to the front, best first; the rest stays in any order behind them.
void sortBest(std::span<Candidate> candidates, std::size_t count) {
    if (count < candidates.size()) {
        std::nth_element(candidates.begin(),
                         candidates.begin() + static_cast<std::ptrdiff_t>(count), candidates.end(),
                         isBetter);
    }
    std::sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count),
              isBetter);
}

void penalise(std::span<float> row, std::span<const TokenId> ids, float penalty, SeenIds& seen) {
    for (const TokenId id : ids) {
        if (!seen.add(id)) continue;
        float& logit = row[static_cast<std::size_t>(id.value)];
        logit = logit > 0.0F ? logit / penalty : logit * penalty;
    }
}

}  // namespace

std::uint32_t ban(std::span<float> row, std::uint32_t vocabulary, std::span<const TokenId> banned) {
    const std::size_t real = std::min<std::size_t>(vocabulary, row.size());
    std::uint32_t notNumbers = 0;
    for (float& logit : row.first(real)) {
        if (!std::isnan(logit)) continue;
        logit = kNever;
        ++notNumbers;
    }
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(real), row.end(), kNever);
    for (const TokenId id : banned)
        row[static_cast<std::size_t>(id.value)] = kNever;
    return notNumbers;
}

void SeenIds::clear() {
    if (++m_stamp != 0) return;
    std::fill(m_stamps.begin(), m_stamps.end(), 0);  // once every 2^32 rows
    m_stamp = 1;
}

bool SeenIds::add(TokenId id) {
    CHECK(id.value >= 0 && static_cast<std::size_t>(id.value) < m_stamps.size())
        << "token id " << id.value << " outside the vocabulary";
    std::uint32_t& stamp = m_stamps[static_cast<std::size_t>(id.value)];
    if (stamp == m_stamp) return false;
    stamp = m_stamp;
    return true;
}

void penaliseRepetition(std::span<float> row, const History& history, std::uint32_t window,
                        float penalty, SeenIds& seen) {
    if (penalty == 1.0F) return;
    seen.clear();
    std::size_t left = window == 0 ? std::numeric_limits<std::size_t>::max() : window;
    const auto chosen = history.chosen.last(std::min(left, history.chosen.size()));
    left -= chosen.size();
    penalise(row, chosen, penalty, seen);
    penalise(row, history.committed.last(std::min(left, history.committed.size())), penalty, seen);
}

std::optional<TokenId> argmax(std::span<const float> row) {
    const auto best = std::max_element(row.begin(), row.end());  // the first of equal ones
    if (best == row.end() || *best == kNever) return std::nullopt;
    return TokenId(static_cast<std::int32_t>(best - row.begin()));
}

void divideByTemperature(std::span<float> row, float temperature) {
    for (float& logit : row)
        logit /= temperature;
}

void collect(std::span<const float> row, std::vector<Candidate>& candidates) {
    CHECK(candidates.capacity() >= row.size()) << "scratch for " << candidates.capacity();
    candidates.clear();
    for (std::size_t id = 0; id < row.size(); ++id) {
        if (row[id] != kNever) candidates.push_back({row[id], static_cast<std::int32_t>(id), 0.0});
    }
}

void keepTopK(std::vector<Candidate>& candidates, std::uint32_t k) {
    if (k == 0 || k >= candidates.size()) return;
    sortBest(candidates, k);
    candidates.resize(k);
}

void keepTopP(std::vector<Candidate>& candidates, double p, const WeightScratch& scratch) {
    if (p >= 1.0 || candidates.size() <= 1) return;
    weigh(candidates, scratch);
    const double enough = p * weightSum(candidates);
    const std::span<Candidate> all(candidates);
    double running = 0.0;
    // Peaked rows end in the first part; a flat one costs little more than one full sort.
    for (std::size_t begin = 0, part = 64; begin < all.size(); begin += part, part *= 4) {
        const std::size_t count = std::min(part, all.size() - begin);
        sortBest(all.subspan(begin), count);
        for (std::size_t i = begin; i < begin + count; ++i) {
            running += all[i].weight;
            if (running >= enough) return candidates.resize(i + 1);
        }
    }
}

void keepMinP(std::vector<Candidate>& candidates, double minP) {
    if (minP < DBL_MIN) return;
    if (minP >= 1.0) return keepTopK(candidates, 1);
    const float best = bestLogit(candidates);
    const double least = dln(minP);
    std::erase_if(candidates, [&](const Candidate& candidate) {
        return differenceFromBest(candidate.logit, best) < least;
    });
}

TokenId draw(std::span<const Candidate> candidates, const NoiseKey& key) {
    CHECK(!candidates.empty()) << "nothing to draw from";
    double bestScore = -std::numeric_limits<double>::infinity();
    std::int32_t bestId = -1;
    NoisePair pair;
    std::int32_t pairIndex = -1;
    for (const Candidate& candidate : candidates) {
        if ((candidate.id >> 1) != pairIndex) {
            pairIndex = candidate.id >> 1;
            pair = noiseBitsOfPair(key, static_cast<std::uint32_t>(pairIndex));
        }
        const std::uint64_t bits = (candidate.id & 1) == 0 ? pair.even : pair.odd;
        const auto logit = static_cast<double>(candidate.logit);
        // Rounding is monotone, so a bound that loses means a score that loses: the two logarithms
        // are spared for nearly every candidate.
        if (logit + gumbelBound(bits) < bestScore) continue;
        const double score = logit + gumbelOf(bits);
        if (score > bestScore || (score == bestScore && candidate.id < bestId) || bestId < 0) {
            bestScore = score;
            bestId = candidate.id;
        }
    }
    return TokenId(bestId);
}

}  // namespace agens::sampling
