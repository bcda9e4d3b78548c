// SPDX-License-Identifier: Apache-2.0
// The starter model against transformers in f32 (tests/golden/real, bounds with their reasons in
// its README): f32 activations with f32 KV on the reference and the best ISA, int8 with f16 KV on
// the CPU. KL(golden || ours) per position over 65 buckets: the golden's top 64 and the rest.
//
// The whole set runs on the CPU device; the reference, which is slow and equal to it bit for bit
// (identity_test), runs a subset unless AGENS_NIGHTLY is set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "engine/model_file/safetensors_io.h"
#include "tests/support/model_run.h"
#include "tests/support/test_paths.h"

namespace agens {
namespace {

struct Figures {
    double klSum = 0;
    double largestLogitDifference = 0;
    int positions = 0;
    int top1 = 0;
    int clear = 0;  // golden margin of at least 1
    int clearTop1 = 0;
    double kl() const { return klSum / positions; }
    double top1Share() const { return double(top1) / positions; }
};

double logSumExp(std::span<const float> logits) {
    const double most = *std::ranges::max_element(logits);
    double sum = 0;
    for (const float logit : logits)
        sum += std::exp(double(logit) - most);
    return most + std::log(sum);
}

// One position: golden top ids and logits, log-sum-exp of all and of the rest, against our row.
void addPosition(std::span<const std::int32_t> topIds, std::span<const float> topLogits, double lse,
                 double restLse, std::span<const float> ours, Figures& figures) {
    const double ourLse = logSumExp(ours);
    std::vector<float> rest(ours.begin(), ours.end());
    double kl = 0;
    for (std::size_t i = 0; i < topIds.size(); ++i) {
        const auto id = static_cast<std::size_t>(topIds[i]);
        const double logP = double(topLogits[i]) - lse;
        kl += std::exp(logP) * (logP - (double(ours[id]) - ourLse));
        rest[id] = -INFINITY;
        figures.largestLogitDifference = std::max(
            figures.largestLogitDifference, std::fabs(double(ours[id]) - double(topLogits[i])));
    }
    const double logRest = restLse - lse;
    kl += std::exp(logRest) * (logRest - (logSumExp(rest) - ourLse));
    figures.klSum += kl;
    ++figures.positions;
    const auto best = std::ranges::max_element(ours) - ours.begin();
    const bool isSame = best == topIds[0];
    figures.top1 += isSame;
    if (topLogits[0] - topLogits[1] >= 1.0F) {
        ++figures.clear;
        figures.clearTop1 += isSame;
    }
}

void addPrompt(test::ModelRun& run, const std::filesystem::path& path, Figures& figures) {
    const auto golden = model_file::openSafetensors(path);
    ASSERT_TRUE(golden.ok());
    auto ids = *golden->valuesAs<std::int32_t>("ids");
    const auto greedy = *golden->valuesAs<std::int32_t>("greedy");
    ids.insert(ids.end(), greedy.begin(), greedy.begin() + 48);
    const auto positions = *golden->valuesAs<std::int32_t>("positions");
    const auto topIds = *golden->valuesAs<std::int32_t>("top_ids");
    const auto topLogits = *golden->valuesAs<float>("top_logits");
    const auto lse = *golden->valuesAs<double>("lse");
    const auto rest = *golden->valuesAs<double>("rest_lse");
    const test::Rows rows = run.feed(ids, {positions.begin(), positions.end()}, 512);
    ASSERT_EQ(rows.logits.size(), positions.size() * rows.vocabRows);
    const std::size_t top = topIds.size() / positions.size();
    for (std::size_t n = 0; n < positions.size(); ++n) {
        addPosition(std::span(topIds).subspan(n * top, top),
                    std::span(topLogits).subspan(n * top, top), lse[n], rest[n],
                    std::span(rows.logits).subspan(n * rows.vocabRows, rows.vocabRows), figures);
    }
}

class GoldenReal : public testing::Test {
 protected:
    void SetUp() override {
        const auto starter = test::starterModel();
        if (!starter) GTEST_SKIP() << "SKIPPED (no starter model)";
        options.model = *starter;
        options.threads = 2;
    }

    Figures measure(const char* label, int promptsMost) {
        Figures figures;
        test::ModelRun run(options);
        EXPECT_TRUE(run.ok()) << run.errorText();
        if (!run.ok()) return figures;
        for (int prompt = 0; prompt < promptsMost; ++prompt) {
            char name[32];
            std::snprintf(name, sizeof(name), "p%02d.safetensors", prompt);
            addPrompt(run, test::goldenFolder() / "real" / "smollm2" / name, figures);
        }
        std::cout << label << ", " << run.deviceText() << ": " << figures.positions
                  << " positions, kl " << figures.kl() << ", top1 " << figures.top1Share()
                  << ", top1_clear " << figures.clearTop1 << "/" << figures.clear << ", dlogit "
                  << figures.largestLogitDifference << "\n";
        return figures;
    }

    static void expectFloatBounds(const Figures& figures) {
        EXPECT_LE(figures.kl(), 1e-8);
        EXPECT_EQ(figures.clearTop1, figures.clear);
        EXPECT_LE(figures.largestLogitDifference, 2e-3);
    }

    engine::OpenOptions options;
};

TEST_F(GoldenReal, FloatActivationsOnTheReferenceDevice) {
    options.device = engine::DeviceChoice::Reference;
    options.activations = engine::Activations::F32;
    options.kv = engine::KvFormat::F32;
    expectFloatBounds(measure("f32", std::getenv("AGENS_NIGHTLY") != nullptr ? 24 : 2));
}

TEST_F(GoldenReal, FloatActivationsOnTheBestIsa) {
    options.activations = engine::Activations::F32;
    options.kv = engine::KvFormat::F32;
    expectFloatBounds(measure("f32", 24));
}

TEST_F(GoldenReal, Int8ActivationsOnTheBestIsa) {
    options.activations = engine::Activations::Int8;
    const Figures figures = measure("int8, kv f16", 24);
    EXPECT_LE(figures.kl(), 3.6e-3);
    EXPECT_GE(figures.top1Share(), 0.967);
    EXPECT_EQ(figures.clearTop1, figures.clear);
    EXPECT_LE(figures.largestLogitDifference, 3.0);
}

// What the starter model runs with. Measured: kl 4.6e-7, top1 1, dlogit 0.027 (f16 cache included);
// twice the kl and the difference are allowed, and one position of 1,841 with another winner.
TEST_F(GoldenReal, WideActivationsOnTheBestIsaGiveTheWinnersOfF32) {
    const Figures figures = measure("wide, kv f16", 24);
    EXPECT_LE(figures.kl(), 1e-6);
    EXPECT_GE(figures.top1Share(), 0.999);
    EXPECT_EQ(figures.clearTop1, figures.clear);
    EXPECT_LE(figures.largestLogitDifference, 0.06);
}

}  // namespace
}  // namespace agens
