// SPDX-License-Identifier: Apache-2.0
// Every golden vector of the byte-level vocabularies: ids with and without control tokens, decoded
// text with and without them. No tolerance. Two vocabularies stand in this checkout, three only in
// the shared data; the ids of smollm2 need the starter model.
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/base/json.h"
#include "engine/base/sha256.h"
#include "engine/text/utf8.h"
#include "tests/support/test_paths.h"
#include "tests/text/vocabularies.h"

namespace agens {
namespace {

using text::MatchMode;
using Control = text::Tokenizer::ControlTokens;

std::string fromBase64(const std::string& coded) {
    std::string bytes(coded.size(), '\0');
    const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                     reinterpret_cast<const unsigned char*>(coded.data()),
                                     static_cast<int>(coded.size()));
    const auto padding = static_cast<std::size_t>(std::count(coded.begin(), coded.end(), '='));
    bytes.resize(static_cast<std::size_t>(size) - padding);
    return bytes;
}

std::string inputOf(const Json& vector) {
    if (vector.contains("b64")) return fromBase64(vector["b64"].get<std::string>());
    if (vector.contains("text")) return vector["text"].get<std::string>();
    std::string text;
    for (int i = 0; i < vector["times"].get<int>(); ++i)
        text += vector["repeat"].get<std::string>();
    return text;
}

std::vector<std::int32_t> numbers(const std::vector<TokenId>& ids) {
    std::vector<std::int32_t> values;
    for (const TokenId id : ids)
        values.push_back(id.value);
    return values;
}

void checkVector(const text::Tokenizer& tokenizer, const Json& vector) {
    const std::string input = inputOf(vector);
    const auto ids = tokenizer.encode(input, MatchMode::All);
    EXPECT_EQ(numbers(ids), vector["ids"].get<std::vector<std::int32_t>>());
    EXPECT_EQ(numbers(tokenizer.encode(input, MatchMode::NoControl)),
              vector["ids_without_specials"].get<std::vector<std::int32_t>>());
    EXPECT_EQ(tokenizer.decode(ids, Control::Show), vector["decoded"].get<std::string>());
    EXPECT_EQ(tokenizer.decode(ids, Control::Skip),
              vector["decoded_skip_special"].get<std::string>());
}

void checkRepeatVector(const text::Tokenizer& tokenizer, const Json& vector) {
    const auto begin = std::chrono::steady_clock::now();
    const auto ids = numbers(tokenizer.encode(inputOf(vector), MatchMode::All));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
    ASSERT_EQ(ids.size(), vector["ids_count"].get<std::size_t>());
    EXPECT_EQ(sha256Hex(std::as_bytes(std::span(ids))), vector["ids_sha256"].get<std::string>());
    std::vector<TokenId> back;
    for (const std::int32_t id : ids)
        back.emplace_back(id);
    const std::string decoded = tokenizer.decode(back, Control::Show);
    EXPECT_EQ(sha256Hex(std::as_bytes(std::span(decoded))),
              vector["decoded_sha256"].get<std::string>());
}

// Number of vectors checked.
int checkVectors(const text::Tokenizer& tokenizer, const std::filesystem::path& file) {
    std::ifstream lines(file);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const Json vector = Json::parse(line);
        SCOPED_TRACE(file.string() + " id " + vector["id"].dump());
        if (vector.contains("repeat")) {
            checkRepeatVector(tokenizer, vector);
        } else {
            checkVector(tokenizer, vector);
        }
    }
    return count;
}

struct GoldenCase {
    const char* name;
    int vectors;
};

class GoldenTokenizer : public testing::TestWithParam<GoldenCase> {};

TEST_P(GoldenTokenizer, EveryVectorIsEqual) {
    const auto folder = test::goldenTokenizer(GetParam().name);
    if (!folder) GTEST_SKIP() << "SKIPPED (no shared data)";
    const text::Tokenizer tokenizer = test::tokenizerOfFile(*folder / "vocab.gguf");
    EXPECT_EQ(checkVectors(tokenizer, *folder / "vectors.jsonl"), GetParam().vectors);
}

INSTANTIATE_TEST_SUITE_P(All, GoldenTokenizer,
                         testing::Values(GoldenCase{"gpt2", 647}, GoldenCase{"smollm", 689},
                                         GoldenCase{"llama3", 696}, GoldenCase{"qwen2", 710},
                                         GoldenCase{"qwen35", 717}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(GoldenStarterTokenizer, EveryVectorOfSmolLm2IsEqual) {
    const auto model = test::starterModel();
    if (!model) GTEST_SKIP() << "SKIPPED (no starter model)";
    const text::Tokenizer tokenizer = test::tokenizerOfFile(*model);
    EXPECT_EQ(checkVectors(tokenizer, *test::goldenTokenizer("smollm2") / "vectors.jsonl"), 717);
}

TEST(GoldenStarterTokenizer, KnowsItsSpecialTokens) {
    const auto model = test::starterModel();
    if (!model) GTEST_SKIP() << "SKIPPED (no starter model)";
    const text::Tokenizer tokenizer = test::tokenizerOfFile(*model);
    EXPECT_EQ(tokenizer.vocabRows(), 49152u);
    EXPECT_EQ(tokenizer.vocabReal(), 49152u);
    EXPECT_EQ(tokenizer.stopTokens(), (std::vector{TokenId(0), TokenId(2)}));
    EXPECT_FALSE(tokenizer.addsBos());
    EXPECT_TRUE(tokenizer.isControl(TokenId(16)));
    EXPECT_FALSE(tokenizer.isControl(TokenId(17)));
    EXPECT_EQ(tokenizer.find("<|im_start|>"), TokenId(1));
    EXPECT_TRUE(tokenizer.warnings().empty());
}

}  // namespace
}  // namespace agens
