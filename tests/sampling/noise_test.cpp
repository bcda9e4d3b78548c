// SPDX-License-Identifier: Apache-2.0
// Noise, logarithm and exponential against 560 golden lines made by two independent programs.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "engine/sampling/noise.h"
#include "tests/support/test_paths.h"

namespace agens::sampling {
namespace {

std::vector<std::vector<std::string>> goldenLines(const std::string& kind) {
    std::istringstream file(test::readText(test::goldenFolder() / "noise" / "noise-vectors.tsv"));
    std::vector<std::vector<std::string>> lines;
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string> fields;
        std::istringstream columns(line);
        for (std::string field; std::getline(columns, field, '\t');)
            fields.push_back(field);
        if (!fields.empty() && fields[0] == kind) lines.push_back(fields);
    }
    return lines;
}

std::uint64_t hex(const std::string& text) {
    return std::stoull(text, nullptr, 16);
}

std::uint64_t bitsOf(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

TEST(Noise, PhiloxOfZeroIsThePublishedBlock) {
    const std::array<std::uint32_t, 4> expected = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), expected);
}

TEST(Noise, EveryGoldenNoiseLineMatchesInEveryBit) {
    const auto lines = goldenLines("noise");
    ASSERT_EQ(lines.size(), 400u);
    for (const auto& line : lines) {
        const NoiseKey key{.seed = hex(line[1]),
                           .position = static_cast<std::uint32_t>(std::stoul(line[2])),
                           .choice = static_cast<std::uint32_t>(std::stoul(line[3])),
                           .domain = static_cast<NoiseDomain>(std::stoul(line[4]))};
        const auto v = static_cast<std::uint32_t>(std::stoul(line[5]));
        EXPECT_EQ(noiseBits(key, v), hex(line[6])) << line[1] << " " << line[2] << " " << line[5];
        EXPECT_EQ(bitsOf(gumbel(key, v)), hex(line[7]))
            << line[1] << " " << line[2] << " " << line[5];
    }
}

TEST(Noise, EveryGoldenLogarithmMatchesInEveryBit) {
    const auto lines = goldenLines("dln");
    ASSERT_EQ(lines.size(), 100u);
    for (const auto& line : lines) {
        EXPECT_EQ(bitsOf(dln(std::bit_cast<double>(hex(line[1])))), hex(line[2])) << line[1];
    }
}

TEST(Noise, EveryGoldenExponentialMatchesAloneAndInBulk) {
    const auto lines = goldenLines("dexp");
    ASSERT_EQ(lines.size(), 60u);
    std::vector<double> x;
    for (const auto& line : lines)
        x.push_back(std::bit_cast<double>(hex(line[1])));
    std::vector<double> bulk(x.size());
    dexpAll(x, bulk);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_EQ(bitsOf(dexp(x[i])), hex(lines[i][2])) << lines[i][1];
        EXPECT_EQ(bitsOf(bulk[i]), hex(lines[i][2])) << lines[i][1];
    }
}

TEST(Noise, ValuesOfTheDesignPage) {
    EXPECT_EQ(bitsOf(gumbel({.seed = 42, .position = 7, .choice = 1}, 248046)),
              0x3fd2e1f7d31516d3u);
    EXPECT_EQ(bitsOf(gumbel({.seed = 42, .position = 7, .domain = NoiseDomain::XtcCoin}, 0)),
              0x3ff7e0afbd8be869u);
    EXPECT_EQ(bitsOf(gumbel({.seed = UINT64_MAX, .position = 262143}, 248076)),
              0xbfd6a4a9448d0a7bu);
    EXPECT_EQ(bitsOf(dln(0x1p-53)), 0xc0425e4f7b2737fau);
    EXPECT_EQ(bitsOf(dln(1 - 0x1p-53)), 0xbca0000000000000u);
    EXPECT_EQ(bitsOf(dexp(-700)), 0x00d14f2b0fb9307fu);
    EXPECT_EQ(dexp(-700.1), 0.0);
    EXPECT_EQ(dexp(0.0), 1.0);
}

TEST(Noise, UniformsStayInsideTheOpenInterval) {
    EXPECT_EQ(unitOf(0), 0x1p-53);
    EXPECT_EQ(unitOf((1ULL << 52) - 1), 1 - 0x1p-53);
    EXPECT_NEAR(gumbelOf((1ULL << 52) - 1), 36.7368, 1e-4);
    EXPECT_NEAR(gumbelOf(0), -3.6038, 1e-4);
}

TEST(Noise, BoundIsNeverBelowTheNoise) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 100000; ++i) {
        // Every count of leading ones, random below.
        const int ones = i % 53;
        const std::uint64_t lead = ones == 0 ? 0 : ((1ULL << ones) - 1) << (52 - ones);
        const std::uint64_t bits = lead | (ones == 52 ? 0 : random() >> (12 + ones));
        ASSERT_GE(gumbelBound(bits), gumbelOf(bits)) << std::hex << bits;
    }
}

}  // namespace
}  // namespace agens::sampling
