// SPDX-License-Identifier: Apache-2.0
// The tiny Llama models of tests/golden/models against their expected logits, on the reference
// device and every ISA, with f32 activations (bounds: tolerances.json) and int8 ones
// (rounded_activations).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "engine/base/json.h"
#include "engine/device/cpu/cpu_device.h"
#include "engine/model_file/safetensors_io.h"
#include "tests/support/model_run.h"
#include "tests/support/test_paths.h"

namespace agens {
namespace {

using engine::Activations;
using engine::DeviceChoice;
using engine::IsaChoice;

struct Case {
    std::string model;
    DeviceChoice device = DeviceChoice::Cpu;
    IsaChoice isa = IsaChoice::Auto;
    std::string label;
};

void PrintTo(const Case& golden, std::ostream* out) {
    *out << golden.model << " " << golden.label;
}

class GoldenModels : public testing::TestWithParam<Case> {
 protected:
    std::filesystem::path folder() const {
        return test::goldenFolder() / "models" / GetParam().model;
    }

    engine::OpenOptions options(Activations activations) const {
        engine::OpenOptions options;
        options.model = folder() / (GetParam().model + ".gguf");
        options.device = GetParam().device;
        options.isa = GetParam().isa;
        options.threads = 2;
        options.kv = engine::KvFormat::F32;
        options.activations = activations;
        return options;
    }

    Json tolerances() const {
        return *parseJson(test::readText(test::goldenFolder() / "models" / "tolerances.json"), "t");
    }

    // All differences |logit - expected| of the stored rows, over the three sequences.
    std::vector<double> differences(test::ModelRun& run, double* equalArgmax) const {
        const auto expected = model_file::openSafetensors(folder() / "expected.safetensors");
        EXPECT_TRUE(expected.ok());
        std::vector<double> all;
        std::size_t rows = 0;
        std::size_t equal = 0;
        for (const std::string sequence : {"a", "b", "c"}) {
            const auto ids = *expected->valuesAs<std::int32_t>("ids." + sequence);
            const auto positions = *expected->valuesAs<std::int32_t>("rows." + sequence);
            const auto logits = *expected->valuesAs<float>("logits." + sequence);
            const test::Rows got = run.feed(ids, {positions.begin(), positions.end()}, 512);
            EXPECT_EQ(got.logits.size(), logits.size());
            for (std::size_t i = 0; i < logits.size(); ++i) {
                all.push_back(std::fabs(double(got.logits[i]) - double(logits[i])));
            }
            for (std::size_t r = 0; r < positions.size(); ++r, ++rows) {
                const auto begin = static_cast<std::ptrdiff_t>(r * got.vocabRows);
                const auto end = begin + static_cast<std::ptrdiff_t>(got.vocabRows);
                const auto best = [&](const std::vector<float>& v) {
                    return std::max_element(v.begin() + begin, v.begin() + end) - v.begin();
                };
                equal += best(got.logits) == best(logits);
            }
        }
        *equalArgmax = double(equal) / double(rows);
        std::ranges::sort(all);
        return all;
    }
};

TEST_P(GoldenModels, FloatActivationsStayWithinTolerance) {
    test::ModelRun run(options(Activations::F32));
    ASSERT_TRUE(run.ok()) << run.errorText();
    double argmax = 0;
    const auto sorted = differences(run, &argmax);
    const double bound = tolerances()["models"][GetParam().model]["logits"];
    std::cout << GetParam().model << " f32, " << run.deviceText() << ": max " << sorted.back()
              << " of " << bound << "\n";
    EXPECT_LE(sorted.back(), bound);
}

TEST_P(GoldenModels, Int8ActivationsStayWithinTwiceThePeersFigures) {
    test::ModelRun run(options(Activations::Int8));
    ASSERT_TRUE(run.ok()) << run.errorText();
    double argmax = 0;
    const auto sorted = differences(run, &argmax);
    const Json bounds = tolerances()["models"][GetParam().model];
    // Float weights do not round activations at all, so the f32 bound is the floor of both.
    const double floor = bounds["logits"];
    const Json& rounded = bounds["rounded_activations"];
    const double median = sorted[sorted.size() / 2];
    const double p99 = sorted[sorted.size() * 99 / 100];
    EXPECT_LE(median, std::max(floor, 2 * double(rounded["median"])));
    EXPECT_LE(p99, std::max(floor, 2 * double(rounded["p99"])));
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const std::string model : {"llama-tied", "llama-rope3", "llama-bias"}) {
        all.push_back({model, DeviceChoice::Reference, IsaChoice::Auto, "reference"});
        for (const auto isa : device::cpu::availableIsas()) {
            const IsaChoice choice = isa == device::cpu::Isa::Scalar      ? IsaChoice::Scalar
                                     : isa == device::cpu::Isa::ScalarFma ? IsaChoice::ScalarFma
                                     : isa == device::cpu::Isa::Avx2      ? IsaChoice::Avx2
                                                                          : IsaChoice::Avx512;
            all.push_back({model, DeviceChoice::Cpu, choice, device::cpu::toString(isa)});
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Llama, GoldenModels, testing::ValuesIn(cases()),
                         [](const auto& test) { return "n" + std::to_string(test.index); });

}  // namespace
}  // namespace agens
