// SPDX-License-Identifier: Apache-2.0
// A step allocates nothing on the heap: operator new is counted on every thread while steps run.
#include <gtest/gtest.h>

#include "tests/support/allocation_counter.h"
#include "tests/support/model_run.h"
#include "tests/support/test_paths.h"

namespace agens {
namespace {

// Allocations of `count` steps of `rows` rows each, from position 250 on: the second page and the
// split over chunks are met on the way.
std::uint64_t allocationsOf(std::uint32_t rows, std::uint32_t count) {
    engine::OpenOptions options;
    options.model = test::goldenFolder() / "models" / "llama-tied" / "llama-tied.gguf";
    options.threads = 2;
    test::ModelRun run(options);
    EXPECT_TRUE(run.ok()) << run.errorText();
    run.feed(std::vector<std::int32_t>(250, 5), {}, 250);
    const std::vector<device::PageId> pages = {device::PageId(0), device::PageId(1)};
    const std::vector<std::span<const device::PageId>> tables = {pages};
    std::vector<device::StepRow> step(rows);
    bool isOk = true;
    const std::uint64_t before = test::allocationCount();
    for (std::uint32_t i = 0; i < count; ++i) {
        for (std::uint32_t r = 0; r < rows; ++r) {
            step[r] = {TokenId(7), Position(250 + i % 8 + r), 0, true};
        }
        isOk = run.model().executor->run({step, tables, true}, {}).ok() && isOk;
    }
    const std::uint64_t after = test::allocationCount();
    EXPECT_TRUE(isOk);
    return after - before;
}

TEST(Allocations, AStepHasNone) {
    EXPECT_EQ(allocationsOf(1, 1000), 0u);
    EXPECT_EQ(allocationsOf(8, 100), 0u);
}

}  // namespace
}  // namespace agens
