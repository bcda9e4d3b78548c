// SPDX-License-Identifier: Apache-2.0
// One broken file per check of the reader: the row that refuses it, and the sentence where the
// specification fixes one.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <limits>

#include "engine/model_file/gguf_tensor_type.h"
#include "engine/model_file/tensor_index.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/test_paths.h"

namespace agens::model_file {
namespace {

using test::GgufWriter;
using test::rawBytes;
using test::rawList;
using test::rawText;

Error errorOf(const std::string& bytes) {
    const auto path = test::scratchFolder() / "broken.gguf";
    std::ofstream(path, std::ios::binary) << bytes;
    const auto file = openModelFile(path);
    if (file.ok()) return {ErrorKind::Internal, "accepted", "The file was accepted.", ""};
    return file.error();
}

std::string firstBytes(const GgufWriter& writer, std::size_t count) {
    return writer.bytes().substr(0, count);
}

// Names of the cases become names of the tests.
struct BrokenFile {
    const char* name;
    ErrorKind kind;
    const char* id;
    std::function<std::string()> make;
    const char* sentence = nullptr;  // nullptr: any
};

void PrintTo(const BrokenFile& broken, std::ostream* out) {
    *out << broken.name;
}

std::string nameOf(const testing::TestParamInfo<BrokenFile>& tested) {
    return tested.param.name;
}

class BrokenGguf : public testing::TestWithParam<BrokenFile> {};

TEST_P(BrokenGguf, IsRefusedByItsRow) {
    const BrokenFile& broken = GetParam();
    const Error error = errorOf(broken.make());
    EXPECT_EQ(error.id, broken.id) << error.text();
    EXPECT_EQ(toString(error.kind), std::string(toString(broken.kind))) << error.text();
    EXPECT_TRUE(error.where.starts_with("broken.gguf, ")) << error.where;
    if (broken.sentence != nullptr) {
        EXPECT_EQ(error.what, broken.sentence);
    }
}

constexpr ErrorKind kDamaged = ErrorKind::InvalidFile;
constexpr ErrorKind kUnsupported = ErrorKind::Unsupported;
const std::string kRow(128, 'w');  // 32 F32 values

GgufWriter withValue(std::uint32_t type, const std::string& raw) {
    return GgufWriter().value("key", type, raw);
}
GgufWriter withList(std::uint32_t elementType, std::uint64_t count, const std::string& raw) {
    return withValue(GgufWriter::kList, rawList(elementType, count, raw));
}
GgufWriter withTensor(const std::vector<std::uint64_t>& dims, std::uint32_t type) {
    return GgufWriter().rawTensor("t", dims, type, 0).rawData(std::string(1024, 'x'));
}

INSTANTIATE_TEST_SUITE_P(
    Header, BrokenGguf,
    testing::Values(
        BrokenFile{"Empty", kDamaged, "G01", [] { return std::string(); },
                   "The file is too short to be a GGUF file."},
        BrokenFile{"ThreeBytes", kDamaged, "G01", [] { return std::string("GGU"); }},
        BrokenFile{"HeaderCut", kDamaged, "G01", [] { return firstBytes(GgufWriter(), 23); },
                   "The file is too short to be a GGUF file."},
        BrokenFile{"OtherMagic", kDamaged, "G02", [] { return std::string(64, 'x'); },
                   "This is not a GGUF file."},
        BrokenFile{"OldGgml", kUnsupported, "G02", [] { return "tjgg" + std::string(60, '\0'); },
                   "This is an old GGML file; convert it to GGUF."},
        BrokenFile{"LfsPointer", kDamaged, "G03",
                   [] { return std::string("version https://git-lfs.github.com/spec/v1\n"); },
                   "This is a Git LFS pointer, not the model; the download is incomplete."},
        BrokenFile{"VersionOne", kUnsupported, "G04", [] { return GgufWriter(1).bytes(); },
                   "GGUF version 1 is not supported."},
        BrokenFile{"VersionFour", kUnsupported, "G04", [] { return GgufWriter(4).bytes(); },
                   "GGUF version 4 is not supported."},
        BrokenFile{"BigEndian", kUnsupported, "G04", [] { return GgufWriter(0x03000000).bytes(); },
                   "This is a big-endian GGUF file, which is not supported."},
        BrokenFile{"MoreTensorsThanBytes", kDamaged, "G05",
                   [] { return GgufWriter().claimTensors(1).bytes(); },
                   "The tensor count 1 does not fit the file."},
        BrokenFile{"HugeTensorCount", kDamaged, "G05",
                   [] { return GgufWriter().claimTensors(UINT64_MAX).rawData(kRow).bytes(); }},
        BrokenFile{"HugeKeyCount", kDamaged, "G06",
                   [] { return GgufWriter().claimKeys(UINT64_MAX).rawData(kRow).bytes(); },
                   "The file is damaged (G06): a key count of 18446744073709551615 at byte 24."},
        BrokenFile{"KeysCut", kDamaged, "G13",
                   [] { return firstBytes(GgufWriter().u32("some.key", 1), 40); }},
        BrokenFile{
            "TensorsCut", kDamaged, "G13",
            [] {
                return firstBytes(
                    GgufWriter().rawTensor("a", {1}, 0, 0).rawTensor("b", {1, 1, 1, 1}, 0, 32),
                    24 + 33 + 40);
            }}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Keys, BrokenGguf,
    testing::Values(
        BrokenFile{"EmptyKey", kDamaged, "G07",
                   [] { return GgufWriter().u32("", 1).u32("b", 1).bytes(); },
                   "The file is damaged (G07): a key of 0 bytes at byte 32."},
        BrokenFile{"LongKey", kDamaged, "G07",
                   [] { return GgufWriter().u32(std::string(65'536, 'k'), 1).bytes(); }},
        BrokenFile{"KeyWithNul", kDamaged, "G07",
                   [] { return GgufWriter().u32(std::string("a\0b", 3), 1).bytes(); }},
        BrokenFile{"KeyTwice", kDamaged, "G08",
                   [] { return GgufWriter().u32("twice", 1).u32("twice", 2).bytes(); },
                   "Key twice appears twice."},
        BrokenFile{"UnknownType", kDamaged, "G09",
                   [] { return withValue(13, rawBytes(1)).bytes(); },
                   "Key key has the unknown type 13."},
        BrokenFile{"UnknownElementType", kDamaged, "G09",
                   [] { return withList(99, 1, rawBytes(1)).bytes(); },
                   "Key key has the unknown type 99."},
        BrokenFile{"TextLongerThanFile", kDamaged, "G10",
                   [] { return withValue(GgufWriter::kText, rawBytes(UINT64_MAX)).bytes(); }},
        BrokenFile{"TextNotUtf8", kDamaged, "G10",
                   [] { return withValue(GgufWriter::kText, rawText("a\xc0\x80")).bytes(); }},
        BrokenFile{"TextWithSurrogate", kDamaged, "G10",
                   [] { return withValue(GgufWriter::kText, rawText("\xed\xa0\x80")).bytes(); }},
        BrokenFile{"HugeList", kDamaged, "G11",
                   [] { return withList(4, UINT64_MAX / 4 + 2, kRow).bytes(); }},
        BrokenFile{"ListLongerThanFile", kDamaged, "G11",
                   [] { return withList(4, 33, kRow).bytes(); }},
        BrokenFile{"ListOfTextsLongerThanFile", kDamaged, "G11",
                   [] { return withList(8, 17, kRow).bytes(); }},
        BrokenFile{"NestedThreeDeep", kDamaged, "G11",
                   [] {
                       const std::string inner = rawList(9, 1, rawList(4, 1, rawBytes(1)));
                       return withList(9, 1, inner).bytes();
                   }},
        BrokenFile{"ListNumberAbove63Bits", kDamaged, "G11",
                   [] { return withList(10, 1, rawBytes(UINT64_MAX)).bytes(); }},
        BrokenFile{"TooManyNarrowNumbers", kUnsupported, "G11",
                   [] { return withList(0, 4'194'305, std::string(4'194'305, '\1')).bytes(); }},
        BrokenFile{"BoolOfTwo", kDamaged, "G12",
                   [] { return withValue(GgufWriter::kBool, "\x02").bytes(); }},
        BrokenFile{"AlignmentNotAPower", kDamaged, "G14",
                   [] { return GgufWriter().alignment(24).bytes(); },
                   "The alignment 24 is not a power of two between 8 and 65536."},
        BrokenFile{"AlignmentZero", kDamaged, "G14",
                   [] { return GgufWriter().u32("general.alignment", 0).bytes(); }},
        BrokenFile{"AlignmentFour", kDamaged, "G14",
                   [] { return GgufWriter().alignment(4).bytes(); }},
        BrokenFile{"AlignmentTooLarge", kDamaged, "G14",
                   [] { return GgufWriter().alignment(131'072).bytes(); }},
        BrokenFile{
            "NotANumber", kDamaged, "G16",
            [] {
                return GgufWriter().f32("key", std::numeric_limits<float>::quiet_NaN()).bytes();
            }},
        BrokenFile{
            "InfinityInList", kDamaged, "G16",
            [] {
                return GgufWriter().f32s("key", {std::numeric_limits<float>::infinity()}).bytes();
            }},
        BrokenFile{"NoParts", kDamaged, "G26",
                   [] { return GgufWriter().u32("split.count", 0).bytes(); }},
        BrokenFile{"SeveralParts", kUnsupported, "G26",
                   [] { return GgufWriter().u32("split.count", 5).bytes(); }}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Tensors, BrokenGguf,
    testing::Values(
        BrokenFile{"EmptyName", kDamaged, "G17",
                   [] { return GgufWriter().rawTensor("", {1}, 0, 0).rawData(kRow).bytes(); }},
        BrokenFile{"LongName", kDamaged, "G17",
                   [] { return GgufWriter().rawTensor(std::string(65, 'n'), {1}, 0, 0).bytes(); }},
        BrokenFile{"NameWithNewline", kDamaged, "G17",
                   [] { return GgufWriter().rawTensor("a\nb", {1}, 0, 0).rawData(kRow).bytes(); }},
        BrokenFile{
            "NameTwice", kDamaged, "G18",
            [] {
                return GgufWriter().tensor("t", {1}, 0, "aaaa").tensor("t", {1}, 0, "bbbb").bytes();
            },
            "Tensor t appears twice."},
        BrokenFile{"NoAxes", kDamaged, "G19", [] { return withTensor({}, 0).bytes(); }},
        BrokenFile{"FiveAxes", kDamaged, "G19",
                   [] {
                       return withTensor({1, 1, 1, 1, 1}, 0).bytes();
                   }},
        BrokenFile{"EmptyAxis", kDamaged, "G20",
                   [] {
                       return withTensor({32, 0}, 0).bytes();
                   },
                   "Tensor t has an impossible shape."},
        BrokenFile{"ShapeOverflows", kDamaged, "G20",
                   [] {
                       return withTensor({1ULL << 32, 1ULL << 32}, 0).bytes();
                   }},
        BrokenFile{"ShapeOverflowsToSmall", kDamaged, "G20",
                   [] {
                       return withTensor({1ULL << 63, 2, 32}, 0).bytes();
                   }},
        BrokenFile{"ShapeTooLarge", kDamaged, "G20",
                   [] { return withTensor({(1ULL << 40) + 1}, 0).bytes(); }},
        BrokenFile{"LegalTypeNotRun", kUnsupported, "G21",
                   [] { return withTensor({256}, 12).bytes(); },
                   "Tensor t has the type Q4_K, which this version does not run."},
        BrokenFile{"ActivationType", kDamaged, "G21", [] { return withTensor({32}, 9).bytes(); },
                   "Tensor t has the type Q8_1, which never stands in a file."},
        BrokenFile{"WithdrawnType", kUnsupported, "G21",
                   [] { return withTensor({32}, 31).bytes(); },
                   "Tensor t uses the withdrawn tensor type 31."},
        BrokenFile{"UnknownType", kUnsupported, "G21", [] { return withTensor({32}, 999).bytes(); },
                   "Tensor t uses type 999, which this version does not know."},
        BrokenFile{"RowNotWholeBlocks", kDamaged, "G22", [] { return withTensor({33}, 3).bytes(); },
                   "A row of tensor t is no multiple of its block size."},
        BrokenFile{"OffsetNotAligned", kDamaged, "G23",
                   [] { return GgufWriter().rawTensor("t", {1}, 0, 4).rawData(kRow).bytes(); }},
        BrokenFile{
            "DataCut", kDamaged, "G24",
            [] {
                const std::string whole = GgufWriter().tensor("t", {32}, 0, kRow).bytes();
                return whole.substr(0, whole.size() - 28);
            },
            "The file ends inside tensor t (truncated download?): 100 of 128 bytes present."},
        BrokenFile{
            "OffsetBehindFile", kDamaged, "G24",
            [] { return GgufWriter().rawTensor("t", {1}, 0, 1ULL << 50).rawData(kRow).bytes(); },
            "The file ends inside tensor t (truncated download?): 0 of 4 bytes present."},
        BrokenFile{
            "OffsetOverflows", kDamaged, "G24",
            [] {
                return GgufWriter().rawTensor("t", {32}, 0, UINT64_MAX - 31).rawData(kRow).bytes();
            }},
        BrokenFile{"Overlap", kDamaged, "G25",
                   [] {
                       return GgufWriter()
                           .rawTensor("a", {32}, 0, 0)
                           .rawTensor("b", {1}, 0, 96)
                           .rawData(kRow)
                           .bytes();
                   },
                   "Tensors a and b overlap."}),
    nameOf);

TEST(BrokenGgufText, ForeignBytesInASentenceArePrintable) {
    const Error error =
        errorOf(GgufWriter().rawTensor("a\xff\xc3", {0}, 0, 0).rawData(kRow).bytes());
    EXPECT_EQ(error.what, "Tensor a?? has an impossible shape.");
}

TEST(GgufTensorTypes, EveryKnownNumberHasANameAndOneMeaning) {
    std::size_t known = 0;
    for (std::uint32_t id = 0; id < 200; ++id) {
        const GgufTensorType type = ggufTensorType(id);
        if (type.status == GgufTypeStatus::Unknown) continue;
        ++known;
        EXPECT_NE(std::string(type.name), "") << id;
        if (type.status == GgufTypeStatus::Loadable) {
            EXPECT_EQ(static_cast<std::uint32_t>(type.format), id);
        }
    }
    EXPECT_EQ(known, 43u);  // 0 to 42 without a gap
}

}  // namespace
}  // namespace agens::model_file
