// SPDX-License-Identifier: Apache-2.0
// The sampler against a slow implementation that sorts the whole row and spares nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "engine/sampling/sampler.h"
#include "engine/sampling/values.h"

namespace agens::sampling {
namespace {

using engine::SamplingRequest;
using engine::SamplingValues;

constexpr float kNever = -std::numeric_limits<float>::infinity();

struct Token {
    int id;
    float logit;
};

// The table of the design, read aloud: one full sort, one sum, no shortcut.
int naiveChoice(std::vector<float> row, const SamplingValues& values, std::uint64_t seed,
                std::uint32_t position, const std::vector<int>& history) {
    const std::size_t first = values.repeatLastN == 0 || values.repeatLastN > history.size()
                                  ? 0
                                  : history.size() - values.repeatLastN;
    for (const int id :
         std::set<int>(history.begin() + static_cast<std::ptrdiff_t>(first), history.end())) {
        float& logit = row[static_cast<std::size_t>(id)];
        logit = logit > 0 ? logit / values.repetitionPenalty : logit * values.repetitionPenalty;
    }
    std::vector<Token> tokens;
    for (std::size_t id = 0; id < row.size(); ++id) {
        const float logit = values.temperature < 0.01F ? row[id] : row[id] / values.temperature;
        tokens.push_back({static_cast<int>(id), logit});
    }
    std::sort(tokens.begin(), tokens.end(), [](const Token& a, const Token& b) {
        return a.logit != b.logit ? a.logit > b.logit : a.id < b.id;
    });
    if (values.temperature < 0.01F) return tokens[0].id;
    const double best = tokens[0].logit;
    if (values.topK > 0 && values.topK < tokens.size()) tokens.resize(values.topK);
    if (values.topP < 1) {
        std::vector<Token> byId = tokens;
        std::sort(byId.begin(), byId.end(),
                  [](const Token& a, const Token& b) { return a.id < b.id; });
        double whole = 0;
        for (const Token& token : byId)
            whole += dexp(double{token.logit} - best);
        double running = 0;
        std::size_t kept = 0;
        while (kept < tokens.size() && (kept == 0 || running < values.topP * whole)) {
            running += dexp(double{tokens[kept++].logit} - best);
        }
        tokens.resize(kept);
    }
    if (values.minP >= 1) tokens.resize(1);
    if (values.minP > 0 && values.minP < 1) {
        std::erase_if(tokens,
                      [&](const Token& t) { return double{t.logit} - best < dln(values.minP); });
    }
    int bestId = -1;
    double bestScore = 0;
    for (const Token& token : tokens) {
        const double score = double{token.logit} + gumbel({.seed = seed, .position = position},
                                                          static_cast<std::uint32_t>(token.id));
        if (bestId < 0 || score > bestScore || (score == bestScore && token.id < bestId)) {
            bestId = token.id;
            bestScore = score;
        }
    }
    return bestId;
}

std::vector<float> randomRow(std::mt19937_64& random, std::size_t vocabulary, double spread,
                             bool coarse) {
    std::normal_distribution<double> normal(0.0, spread);
    std::vector<float> row(vocabulary);
    for (float& logit : row) {
        logit = static_cast<float>(normal(random));
        if (coarse) logit = std::round(logit);  // many ties
    }
    return row;
}

SamplingValues randomValues(std::mt19937_64& random) {
    const auto pick = [&](auto... choices) {
        const std::array all = {choices...};
        return all[random() % all.size()];
    };
    return {.temperature = pick(0.0F, 0.3F, 0.7F, 1.0F, 2.5F),
            .topK = pick(0U, 1U, 5U, 40U, 100000U),
            .topP = pick(1e-9, 0.1, 0.5, 0.9, 0.95, 0.999, 1.0),
            .minP = pick(0.0, 0.02, 0.3, 1.0),
            .repetitionPenalty = pick(1.0F, 1.1F, 0.8F),
            .repeatLastN = pick(0U, 3U, 64U)};
}

TEST(Sampler, AgreesWithTheSlowRuleOnRandomRows) {
    std::mt19937_64 random(20261130);
    for (const std::uint32_t vocabulary : {1U, 2U, 63U, 64U, 65U, 700U, 5000U}) {
        Sampler sampler(vocabulary, vocabulary, {});
        for (int round = 0; round < 300; ++round) {
            const std::vector<float> row =
                randomRow(random, vocabulary, round % 3 == 0 ? 0.5 : 4.0, round % 4 == 0);
            const SamplingValues values = randomValues(random);
            std::vector<int> history;
            std::vector<TokenId> ids;
            for (int i = 0; i < 20; ++i) {
                history.push_back(static_cast<int>(random() % vocabulary));
                ids.emplace_back(history.back());
            }
            const std::span<const TokenId> all(ids);
            const std::size_t split = random() % 20;
            const std::uint64_t seed = random();
            const auto position = static_cast<std::uint32_t>(random() % 9000);
            const Choice choice = sampler.choose(
                row, {values, seed, Position(position), {all.first(split), all.subspan(split)}});
            ASSERT_EQ(choice.token->value, naiveChoice(row, values, seed, position, history))
                << "vocabulary " << vocabulary << " round " << round << " T " << values.temperature
                << " k " << values.topK << " p " << values.topP << " min " << values.minP;
        }
    }
}

TEST(Sampler, ChoosesTheLowestIdAmongEquals) {
    Sampler sampler(4, 4, {});
    const std::vector<float> row = {1, 3, 3, 2};
    EXPECT_EQ(sampler.choose(row, {{.temperature = 0.009F}, 0, Position(1), {}}).token, TokenId(1));
    EXPECT_EQ(sampler.choose(row, {{.temperature = 1.0F, .topK = 1}, 0, Position(1), {}}).token,
              TokenId(1));
}

TEST(Sampler, NeverChoosesPaddingBannedOrNotANumber) {
    Sampler sampler(6, 4, {TokenId(1)});
    const std::vector<float> row = {1, 9, NAN, 2, 50, NAN};
    for (const float temperature : {0.0F, 5.0F}) {
        for (std::uint32_t position = 0; position < 200; ++position) {
            const Choice choice = sampler.choose(
                row, {{.temperature = temperature, .topP = 1}, 3, Position(position), {}});
            ASSERT_TRUE(choice.token == TokenId(0) || choice.token == TokenId(3));
            ASSERT_EQ(choice.notNumbers, 1u);
        }
    }
}

TEST(Sampler, SaysSoWhenARowHasNothingToChoose) {
    Sampler sampler(3, 3, {});
    const std::vector<float> row = {kNever, NAN, kNever};
    for (const float temperature : {0.0F, 1.0F}) {
        EXPECT_FALSE(sampler.choose(row, {{.temperature = temperature}, 0, Position(0), {}}).token);
    }
}

TEST(Sampler, InfiniteLogitWins) {
    Sampler sampler(4, 4, {});
    const std::vector<float> row = {1, -kNever, -kNever, 2};
    EXPECT_EQ(sampler.choose(row, {{.temperature = 1}, 5, Position(8), {}}).token, TokenId(1));
}

// 20,000 positions: the share of each token lies within 5 standard deviations of its probability.
TEST(Sampler, DrawsInProportionToTheWeights) {
    Sampler sampler(3, 3, {});
    const std::vector<double> probabilities = {0.5, 0.3, 0.2};
    std::vector<float> row;
    for (const double p : probabilities)
        row.push_back(static_cast<float>(std::log(p)));
    std::array<int, 3> counts{};
    constexpr int kDraws = 20000;
    for (std::uint32_t t = 0; t < kDraws; ++t) {
        const SamplingValues values{.temperature = 1, .topK = 0, .topP = 1};
        ++counts[static_cast<std::size_t>(
            sampler.choose(row, {values, 11, Position(t), {}}).token->value)];
    }
    for (std::size_t id = 0; id < 3; ++id) {
        const double p = probabilities[id];
        EXPECT_NEAR(counts[id], kDraws * p, 5 * std::sqrt(kDraws * p * (1 - p)));
    }
}

TEST(SamplingValuesOfARequest, FieldsNotAskedForKeepTheModelsDefaults) {
    const SamplingValues defaults{.temperature = 0.2F, .topK = 0, .topP = 0.9};
    const auto values = decideValues({.topK = 7}, defaults, 100);
    ASSERT_TRUE(values);
    EXPECT_EQ(values->temperature, 0.2F);
    EXPECT_EQ(values->topK, 7u);
    EXPECT_EQ(values->topP, 0.9);
}

TEST(SamplingValuesOfARequest, BordersOfEveryRange) {
    const auto ok = [](const SamplingRequest& request) {
        return decideValues(request, {}, 100).ok();
    };
    EXPECT_TRUE(
        ok({.temperature = 0, .topK = 0, .topP = 1e-9, .minP = 0, .repetitionPenalty = 1e-6}));
    EXPECT_TRUE(
        ok({.temperature = 100, .topK = 100, .topP = 1, .minP = 1, .repetitionPenalty = 10}));
    const auto fieldOf = [](const SamplingRequest& request) {
        const auto values = decideValues(request, {}, 100);
        return values ? std::string("accepted") : values.error().where;
    };
    EXPECT_EQ(fieldOf({.temperature = 100.5}), "temperature");
    EXPECT_EQ(fieldOf({.temperature = -0.1}), "temperature");
    EXPECT_EQ(fieldOf({.temperature = NAN}), "temperature");
    EXPECT_EQ(fieldOf({.topK = 101}), "topK");
    EXPECT_EQ(fieldOf({.topP = 0.0}), "topP");
    EXPECT_EQ(fieldOf({.topP = 1.01}), "topP");
    EXPECT_EQ(fieldOf({.minP = -1e-9}), "minP");
    EXPECT_EQ(fieldOf({.minP = 2}), "minP");
    EXPECT_EQ(fieldOf({.repetitionPenalty = 0}), "repetitionPenalty");
    EXPECT_EQ(fieldOf({.repetitionPenalty = 11}), "repetitionPenalty");
}

TEST(SamplingValuesOfARequest, ErrorNamesValueAndRange) {
    const auto values = decideValues({.temperature = 101}, {}, 100);
    ASSERT_FALSE(values);
    EXPECT_EQ(values.error().kind, ErrorKind::InvalidRequest);
    EXPECT_EQ(values.error().what, "temperature is 101; 0 to 100 is allowed.");
}

}  // namespace
}  // namespace agens::sampling
