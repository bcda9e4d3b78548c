// SPDX-License-Identifier: Apache-2.0
// Block formats: goldens bit for bit, half conversions over every pattern, encode and decode.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "engine/base/json.h"
#include "engine/base/mapped_file.h"
#include "engine/device/formats/block_format.h"
#include "engine/device/formats/decode_row.h"
#include "engine/device/formats/half.h"
#include "engine/device/formats/q4_1.h"
#include "engine/device/formats/q8_0.h"
#include "tests/support/test_paths.h"

#include <nlohmann/json.hpp>

namespace agens::device {
namespace {

struct GoldenFormat {
    const char* file;
    BlockFormat format;
};

class GoldenBlocks : public testing::TestWithParam<GoldenFormat> {};

TEST_P(GoldenBlocks, DecodeBitForBit) {
    const auto folder = test::goldenFolder() / "blocks";
    const auto raw = MappedFile::open(folder / (std::string(GetParam().file) + ".bin"));
    const auto expected = MappedFile::open(folder / (std::string(GetParam().file) + ".f32"));
    ASSERT_TRUE(raw.ok() && expected.ok());
    const BlockFormatFacts& facts = factsOf(GetParam().format);
    const std::size_t count = raw->bytes().size() / facts.blockBytes * facts.blockValues;
    ASSERT_EQ(expected->bytes().size(), count * sizeof(float));
    std::vector<float> values(count);
    decodeRow(GetParam().format, raw->bytes().data(), values);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t bits;
        std::memcpy(&bits, expected->bytes().data() + i * 4, 4);
        ASSERT_EQ(std::bit_cast<std::uint32_t>(values[i]), bits)
            << GetParam().file << " value " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, GoldenBlocks,
                         testing::Values(GoldenFormat{"q4_1", BlockFormat::Q4_1},
                                         GoldenFormat{"q8_0", BlockFormat::Q8_0},
                                         GoldenFormat{"f16", BlockFormat::F16},
                                         GoldenFormat{"bf16", BlockFormat::BF16}),
                         [](const auto& test) { return test.param.file; });

// Value of a half from its definition, in double.
double halfByDefinition(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 31;
    const double fraction = bits & 1023;
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024.0 + fraction, exponent - 25);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Half, EveryPatternDecodesToItsDefinitionAndBack) {
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float value = halfToFloat(half);
        if ((bits & 0x7c00) == 0x7c00) {
            EXPECT_EQ(std::isnan(value), (bits & 0x3ff) != 0);
        } else {
            ASSERT_EQ(double(value), halfByDefinition(half)) << bits;
        }
        if (!std::isnan(value)) {
            ASSERT_EQ(floatToHalf(value), half) << bits;
        }
    }
}

// Around every border between two halves: the tie goes to the even one, its neighbours to the
// nearer.
TEST(Half, RoundsToNearestTiesToEven) {
    for (std::uint32_t bits = 0; bits < 0x7bff; ++bits) {
        const auto low = static_cast<std::uint16_t>(bits);
        const auto high = static_cast<std::uint16_t>(bits + 1);
        const float middle =
            static_cast<float>((halfByDefinition(low) + halfByDefinition(high)) / 2);
        ASSERT_EQ(floatToHalf(middle), bits % 2 == 0 ? low : high) << bits;
        ASSERT_EQ(floatToHalf(std::nextafterf(middle, 0.0F)), low) << bits;
        ASSERT_EQ(floatToHalf(std::nextafterf(middle, 1e9F)), high) << bits;
    }
    EXPECT_EQ(floatToHalf(65519.996F), 0x7bff);
    EXPECT_EQ(floatToHalf(65520.0F), 0x7c00);
    EXPECT_EQ(floatToHalf(-INFINITY), 0xfc00);
}

TEST(Formats, ListNamesEveryEnumeratorOnce) {
    for (const BlockFormatFacts& facts : kBlockFormats) {
        EXPECT_EQ(&factsOf(facts.format), &facts) << facts.name;
    }
    EXPECT_EQ(rowBytes(BlockFormat::Q4_1, 576), 360u);
}

TEST(Formats, EncodeThenDecodeStaysWithinHalfAStep) {
    std::vector<float> values(32);
    for (std::size_t i = 0; i < 32; ++i)
        values[i] = std::sin(static_cast<float>(i)) * 3.0F;
    float decoded[32];
    const Q4_1Block q4 = encodeQ4_1(values.data());
    decode(q4, decoded);
    for (std::size_t i = 0; i < 32; ++i)
        EXPECT_NEAR(decoded[i], values[i], 0.21F);
    const Q8_0Block q8 = encodeQ8_0(values.data());
    decode(q8, decoded);
    for (std::size_t i = 0; i < 32; ++i)
        EXPECT_NEAR(decoded[i], values[i], 0.013F);
}

}  // namespace
}  // namespace agens::device
