// SPDX-License-Identifier: Apache-2.0
// Uploading: progress, cancel at every matrix, a device that has no memory, a file that changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "engine/device/reference/reference_device.h"
#include "engine/weights/weight_table.h"
#include "tests/support/tiny_llama.h"

namespace agens::weights {
namespace {

// Accepts uploads until the n-th, which has no memory.
class CountingDevice final : public device::Device {
 public:
    explicit CountingDevice(int refusedUpload) : m_refused(refusedUpload) {}
    device::DeviceInfo info() const override { return {}; }
    Result<device::MatrixId> upload(const device::MatrixSource&) override {
        TRY_VOID(next());
        return device::MatrixId(0);
    }
    Result<device::VectorId> uploadVector(std::span<const float>) override {
        TRY_VOID(next());
        return device::VectorId(0);
    }
    Result<void> allocateKv(const device::KvLayout&, std::uint32_t) override { return {}; }
    Result<void> prepare(const device::StepProgram&, device::RowLimits) override { return {}; }
    Result<device::StepOutputs> run(const device::StepInputs&, std::stop_token) override {
        return device::StepOutputs{};
    }
    void copyPage(device::PageId, device::PageId) override {}
    device::DeviceMemory memory() const override { return {}; }
    int uploads = 0;

 private:
    Result<void> next() {
        if (++uploads != m_refused) return {};
        return Error{ErrorKind::NoMemory, "memory.allocate", "No memory.", ""};
    }
    int m_refused;
};

struct Loaded {
    model_file::ModelFile file;
    model::Model model;
};

Loaded loadTiny(const std::filesystem::path& path) {
    auto file = model_file::openModelFile(path);
    EXPECT_TRUE(file.ok());
    auto model = model::readModel(*file);
    EXPECT_TRUE(model.ok());
    return {std::move(*file), std::move(*model)};
}

constexpr int kUploads = 12;  // 11 tensors of the tiny file and the rope table

TEST(WeightTable, ProgressGrowsToTheTotal) {
    const Loaded tiny = loadTiny(test::TinyLlama().write("progress.gguf"));
    CountingDevice device(0);
    std::vector<std::uint64_t> done;
    std::uint64_t total = 0;
    const auto table = uploadWeights(tiny.file, tiny.model, 64, device,
                                     [&](std::uint64_t now, std::uint64_t all) {
                                         done.push_back(now);
                                         total = all;
                                     },
                                     {});
    ASSERT_TRUE(table.ok()) << table.error().text();
    EXPECT_EQ(device.uploads, kUploads);
    EXPECT_TRUE(std::ranges::is_sorted(done));
    EXPECT_EQ(done.back(), total);
}

TEST(WeightTable, ADeviceWithoutMemoryAtAnyUploadIsAnError) {
    const Loaded tiny = loadTiny(test::TinyLlama().write("memory.gguf"));
    for (int refused = 1; refused <= kUploads; ++refused) {
        CountingDevice device(refused);
        const auto table = uploadWeights(tiny.file, tiny.model, 64, device, {}, {});
        ASSERT_FALSE(table.ok()) << refused;
        EXPECT_EQ(table.error().kind, ErrorKind::NoMemory);
        EXPECT_EQ(device.uploads, refused);
    }
}

TEST(WeightTable, CancelEndsWithinOneMatrix) {
    const Loaded tiny = loadTiny(test::TinyLlama().write("cancel.gguf"));
    CountingDevice device(0);
    std::stop_source stop;
    const auto table = uploadWeights(
        tiny.file, tiny.model, 64, device,
        [&](std::uint64_t, std::uint64_t) { stop.request_stop(); }, stop.get_token());
    ASSERT_FALSE(table.ok());
    EXPECT_EQ(table.error().kind, ErrorKind::Cancelled);
    EXPECT_LE(device.uploads, 3);
}

TEST(WeightTable, AFileThatChangedWhileLoadingIsRefused) {
    const auto path = test::TinyLlama().write("changing.gguf");
    const Loaded tiny = loadTiny(path);
    CountingDevice device(0);
    const auto table = uploadWeights(tiny.file, tiny.model, 64, device,
                                     [&](std::uint64_t now, std::uint64_t all) {
                                         if (now == all) std::ofstream(path, std::ios::app) << "x";
                                     },
                                     {});
    ASSERT_FALSE(table.ok());
    EXPECT_EQ(table.error().id, "load.changed");
}

}  // namespace
}  // namespace agens::weights
