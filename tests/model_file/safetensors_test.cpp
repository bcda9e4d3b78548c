// SPDX-License-Identifier: Apache-2.0
// safetensors: what is written is read back; goldens are read; broken headers are refused by row.
#include <gtest/gtest.h>

#include <fstream>

#include "engine/model_file/safetensors_io.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/test_paths.h"

namespace agens::model_file {
namespace {

std::filesystem::path saved(const std::string& header, const std::string& data) {
    const auto path = test::scratchFolder() / "file.safetensors";
    std::ofstream(path, std::ios::binary) << test::rawText(header) << data;
    return path;
}

std::string idOf(const std::string& header, const std::string& data) {
    const auto file = openSafetensors(saved(header, data));
    return file.ok() ? "accepted" : file.error().id;
}

TEST(Safetensors, WhatIsWrittenIsReadBack) {
    const std::vector<float> logits = {1.5F, -2.0F, 3.0F, 4.0F, 0.0F, -0.0F};
    const std::vector<std::int64_t> positions = {7, 9};
    const auto path = test::scratchFolder() / "out.safetensors";
    const SafetensorsTensor tensors[] = {
        {"logits", "F32", {2, 3}, std::as_bytes(std::span(logits))},
        {"positions", "I64", {2}, std::as_bytes(std::span(positions))}};
    ASSERT_TRUE(writeSafetensors(path, tensors).ok());
    const auto file = openSafetensors(path);
    ASSERT_TRUE(file.ok()) << file.error().text();
    EXPECT_EQ(*file->valuesAs<float>("logits"), logits);
    EXPECT_EQ(*file->valuesAs<std::int64_t>("positions"), positions);
    EXPECT_EQ(file->find("logits")->shape, (std::vector<std::uint64_t>{2, 3}));
    EXPECT_EQ(file->valuesAs<float>("positions").error().what,
              "Tensor positions of type F32 is needed; it is I64.");
    EXPECT_EQ(file->valuesAs<float>("other").error().what,
              "Tensor other of type F32 is needed; it is missing.");
}

TEST(Safetensors, AFailedWriteLeavesNothingBehind) {
    const auto folder = test::scratchFolder() / "occupied";
    std::filesystem::create_directories(folder / "target");
    EXPECT_EQ(writeSafetensors(folder / "target", {}).error().id, "io.write");
    EXPECT_EQ(writeSafetensors(folder / "missing" / "x", {}).error().id, "io.write");
    std::size_t entries = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder))
        ++entries;
    EXPECT_EQ(entries, 1u);
}

TEST(Safetensors, ReadsAGolden) {
    const auto file =
        openSafetensors(test::goldenFolder() / "models" / "llama-tied" / "expected.safetensors");
    ASSERT_TRUE(file.ok()) << file.error().text();
    EXPECT_EQ(file->valuesAs<std::int32_t>("ids.b")->size(), 37u);
    EXPECT_EQ(file->find("hidden.b")->shape.front(), 4u);
}

TEST(Safetensors, BrokenFilesAreRefusedByTheirRow) {
    const std::string good = R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})";
    EXPECT_EQ(idOf(good, "abcd"), "accepted");
    EXPECT_EQ(idOf(good, "abc"), "S08");
    EXPECT_EQ(idOf(good, "abcde"), "S09");
    EXPECT_EQ(idOf("", ""), "S01");
    EXPECT_EQ(idOf("[]", ""), "S02");
    EXPECT_EQ(idOf("{\"a\":", ""), "S03");
    EXPECT_EQ(idOf("{\"a\":[[[[[[[[[]]]]]]]]]}", ""), "S03");
    EXPECT_EQ(idOf(R"({"a":{"dtype":"U8","shape":[4]}})", "abcd"), "S04");
    EXPECT_EQ(idOf(R"({"a":{"dtype":"Z9","shape":[4],"data_offsets":[0,4]}})", "abcd"), "S06");
    EXPECT_EQ(idOf(R"({"a":{"dtype":"U8","shape":[4.0],"data_offsets":[0,4]}})", "abcd"), "S07");
    EXPECT_EQ(idOf(R"({"a":{"dtype":"U8","shape":[-4],"data_offsets":[0,4]}})", "abcd"), "S07");
    EXPECT_EQ(
        idOf(R"({"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", ""),
        "S07");
    EXPECT_EQ(idOf(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[4,0]}})", "abcd"), "S08");
    EXPECT_EQ(idOf(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})", "abcd"), "S09");
    EXPECT_EQ(idOf(R"({"":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", "abcd"), "S11");
    std::ofstream(test::scratchFolder() / "short.safetensors") << "abc";
    EXPECT_EQ(openSafetensors(test::scratchFolder() / "short.safetensors").error().id, "S01");
}

}  // namespace
}  // namespace agens::model_file
