// SPDX-License-Identifier: Apache-2.0
// The numerics contract by memcmp: logits and hidden rows never depend on how many rows share a
// step, where prefill chunks end, the number of threads, the instruction set, the pages a sequence
// sits in or other sequences in the step; and the reference device gives the bits of the CPU
// device.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "engine/device/cpu/cpu_device.h"
#include "engine/model_file/safetensors_io.h"
#include "tests/support/model_run.h"
#include "tests/support/test_paths.h"

namespace agens {
namespace {

using engine::Activations;
using engine::DeviceChoice;
using engine::IsaChoice;
using engine::KvFormat;

const std::vector<std::pair<IsaChoice, device::cpu::Isa>> kIsas = {
    {IsaChoice::Scalar, device::cpu::Isa::Scalar},
    {IsaChoice::ScalarFma, device::cpu::Isa::ScalarFma},
    {IsaChoice::Avx2, device::cpu::Isa::Avx2},
    {IsaChoice::Avx512, device::cpu::Isa::Avx512}};

bool isAvailable(device::cpu::Isa isa) {
    const auto available = device::cpu::availableIsas();
    return std::ranges::find(available, isa) != available.end();
}

std::vector<IsaChoice> isasToRun() {
    std::vector<IsaChoice> isas;
    for (const auto& [choice, isa] : kIsas) {
        if (isAvailable(isa)) {
            isas.push_back(choice);
        } else {
            std::cout << "NOT RUN: this machine has no " << device::cpu::toString(isa) << "\n";
        }
    }
    return isas;
}

void expectSame(const test::Rows& expected, const test::Rows& got, const std::string& what) {
    ASSERT_FALSE(expected.logits.empty());
    EXPECT_EQ(test::firstDifference(expected.logits, got.logits), -1) << "logits, " << what;
    EXPECT_EQ(test::firstDifference(expected.hidden, got.hidden), -1) << "hidden, " << what;
}

struct TinyCase {
    std::string model;
    Activations activations;
    KvFormat kv;
    bool isWhole = true;  // the whole grid; else its corners
};

class TinyIdentity : public testing::TestWithParam<TinyCase> {
 protected:
    engine::OpenOptions options() const {
        engine::OpenOptions options;
        const std::string& model = GetParam().model;
        options.model = test::goldenFolder() / "models" / model / (model + ".gguf");
        options.activations = GetParam().activations;
        options.kv = GetParam().kv;
        return options;
    }
    static std::vector<std::uint32_t> chunks() {
        return GetParam().isWhole ? std::vector<std::uint32_t>{1, 7, 64, 512}
                                  : std::vector<std::uint32_t>{7, 512};
    }
    static std::vector<std::uint32_t> rowCounts() {
        return GetParam().isWhole ? std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8}
                                  : std::vector<std::uint32_t>{1, 8};
    }
    std::vector<std::int32_t> ids() const {
        const auto golden = model_file::openSafetensors(test::goldenFolder() / "models" /
                                                        GetParam().model / "expected.safetensors");
        return *golden->valuesAs<std::int32_t>("ids.c");
    }
    test::Rows referenceRows() const {
        engine::OpenOptions reference = options();
        reference.device = DeviceChoice::Reference;
        test::ModelRun run(reference);
        EXPECT_TRUE(run.ok()) << run.errorText();
        return run.feed(ids(), test::allPositions(ids().size()), 512);
    }
};

// 200 tokens in prefill chunks of c rows, then the rest in steps of r rows.
std::vector<std::uint32_t> stepSizes(std::uint32_t chunk, std::uint32_t rows) {
    std::vector<std::uint32_t> steps;
    std::uint32_t fed = 0;
    while (fed < 200) {
        steps.push_back(std::min(chunk, 200 - fed));
        fed += steps.back();
    }
    while (fed < 300) {
        steps.push_back(rows);
        fed += rows;
    }
    return steps;
}

TEST_P(TinyIdentity, RowsChunksThreadsAndIsasGiveTheReferencesBits) {
    const auto tokens = ids();
    ASSERT_EQ(tokens.size(), 300u);
    const auto positions = test::allPositions(tokens.size());
    const test::Rows expected = referenceRows();
    for (const IsaChoice isa : isasToRun()) {
        for (const std::uint32_t threads : {1u, 2u}) {
            engine::OpenOptions cpu = options();
            cpu.isa = isa;
            cpu.threads = threads;
            test::ModelRun run(cpu);
            ASSERT_TRUE(run.ok()) << run.errorText();
            for (const std::uint32_t chunk : chunks()) {
                for (const std::uint32_t rows : rowCounts()) {
                    const auto steps = stepSizes(chunk, rows);
                    expectSame(expected, run.feedSteps(tokens, positions, steps),
                               run.deviceText() + ", chunk " + std::to_string(chunk) + ", rows " +
                                   std::to_string(rows));
                    if (HasFailure()) return;
                }
            }
        }
    }
}

TEST_P(TinyIdentity, TheReferenceDeviceItselfKeepsTheContract) {
    engine::OpenOptions reference = options();
    reference.device = DeviceChoice::Reference;
    test::ModelRun run(reference);
    ASSERT_TRUE(run.ok()) << run.errorText();
    const auto positions = test::allPositions(ids().size());
    const test::Rows expected = run.feed(ids(), positions, 512);
    for (const std::uint32_t chunk : {1u, 7u, 64u}) {
        expectSame(expected, run.feed(ids(), positions, chunk), "chunk " + std::to_string(chunk));
    }
}

// Two sequences in one step, in other pages than before: batch mates change nothing.
TEST_P(TinyIdentity, BatchMatesAndPagesChangeNothing) {
    const auto tokens = ids();
    const std::vector<std::int32_t> mates(tokens.rbegin(), tokens.rend());
    const auto positions = test::allPositions(tokens.size());
    engine::OpenOptions cpu = options();
    cpu.threads = 2;
    test::ModelRun run(cpu);
    ASSERT_TRUE(run.ok()) << run.errorText();
    const test::Rows expected = run.feed(tokens, positions, 64);

    const std::vector<device::PageId> mine = {device::PageId(3), device::PageId(1)};
    const std::vector<device::PageId> theirs = {device::PageId(2), device::PageId(0)};
    const std::vector<std::span<const device::PageId>> tables = {theirs, mine};
    test::Rows got;
    for (std::uint32_t i = 0; i < tokens.size(); ++i) {
        const std::vector<device::StepRow> rows = {{TokenId(mates[i]), Position(i), 0, i % 3 == 0},
                                                   {TokenId(tokens[i]), Position(i), 1, true}};
        const auto out = run.model().executor->run({rows, tables, true}, {});
        ASSERT_TRUE(out.ok());
        const auto mineRow = out->logitsOf(out->wantedRows - 1);
        got.logits.insert(got.logits.end(), mineRow.begin(), mineRow.end());
        const auto hidden = out->hidden.last(out->hiddenSize);
        got.hidden.insert(got.hidden.end(), hidden.begin(), hidden.end());
    }
    expectSame(expected, got, "batch mates");
}

INSTANTIATE_TEST_SUITE_P(
    Llama, TinyIdentity,
    testing::Values(TinyCase{"llama-tied", Activations::Int8, KvFormat::F16},
                    TinyCase{"llama-tied", Activations::F32, KvFormat::F32, false},
                    TinyCase{"llama-rope3", Activations::Wide, KvFormat::F16},
                    TinyCase{"llama-bias", Activations::Int8, KvFormat::F32, false}),
    [](const auto& test) { return "n" + std::to_string(test.index); });

// The starter model, each axis alone: quantised weights in their packed layouts.
class StarterIdentity : public testing::Test {
 protected:
    void SetUp() override {
        const auto starter = test::starterModel();
        if (!starter) GTEST_SKIP() << "SKIPPED (no starter model)";
        options.model = *starter;
        options.threads = 2;
        const auto golden = model_file::openSafetensors(test::goldenFolder() / "real" / "smollm2" /
                                                        "p19.safetensors");
        ids = *golden->valuesAs<std::int32_t>("ids");
        ids.resize(600);
        for (std::uint32_t p = 0; p < 600; p += 25)
            positions.push_back(p);
        positions.insert(positions.end(), {595, 596, 597, 598, 599});
    }
    test::Rows rows(const engine::OpenOptions& with, const std::vector<std::uint32_t>& steps) {
        test::ModelRun run(with);
        EXPECT_TRUE(run.ok()) << run.errorText();
        return run.feedSteps(ids, positions, steps);
    }
    void shorten() {
        ids.resize(48);
        positions = {0, 1, 17, 31, 32, 33, 46, 47};
    }

    engine::OpenOptions options;
    std::vector<std::int32_t> ids;
    std::vector<std::uint32_t> positions;
};

TEST_F(StarterIdentity, RowsAndChunks) {
    const test::Rows expected = rows(options, {512, 88});
    test::ModelRun run(options);
    for (std::uint32_t size = 1; size <= 8; ++size) {
        std::vector<std::uint32_t> steps = {512};
        steps.insert(steps.end(), 88, size);
        expectSame(expected, run.feedSteps(ids, positions, steps), "rows " + std::to_string(size));
    }
    for (const std::uint32_t chunk : {1u, 7u, 64u}) {
        expectSame(expected, run.feed(ids, positions, chunk), "chunk " + std::to_string(chunk));
    }
}

TEST_F(StarterIdentity, Threads) {
    const test::Rows expected = rows(options, {512, 88});
    for (const std::uint32_t threads : {1u, 3u}) {
        options.threads = threads;
        expectSame(expected, rows(options, {512, 88}), std::to_string(threads) + " threads");
    }
}

TEST_F(StarterIdentity, VectorIsas) {
    const test::Rows expected = rows(options, {512, 88});
    if (!isAvailable(device::cpu::Isa::Avx2)) GTEST_SKIP() << "NOT RUN: no AVX2";
    options.isa = IsaChoice::Avx2;
    expectSame(expected, rows(options, {512, 88}), "avx2");
    expectSame(expected, rows(options, std::vector<std::uint32_t>(150, 4)), "avx2, 4 rows");
}

TEST_F(StarterIdentity, ScalarAndReferenceInBothActivationModes) {
    shorten();
    for (const Activations activations : {Activations::Int8, Activations::Wide, Activations::F32}) {
        options.activations = activations;
        const test::Rows expected = rows(options, {48});
        engine::OpenOptions other = options;
        other.device = DeviceChoice::Reference;
        expectSame(expected, rows(other, {48}), "reference");
        other.device = DeviceChoice::Cpu;
        for (const IsaChoice isa : {IsaChoice::Scalar, IsaChoice::ScalarFma}) {
            if (isa == IsaChoice::ScalarFma && !isAvailable(device::cpu::Isa::ScalarFma)) continue;
            other.isa = isa;
            expectSame(expected, rows(other, {48}), "scalar");
        }
    }
}

}  // namespace
}  // namespace agens
