// SPDX-License-Identifier: Apache-2.0
// base: Result, Checked, ByteReader, JSON limits, mapped files, texts of units.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/base/byte_reader.h"
#include "engine/base/check.h"
#include "engine/base/checked.h"
#include "engine/base/json.h"
#include "engine/base/mapped_file.h"
#include "engine/base/result.h"
#include "engine/base/sha256.h"
#include "engine/base/units.h"
#include "tests/support/test_paths.h"

namespace agens {
namespace {

Result<int> half(int number) {
    if (number % 2 != 0) return Error{ErrorKind::InvalidRequest, "odd", "The number is odd.", "n"};
    return number / 2;
}

Result<int> quarter(int number) {
    TRY(const int halved, half(number));
    return half(halved);
}

TEST(Result, TryReturnsTheFirstError) {
    EXPECT_EQ(*quarter(8), 2);
    EXPECT_EQ(quarter(6).error().id, "odd");
    EXPECT_EQ(quarter(7).error().text(), "The number is odd. (n)");
}

TEST(Check, ThrowsWithConditionAndReason) {
    try {
        CHECK(1 + 1 == 3) << "sum " << 2;
        FAIL();
    } catch (const CheckFailure& failure) {
        EXPECT_NE(std::string(failure.what()).find("1 + 1 == 3 sum 2"), std::string::npos);
    }
}

TEST(Checked, OverflowIsNeverAValue) {
    EXPECT_EQ((Checked(6) * Checked(7)).value(), 42u);
    EXPECT_FALSE((Checked(UINT64_MAX) + Checked(1)).isValid());
    EXPECT_FALSE((Checked(1ull << 40) * Checked(1ull << 40)).isAtMost(UINT64_MAX));
    EXPECT_FALSE(((Checked(UINT64_MAX) + Checked(1)) * Checked(0)).isValid());
    EXPECT_EQ(Checked(33).alignedTo(32).value(), 64u);
    EXPECT_FALSE(Checked(UINT64_MAX).alignedTo(32).isValid());
}

TEST(ByteReader, NeverReadsPastTheEnd) {
    const std::array<std::byte, 5> bytes = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4},
                                            std::byte{5}};
    ByteReader reader(bytes);
    EXPECT_EQ(reader.read<std::uint32_t>(), 0x04030201u);
    EXPECT_FALSE(reader.read<std::uint16_t>());
    EXPECT_EQ(reader.offset(), 4u);
    EXPECT_FALSE(reader.take(UINT64_MAX));
    EXPECT_EQ(reader.take(1)->size(), 1u);
    EXPECT_EQ(reader.remaining(), 0u);
}

TEST(Json, DepthAndSyntaxAreErrors) {
    EXPECT_TRUE(parseJson(R"({"a":[1,2,"]]]]"]})", "t", {.depth = 2}).ok());
    EXPECT_EQ(parseJson("[[[1]]]", "t", {.depth = 2}).error().id, "json.too_deep");
    EXPECT_EQ(parseJson("{\"a\":", "t").error().id, "json.syntax");
    EXPECT_EQ(parseJson("[1]", "t", {.bytes = 2}).error().id, "json.too_big");
    EXPECT_EQ(parseJson(std::string(1'000'000, '['), "t").error().id, "json.too_deep");
}

TEST(MappedFile, NamesWhatIsWrong) {
    EXPECT_EQ(MappedFile::open("/").error().id, "io.folder");
    EXPECT_EQ(MappedFile::open("/dev/null").error().id, "io.special");
    EXPECT_EQ(MappedFile::open("missing-file").error().id, "io.open");
}

TEST(MappedFile, ShowsTheBytesAndNoticesAChange) {
    const auto path = test::scratchFolder() / "bytes";
    std::ofstream(path) << "hello";
    auto file = MappedFile::open(path);
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(sha256Hex(file->bytes()),
              "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
    EXPECT_TRUE(file->isUnchanged());
    ASSERT_EQ(::truncate(path.c_str(), 2), 0);
    EXPECT_FALSE(file->isUnchanged());
}

TEST(Units, TextHasThreeDigitsOrSo) {
    EXPECT_EQ(toText(ByteCount(512)), "512 bytes");
    EXPECT_EQ(toText(mebibytes(94)), "94.0 MiB");
    EXPECT_EQ(toText(mebibytes(1280)), "1.25 GiB");
}

// The numerics contract needs a*b+c to stay two roundings unless fma is written.
TEST(ExactMath, TheCompilerDoesNotContract) {
    volatile float a = 1.0F + 0x1p-23F;
    volatile float b = 1.0F - 0x1p-23F;
    volatile float c = -1.0F;
    EXPECT_EQ(a * b + c, 0.0F);
    EXPECT_NE(std::fma(a, b, c), 0.0F);
}

}  // namespace
}  // namespace agens
