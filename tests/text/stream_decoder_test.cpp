// SPDX-License-Identifier: Apache-2.0
// The streaming decoder: every short string over bytes that begin, continue and break characters,
// cut into tokens in every way, gives the text of the whole.
#include <gtest/gtest.h>

#include "engine/text/byte_letters.h"
#include "engine/text/stream_decoder.h"
#include "engine/text/utf8.h"
#include "tests/text/vocabularies.h"

namespace agens::text {
namespace {

using Control = Tokenizer::ControlTokens;

constexpr unsigned char kBytes[] = {'a', 0x80, 0x98, 0x9F, 0xC3, 0xE2, 0xF0, 0xFF};

std::string lettersOf(const std::string& bytes) {
    std::string letters;
    for (const char byte : bytes)
        appendUtf8(letters, letterOfByte(static_cast<std::uint8_t>(byte)));
    return letters;
}

// A vocabulary of all strings of one to three bytes over kBytes, by text.
Tokenizer chunkTokenizer() {
    std::vector<test::SmallToken> tokens;
    for (const unsigned a : kBytes) {
        for (const unsigned b : kBytes) {
            std::string two = {static_cast<char>(a), static_cast<char>(b)};
            tokens.push_back({lettersOf(two)});
            for (const unsigned c : kBytes)
                tokens.push_back({lettersOf(two + static_cast<char>(c))});
        }
    }
    tokens.push_back({"<|end|>", 3});
    tokens.push_back({"<think>", 4});
    return test::tokenizerFrom(test::smallVocabulary(tokens, {}));
}

std::string decodedInChunks(const Tokenizer& tokenizer, const std::string& bytes, unsigned cuts) {
    StreamDecoder decoder(tokenizer, Control::Skip);
    std::string text;
    std::string chunk;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        chunk.push_back(bytes[i]);
        const bool cutHere = i + 1 == bytes.size() || ((cuts >> i) & 1U) != 0;
        if (!cutHere && chunk.size() < 3) continue;
        const DecodedText decoded = decoder.add(*tokenizer.find(lettersOf(chunk)));
        EXPECT_TRUE(isValidUtf8(decoded.text));
        text += decoded.text;
        chunk.clear();
    }
    return text + decoder.finish().text;
}

TEST(StreamDecoder, EverySplitOfEveryShortStringGivesTheWholeText) {
    const Tokenizer tokenizer = chunkTokenizer();
    constexpr std::size_t kCount = std::size(kBytes);
    std::size_t total = 1;
    for (unsigned length = 1; length <= 5; ++length) {
        total *= kCount;
        for (std::size_t number = 0; number < total; ++number) {
            std::string bytes;
            for (std::size_t rest = number, i = 0; i < length; ++i, rest /= kCount) {
                bytes.push_back(static_cast<char>(kBytes[rest % kCount]));
            }
            const std::string whole = withReplacements(bytes);
            for (unsigned cuts = 0; cuts < (1U << (length - 1)); ++cuts) {
                ASSERT_EQ(decodedInChunks(tokenizer, bytes, cuts), whole)
                    << "string " << number << " of length " << length << ", cuts " << cuts;
            }
        }
    }
}

TEST(StreamDecoder, AnEmojiLeavesWithItsLastToken) {
    const Tokenizer tokenizer = chunkTokenizer();
    StreamDecoder decoder(tokenizer, Control::Skip);
    EXPECT_EQ(decoder.add(TokenId('a')).firstToken, 0u);
    EXPECT_EQ(decoder.add(TokenId(0xF0)).text, "");
    EXPECT_EQ(decoder.add(TokenId(0x9F)).text, "");
    EXPECT_EQ(decoder.add(TokenId(0x98)).text, "");
    const DecodedText emoji = decoder.add(TokenId(0x80));
    EXPECT_EQ(emoji.text, "\xF0\x9F\x98\x80");
    EXPECT_EQ(emoji.firstToken, 1u);
    EXPECT_EQ(decoder.add(TokenId('a')).firstToken, 5u);
    EXPECT_EQ(decoder.finish().text, "");
}

TEST(StreamDecoder, ControlTokensAreSilentUserDefinedOnesAreText) {
    const Tokenizer tokenizer = chunkTokenizer();
    const std::vector<TokenId> ids = {*tokenizer.find("<|end|>"), *tokenizer.find("<think>")};
    EXPECT_EQ(tokenizer.decode(ids, Control::Skip), "<think>");
    EXPECT_EQ(tokenizer.decode(ids, Control::Show), "<|end|><think>");
}

TEST(StreamDecoder, AnUnfinishedCharacterBecomesOneReplacement) {
    const Tokenizer tokenizer = chunkTokenizer();
    EXPECT_EQ(tokenizer.decode({TokenId('a'), TokenId(0xF0), TokenId(0x9F)}, Control::Skip),
              "a\xEF\xBF\xBD");
    EXPECT_EQ(tokenizer.decode({TokenId(-1), TokenId(1 << 30)}, Control::Skip), "");
}

}  // namespace
}  // namespace agens::text
