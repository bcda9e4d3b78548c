// SPDX-License-Identifier: Apache-2.0
// GGUF reader on well-formed files: our own small ones and real ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "engine/model_file/tensor_index.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/test_paths.h"

namespace agens::model_file {
namespace {

using test::GgufWriter;
using test::rawBytes;
using test::rawList;
using test::rawText;

ModelFile opened(const GgufWriter& writer) {
    auto file = openModelFile(writer.save(test::scratchFolder() / "good.gguf"));
    EXPECT_TRUE(file.ok()) << file.error().text();
    return std::move(file).value();
}

TEST(Gguf, ReadsKeysOfEveryType) {
    const ModelFile file =
        opened(GgufWriter()
                   .value("u8", GgufWriter::kU8, rawBytes<std::uint8_t>(200))
                   .value("i8", GgufWriter::kI8, rawBytes<std::int8_t>(-3))
                   .value("u16", GgufWriter::kU16, rawBytes<std::uint16_t>(65000))
                   .value("i16", GgufWriter::kI16, rawBytes<std::int16_t>(-300))
                   .u32("u32", 4'000'000'000U)
                   .value("i32", GgufWriter::kI32, rawBytes<std::int32_t>(-4))
                   .value("u64", GgufWriter::kU64, rawBytes(UINT64_MAX))
                   .value("i64", GgufWriter::kI64, rawBytes(INT64_MIN))
                   .f32("f32", 0.5F)
                   .value("f64", GgufWriter::kF64, rawBytes(0.25))
                   .flag("flag", true)
                   .text("text", "Grüße"));
    const Metadata& keys = file.metadata;
    EXPECT_EQ(**keys.count("u8"), 200u);
    EXPECT_EQ(**keys.number("i8"), -3.0);
    EXPECT_EQ(**keys.count("u16"), 65000u);
    EXPECT_EQ(**keys.number("i16"), -300.0);
    EXPECT_EQ(**keys.count("u32"), 4'000'000'000u);
    EXPECT_EQ(**keys.number("i32"), -4.0);
    EXPECT_EQ(**keys.count("u64"), UINT64_MAX);
    EXPECT_EQ(std::get<std::int64_t>(*keys.find("i64")), INT64_MIN);
    EXPECT_EQ(**keys.number("f32"), 0.5);
    EXPECT_EQ(**keys.number("f64"), 0.25);
    EXPECT_TRUE(**keys.flag("flag"));
    EXPECT_EQ(**keys.text("text"), "Grüße");
}

TEST(Gguf, ReadsListsOfEveryType) {
    const ModelFile file =
        opened(GgufWriter()
                   .texts("texts", {"a", "", "\xff\xfe"})  // token texts may be any bytes
                   .i32s("i32s", {1, -2, 3})
                   .f32s("f32s", {0.5F, -std::numeric_limits<float>::infinity()})
                   .value("u8s", GgufWriter::kList, rawList(GgufWriter::kU8, 3, "\x01\x02\xff"))
                   .value("bools", GgufWriter::kList,
                          rawList(GgufWriter::kBool, 2, std::string("\0\1", 2)))
                   .value("empty", GgufWriter::kList, rawList(GgufWriter::kU32, 0, "")));
    EXPECT_EQ(**file.metadata.texts("texts"), (std::vector<std::string>{"a", "", "\xff\xfe"}));
    EXPECT_EQ(**file.metadata.integers("i32s"), (std::vector<std::int64_t>{1, -2, 3}));
    EXPECT_EQ((*file.metadata.floats("f32s"))->front(), 0.5F);
    EXPECT_EQ(**file.metadata.integers("u8s"), (std::vector<std::int64_t>{1, 2, 255}));
    EXPECT_EQ(std::get<std::vector<bool>>(*file.metadata.find("bools")),
              (std::vector<bool>{false, true}));
    EXPECT_TRUE((*file.metadata.integers("empty"))->empty());
}

TEST(Gguf, AListOfListsIsLookedThroughAndTheNextKeyStillRead) {
    const std::string inner = rawList(GgufWriter::kI32, 1, rawBytes<std::int32_t>(7));
    const ModelFile file =
        opened(GgufWriter()
                   .value("nested", GgufWriter::kList, rawList(GgufWriter::kList, 2, inner + inner))
                   .u32("after", 5));
    EXPECT_TRUE(file.metadata.has("nested"));
    EXPECT_EQ(**file.metadata.count("after"), 5u);
}

TEST(Gguf, VersionTwoIsTheSameOnLittleEndian) {
    EXPECT_EQ(opened(GgufWriter(2).u32("a", 1)).container, "gguf v2");
    EXPECT_EQ(opened(GgufWriter(3).u32("a", 1)).container, "gguf v3");
}

TEST(Gguf, PlacesTensorsAndTurnsShapesOutermostFirst) {
    const std::string weights(2 * 32 * 4, 'w');
    const std::string codes(3 * 20, 'q');
    const ModelFile file = opened(GgufWriter()
                                      .tensor("a", {2, 32}, 0, weights)
                                      .tensor("b", {3, 32}, 3, codes)
                                      .tensor("c", {32}, 30, std::string(64, 'n')));
    ASSERT_EQ(file.tensors.size(), 3u);
    const TensorEntry& b = *file.find("b");
    EXPECT_EQ(b.format, device::BlockFormat::Q4_1);
    EXPECT_EQ(b.shape, (std::vector<std::uint64_t>{3, 32}));
    EXPECT_EQ(b.rows(), 3u);
    EXPECT_EQ(b.columns(), 32u);
    EXPECT_EQ(b.offset % 32, 0u);
    const auto bytes = file.bytesOf(b);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), codes);
    EXPECT_EQ(file.find("missing"), nullptr);
    EXPECT_EQ(file.formatsText(), "F32, BF16, Q4_1");
}

TEST(Gguf, FollowsAnotherAlignment) {
    const ModelFile file = opened(
        GgufWriter().alignment(4096).tensor("a", {1}, 0, "aaaa").tensor("b", {1}, 0, "bbbb"));
    EXPECT_EQ(file.find("b")->offset - file.find("a")->offset, 4096u);
    EXPECT_EQ(file.find("a")->offset % 4096, 0u);
}

TEST(Gguf, GapsAndTrailingBytesAreAllowed) {
    GgufWriter writer;
    writer.rawTensor("a", {1}, 0, 64).rawData(std::string(200, 'x'));
    EXPECT_EQ(opened(writer).tensors.size(), 1u);
}

TEST(Gguf, AFileWithoutTensorsIsFine) {
    EXPECT_TRUE(opened(GgufWriter().text("general.architecture", "llama")).tensors.empty());
    EXPECT_TRUE(opened(GgufWriter()).tensors.empty());
}

TEST(Gguf, TheNameOfTheFileDoesNotMatter) {
    const auto path = test::scratchFolder() / "model.txt";
    GgufWriter().u32("a", 1).save(path);
    EXPECT_TRUE(openModelFile(path).ok());
}

struct GoldenModel {
    const char* name;
    std::size_t tensors;
    const char* formats;
};

void PrintTo(const GoldenModel& golden, std::ostream* out) {
    *out << golden.name;
}

std::string nameOf(const testing::TestParamInfo<GoldenModel>& tested) {
    std::string name = tested.param.name;
    std::ranges::replace(name, '-', '_');
    return name;
}

class GoldenGguf : public testing::TestWithParam<GoldenModel> {};

TEST_P(GoldenGguf, IsReadWhole) {
    const GoldenModel& golden = GetParam();
    const std::string name = golden.name;
    const auto file = openModelFile(test::goldenFolder() / "models" / name / (name + ".gguf"));
    ASSERT_TRUE(file.ok()) << file.error().text();
    EXPECT_EQ(file->container, "gguf v3");
    EXPECT_EQ(**file->metadata.text("general.architecture"), "llama");
    EXPECT_EQ(file->tensors.size(), golden.tensors);
    EXPECT_EQ(file->formatsText(), golden.formats);
}

INSTANTIATE_TEST_SUITE_P(Llama, GoldenGguf,
                         testing::Values(GoldenModel{"llama-tied", 29, "BF16, F32"},
                                         GoldenModel{"llama-rope3", 22, "F16, F32"},
                                         GoldenModel{"llama-bias", 15, "F32"}),
                         nameOf);

}  // namespace
}  // namespace agens::model_file
