// SPDX-License-Identifier: Apache-2.0
// Reading a vocabulary: what is refused and with which sentence, and the rules on special tokens.
#include <gtest/gtest.h>

#include "tests/text/vocabularies.h"

namespace agens::text {
namespace {

using model_file::Metadata;
using test::smallVocabulary;
using test::tokenizerFrom;

// `metadata` with one key replaced or, without a value, removed.
Metadata with(const Metadata& metadata, const std::string& key,
              std::optional<model_file::MetadataValue> value) {
    Metadata changed;
    for (const auto& [name, old] : metadata.all()) {
        if (name != key) changed.add(name, old);
    }
    if (value) changed.add(key, std::move(*value));
    return changed;
}

Error errorOf(const Metadata& metadata) {
    const auto tokenizer = Tokenizer::fromMetadata(metadata);
    return tokenizer.ok() ? Error{} : tokenizer.error();
}

const Metadata kGood = smallVocabulary({{"ab"}, {"<|im_end|>", 3}}, {"a b"});

TEST(Vocabulary, AnUnknownPreTokenizerIsUnsupportedByName) {
    const Error error = errorOf(with(kGood, "tokenizer.ggml.pre", std::string("default")));
    EXPECT_EQ(error.kind, ErrorKind::Unsupported);
    EXPECT_EQ(error.what,
              "The file does not say how its tokenizer splits text (tokenizer.ggml.pre = default); "
              "reconvert it with a current converter.");
    EXPECT_EQ(errorOf(with(kGood, "tokenizer.ggml.pre", std::nullopt)).kind,
              ErrorKind::Unsupported);
}

TEST(Vocabulary, AnotherTokenizerTypeIsUnsupportedByName) {
    const Error error = errorOf(with(kGood, "tokenizer.ggml.model", std::string("bert")));
    EXPECT_EQ(error.kind, ErrorKind::Unsupported);
    EXPECT_EQ(error.what, "The tokenizer type bert is not supported.");
    EXPECT_EQ(errorOf(Metadata()).kind, ErrorKind::Unsupported);
}

TEST(Vocabulary, ListsOfDifferentLengthAreRefused) {
    const Error error =
        errorOf(with(kGood, "tokenizer.ggml.token_type", std::vector<std::int64_t>{1, 1}));
    EXPECT_EQ(error.kind, ErrorKind::InvalidFile);
    EXPECT_EQ(error.id, "C01");
    EXPECT_EQ(error.what, "The file is damaged (C01): 2 token types for 258 tokens.");
    EXPECT_EQ(error.where, "tokenizer.ggml.token_type");
}

TEST(Vocabulary, DamagedListsAreRefused) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(errorOf(with(kGood, "tokenizer.ggml.tokens", std::nullopt)).id, "C01");
    EXPECT_EQ(errorOf(with(kGood, "tokenizer.ggml.tokens", Texts{"a"})).id, "C01");
    EXPECT_EQ(errorOf(with(kGood, "tokenizer.ggml.merges", std::nullopt)).id, "C03");
    EXPECT_EQ(errorOf(with(kGood, "tokenizer.ggml.merges", Texts{"x y z", "ab", ""})).id, "C03");
    EXPECT_EQ(
        errorOf(with(kGood, "tokenizer.ggml.token_type", std::vector<std::int64_t>(258, 7))).id,
        "C01");
    EXPECT_EQ(
        errorOf(with(kGood, "tokenizer.ggml.token_type", std::vector<std::int64_t>(258, 3))).id,
        "C06");
    Metadata longToken = smallVocabulary({{std::string(65'536, 'x')}}, {});
    EXPECT_EQ(errorOf(longToken).id, "C02");
    Metadata noBytes = with(smallVocabulary({}, {}), "tokenizer.ggml.tokens", Texts{"ab", "cd"});
    EXPECT_EQ(errorOf(with(noBytes, "tokenizer.ggml.token_type", std::nullopt)).id, "C06");
}

TEST(Vocabulary, AFewStrayMergesAreDroppedWithAWarning) {
    std::vector<std::string> merges(199, "a b");
    merges.emplace_back("a nosuch");
    const Tokenizer tokenizer = tokenizerFrom(smallVocabulary({{"ab"}, {"<|im_end|>", 3}}, merges));
    ASSERT_EQ(tokenizer.warnings().size(), 1u);
    EXPECT_EQ(tokenizer.warnings()[0], "1 merges name unknown tokens.");
}

TEST(Vocabulary, StopTokensAreKeysAndControlTexts) {
    Metadata metadata = smallVocabulary({{"<|im_end|>", 3}, {"<eos>", 4}, {"</s>", 3}}, {});
    metadata.add("tokenizer.ggml.eos_token_id", std::uint64_t{65});
    const Tokenizer tokenizer = tokenizerFrom(metadata);
    EXPECT_EQ(tokenizer.stopTokens(), (std::vector{TokenId(65), TokenId(256), TokenId(258)}));
    EXPECT_TRUE(tokenizer.isStop(TokenId(256)));
    EXPECT_FALSE(tokenizer.isStop(TokenId(257)));
}

TEST(Vocabulary, ASpecialIdBeyondTheVocabularyIsIgnoredWithAWarning) {
    Metadata metadata = smallVocabulary({}, {});
    metadata.add("tokenizer.ggml.eos_token_id", std::uint64_t{256});
    const Tokenizer tokenizer = tokenizerFrom(metadata);
    EXPECT_EQ(tokenizer.eos(), std::nullopt);
    EXPECT_EQ(tokenizer.warnings().size(), 2u);  // and no stop token is left
}

TEST(Vocabulary, PaddingAtTheEndIsNotReal) {
    const Tokenizer tokenizer =
        tokenizerFrom(smallVocabulary({{"[PAD1]", 5}, {"x1"}, {"[PAD2]", 5}, {"[PAD3]", 5}}, {}));
    EXPECT_EQ(tokenizer.vocabRows(), 260u);
    EXPECT_EQ(tokenizer.vocabReal(), 258u);
    EXPECT_TRUE(tokenizer.isUsable(TokenId(257)));
    EXPECT_FALSE(tokenizer.isUsable(TokenId(256)));
    EXPECT_FALSE(tokenizer.isUsable(TokenId(258)));
    EXPECT_EQ(tokenizer.tokenBytes(TokenId(258)), "");
}

TEST(Vocabulary, BosIsPutInFrontOnce) {
    Metadata metadata = smallVocabulary({{"<s>", 3}}, {});
    metadata.add("tokenizer.ggml.bos_token_id", std::uint64_t{256});
    metadata.add("tokenizer.ggml.add_bos_token", true);
    const Tokenizer tokenizer = tokenizerFrom(metadata);
    std::vector<TokenId> ids = tokenizer.encode("a", MatchMode::All);
    tokenizer.ensureBos(ids);
    tokenizer.ensureBos(ids);
    EXPECT_EQ(ids, (std::vector{TokenId(256), TokenId('a')}));
}

TEST(Vocabulary, Llama3WantsBosUnlessTheFileSaysNo) {
    Metadata metadata = smallVocabulary({{"<s>", 3}}, {}, "llama-bpe");
    metadata.add("tokenizer.ggml.bos_token_id", std::uint64_t{256});
    EXPECT_TRUE(tokenizerFrom(metadata).addsBos());
    metadata.add("tokenizer.ggml.add_bos_token", false);
    EXPECT_FALSE(tokenizerFrom(metadata).addsBos());
}

TEST(Vocabulary, ReservedTextsAreUserDefinedWhateverTheFileSays) {
    const Tokenizer tokenizer =
        tokenizerFrom(smallVocabulary({{"<think>", 3}, {"</think>", 1}}, {}));
    EXPECT_FALSE(tokenizer.isControl(TokenId(256)));
    EXPECT_EQ(tokenizer.encode("<think></think>", MatchMode::All),
              (std::vector{TokenId(256), TokenId(257)}));
}

TEST(Vocabulary, TextsAndBytesOfTokens) {
    const Tokenizer tokenizer = tokenizerFrom(smallVocabulary({{"\xC4\xA0hi"}}, {}));
    EXPECT_EQ(tokenizer.tokenText(TokenId(256)), "\xC4\xA0hi");
    EXPECT_EQ(tokenizer.tokenBytes(TokenId(256)), " hi");
    EXPECT_EQ(tokenizer.find("\xC4\xA0hi"), TokenId(256));
    EXPECT_EQ(tokenizer.find(" hi"), std::nullopt);
}

}  // namespace
}  // namespace agens::text
