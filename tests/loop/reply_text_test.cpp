// SPDX-License-Identifier: Apache-2.0
// Stop strings and held-back text: all short texts over two letters, cut into tokens in every way,
// against a rule that looks at the whole text after each token.
#include <gtest/gtest.h>

#include "engine/loop/reply_text.h"
#include "tests/loop/byte_vocabulary.h"

namespace agens::loop {
namespace {

using engine::Channel;

constexpr std::size_t kLongest = 4;  // letters of a token

// Every text over {a, b} of 1 … kLongest letters is a token.
struct LetterWorld {
    LetterWorld() : words(allWords()), vocabulary(words, {"<|im_end|>", "<open>", "<close>"}) {}

    static std::vector<std::string> allWords() {
        std::vector<std::string> words;
        for (std::size_t length = 2; length <= kLongest; ++length) {
            for (std::size_t bits = 0; bits < (1U << length); ++bits)
                words.push_back(word(bits, length));
        }
        return words;
    }
    static std::string word(std::size_t bits, std::size_t length) {
        std::string text;
        for (std::size_t i = 0; i < length; ++i)
            text += (bits >> i) & 1 ? 'b' : 'a';
        return text;
    }
    TokenId idOf(const std::string& text) const {
        if (text.size() == 1) return TokenId(static_cast<std::uint8_t>(text[0]));
        const auto at = std::find(words.begin(), words.end(), text) - words.begin();
        return TokenId(static_cast<std::int32_t>(256 + at));
    }

    std::vector<std::string> words;
    test::ByteVocabulary vocabulary;
};

const LetterWorld& world() {
    static const LetterWorld all;
    return all;
}

// `cuts` bit i: a token ends after letter i.
std::vector<std::string> cut(const std::string& text, std::size_t cuts) {
    std::vector<std::string> tokens(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        tokens.back() += text[i];
        const bool ends = (cuts >> i) & 1 || tokens.back().size() == kLongest;
        if (ends && i + 1 < text.size()) tokens.emplace_back();
    }
    return tokens;
}

struct Outcome {
    std::string text;
    std::string stop;
    std::size_t tokens = 0;  // until the stop
    std::size_t kept = 0;
    bool operator==(const Outcome&) const = default;
};

Outcome wholeTextRule(const std::vector<std::string>& tokens,
                      const std::vector<std::string>& stops) {
    Outcome outcome;
    std::string whole;
    for (const std::string& token : tokens) {
        whole += token;
        ++outcome.tokens;
        std::size_t begin = std::string::npos;
        for (const std::string& stop : stops) {
            const std::size_t found = whole.find(stop);
            if (found == std::string::npos) continue;
            if (found < begin || (found == begin && stop.size() > outcome.stop.size())) {
                begin = found;
                outcome.stop = stop;
            }
        }
        if (begin == std::string::npos) continue;
        outcome.text = whole.substr(0, begin);
        for (std::size_t end = 0; end <= begin && outcome.kept < tokens.size(); ++outcome.kept) {
            end += tokens[outcome.kept].size();
            if (end > begin) break;
        }
        return outcome;
    }
    outcome.text = whole;
    outcome.kept = tokens.size();
    return outcome;
}

Outcome streamed(const std::vector<std::string>& tokens, const std::vector<std::string>& stops) {
    ReplyText text(world().vocabulary.tokenizer, stops, {}, false);
    Outcome outcome;
    ReleasedText released;
    std::vector<TokenId> ids;
    for (const std::string& token : tokens) {
        ids.push_back(world().idOf(token));
        ++outcome.tokens;
        const auto match = text.add(ids.back(), released);
        outcome.text += released.text;
        if (!match) continue;
        outcome.stop = stops[match->stop];
        outcome.kept = tokensBefore(match->offset, ids, world().vocabulary.tokenizer, {}, false);
        return outcome;
    }
    text.finish(released);
    outcome.text += released.text;
    outcome.kept = tokens.size();
    return outcome;
}

TEST(ReplyText, FindsStopStringsHoweverTheTextIsCut) {
    const std::vector<std::vector<std::string>> stopSets = {
        {"a"},           {"ab"},      {"bb"},        {"aba"},
        {"abab", "bab"}, {"b", "ba"}, {"aab", "ab"}, {"bbaa", "aa"}};
    std::size_t cases = 0;
    for (std::size_t length = 1; length <= 7; ++length) {
        for (std::size_t bits = 0; bits < (1U << length); ++bits) {
            const std::string text = LetterWorld::word(bits, length);
            for (std::size_t cuts = 0; cuts < (1U << (length - 1)); ++cuts) {
                const auto tokens = cut(text, cuts);
                for (const auto& stops : stopSets) {
                    ASSERT_EQ(streamed(tokens, stops), wholeTextRule(tokens, stops))
                        << text << " cuts " << cuts << " stop " << stops[0];
                    ++cases;
                }
            }
        }
    }
    EXPECT_GT(cases, 80000u);
}

TEST(ReplyText, HoldsBackOnlyWhatCouldBecomeAStopString) {
    const std::vector<std::string> stops = {"abb"};
    ReplyText text(world().vocabulary.tokenizer, stops, {}, false);
    ReleasedText released;
    text.add(world().idOf("ba"), released);
    EXPECT_EQ(released.text, "b");
    text.add(world().idOf("a"), released);
    EXPECT_EQ(released.text, "a");
    text.add(world().idOf("ba"), released);
    EXPECT_EQ(released.text, "ab");
    text.finish(released);
    EXPECT_EQ(released.text, "a");
}

TEST(ReplyText, CharacterCutByATokenLeavesWhole) {
    const test::ByteVocabulary bytes;
    ReplyText text(bytes.tokenizer, {}, {}, false);
    ReleasedText released;
    text.add(TokenId(0xC3), released);
    EXPECT_EQ(released.text, "");
    text.add(TokenId(0xA9), released);
    EXPECT_EQ(released.text, "é");
    text.add(TokenId(0xC3), released);
    text.finish(released);
    EXPECT_EQ(released.text, "\xEF\xBF\xBD");
}

TEST(ReplyText, TokenThatBeganACharacterOfTheMatchIsNotKept) {
    const test::ByteVocabulary bytes;
    const auto ids = test::byteIds("xé");
    EXPECT_EQ(tokensBefore(1, ids, bytes.tokenizer, {}, false), 1u);
    EXPECT_EQ(tokensBefore(3, ids, bytes.tokenizer, {}, false), 3u);
}

TEST(ReplyText, ReasoningIsItsOwnChannelAndHasNoStopStrings) {
    const text::Tokenizer& tokenizer = world().vocabulary.tokenizer;
    const ReasoningMarks marks{tokenizer.find("<open>"), tokenizer.find("<close>")};
    ASSERT_TRUE(marks.open && marks.close);
    const std::vector<std::string> stops = {"ab"};
    ReplyText text(tokenizer, stops, marks, false);
    ReleasedText released;
    text.add(*marks.open, released);
    EXPECT_FALSE(text.add(world().idOf("ab"), released));
    EXPECT_EQ(released.channel, Channel::Reasoning);
    EXPECT_EQ(released.text, "ab");
    text.add(*marks.close, released);
    text.add(world().idOf("ba"), released);
    EXPECT_EQ(released.channel, Channel::Text);
    const auto match = text.add(world().idOf("b"), released);
    ASSERT_TRUE(match);
    EXPECT_EQ(match->offset, 1u) << "visible text only";
    const std::vector<TokenId> ids = {*marks.open, world().idOf("ab"), *marks.close,
                                      world().idOf("ba"), world().idOf("b")};
    EXPECT_EQ(tokensBefore(1, ids, tokenizer, marks, false), 3u);
}

TEST(ReplyText, CopiesAreIndependent) {
    const std::vector<std::string> stops = {"ab"};
    ReplyText original(world().vocabulary.tokenizer, stops, {}, false);
    ReleasedText released;
    original.add(world().idOf("a"), released);
    ReplyText copy = original;
    EXPECT_TRUE(copy.add(world().idOf("b"), released));
    EXPECT_FALSE(original.add(world().idOf("a"), released));
    EXPECT_EQ(released.text, "a");
}

}  // namespace
}  // namespace agens::loop
