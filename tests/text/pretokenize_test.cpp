// SPDX-License-Identifier: Apache-2.0
// The hand-written scanners against the patterns themselves, run by ICU's regex engine: every
// string of up to five characters over one character of each class, then long random strings.
#include <gtest/gtest.h>
#include <unicode/regex.h>
#include <unicode/uchar.h>

#include <random>

#include "engine/text/pretokenize.h"
#include "engine/text/unicode_table.h"
#include "engine/text/utf8.h"

namespace agens::text {
namespace {

struct PatternCase {
    const char* name;
    PreTokenizer kind;
    std::string pattern;
    bool numbersFirst;  // every \p{N} is split off before
};

// Replaces \s and \S by the list of models-text 1.3: ICU's own \s is another set.
std::string withOwnSpace(std::string pattern) {
    const std::string space =
        "\\u0009-\\u000D\\u0020\\u0085\\u00A0\\u1680\\u2000-"
        "\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000";
    std::string result;
    bool inSet = false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '[') inSet = true;
        if (pattern[i] == ']') inSet = false;
        const std::string two = pattern.substr(i, 2);
        if (two == "\\s") {
            result += inSet ? space : "[" + space + "]";
            ++i;
        } else if (two == "\\S") {
            result += "[^" + space + "]";
            ++i;
        } else {
            result += pattern[i];
        }
    }
    return result;
}

const char* const kGpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

std::vector<PatternCase> patternCases() {
    const std::string head = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|)";
    const std::string tail = R"(\s*[\r\n]+|\s+(?!\S)|\s+)";
    const std::string letters = R"([^\r\n\p{L}\p{N}]?\p{L}+|)";
    const std::string others = R"( ?[^\s\p{L}\p{N}]+[\r\n]*|)";
    return {
        {"gpt2", PreTokenizer::Gpt2, kGpt2, false},
        {"smollm", PreTokenizer::SmolLm, kGpt2, true},
        {"llama3", PreTokenizer::Llama3, head + letters + R"(\p{N}{1,3}|)" + others + tail, false},
        {"qwen2", PreTokenizer::Qwen2, head + letters + R"(\p{N}|)" + others + tail, false},
        {"qwen35", PreTokenizer::Qwen35,
         head + R"([^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|)" + tail,
         false},
    };
}

class RegexOracle {
 public:
    explicit RegexOracle(const PatternCase& tested) : m_numbersFirst(tested.numbersFirst) {
        UErrorCode status = U_ZERO_ERROR;
        m_matcher = std::make_unique<icu::RegexMatcher>(
            icu::UnicodeString::fromUTF8(withOwnSpace(tested.pattern)), 0u, status);
        EXPECT_TRUE(U_SUCCESS(status)) << u_errorName(status);
    }

    std::vector<std::string> split(const std::string& text) {
        if (!m_numbersFirst) return splitPlain(text);
        std::vector<std::string> pieces;
        std::string waiting;
        const auto flush = [&] {
            for (auto& piece : splitPlain(waiting))
                pieces.push_back(piece);
            waiting.clear();
        };
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t begin = at;
            const char32_t c = nextCharacter(text, at);
            if ((U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_N_MASK) != 0) {
                flush();
                pieces.push_back(text.substr(begin, at - begin));
            } else {
                waiting += text.substr(begin, at - begin);
            }
        }
        flush();
        return pieces;
    }

 private:
    std::vector<std::string> splitPlain(const std::string& text) {
        const icu::UnicodeString wide = icu::UnicodeString::fromUTF8(text);
        m_matcher->reset(wide);
        std::vector<std::string> pieces;
        UErrorCode status = U_ZERO_ERROR;
        std::int32_t covered = 0;
        while (m_matcher->find(status)) {
            EXPECT_EQ(m_matcher->start(status), covered);
            covered = m_matcher->end(status);
            m_matcher->group(status).toUTF8String(pieces.emplace_back());
        }
        EXPECT_EQ(covered, wide.length());
        return pieces;
    }

    bool m_numbersFirst;
    std::unique_ptr<icu::RegexMatcher> m_matcher;
};

std::vector<std::string> splitByScanner(PreTokenizer kind, const std::string& text) {
    std::vector<std::string> pieces;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = endOfPreToken(kind, text, from);
        pieces.push_back(text.substr(from, end - from));
        from = end;
    }
    return pieces;
}

class PreTokenizerTest : public testing::TestWithParam<PatternCase> {};

TEST_P(PreTokenizerTest, EveryShortStringSplitsLikeThePattern) {
    const std::u32string alphabet = U" \n\r\ts'!1aE\u0301\u00A0\u4F60\u00BD";
    RegexOracle oracle(GetParam());
    std::size_t total = 1;
    for (int length = 1; length <= 4; ++length) {
        total *= alphabet.size();
        for (std::size_t number = 0; number < total; ++number) {
            std::string text;
            for (std::size_t rest = number, i = 0; i < static_cast<std::size_t>(length); ++i) {
                appendUtf8(text, alphabet[rest % alphabet.size()]);
                rest /= alphabet.size();
            }
            ASSERT_EQ(splitByScanner(GetParam().kind, text), oracle.split(text)) << text;
        }
    }
}

TEST_P(PreTokenizerTest, RandomStringsSplitLikeThePattern) {
    const std::u32string alphabet =
        U"     \n\n\r\t''''stremvldSTREMVLD!?.-_<|>0123abcXYZ\u0301\u00A0\u3000\u2028\u200B\uFEFF"
        U"\u017F\u4F60\u00BD\u0663\u2167\u0928\u093F\u180E\u001C\U0001F600\U00040000";
    constexpr unsigned kSeed = 20260314;
    std::mt19937 random(kSeed);
    RegexOracle oracle(GetParam());
    for (int round = 0; round < 4000; ++round) {
        std::string text;
        const std::size_t length = 1 + random() % 40;
        while (text.size() < length)
            appendUtf8(text, alphabet[random() % alphabet.size()]);
        ASSERT_EQ(splitByScanner(GetParam().kind, text), oracle.split(text))
            << "seed " << kSeed << " round " << round << ": " << text;
    }
}

INSTANTIATE_TEST_SUITE_P(All, PreTokenizerTest, testing::ValuesIn(patternCases()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(UnicodeTable, AgreesWithIcuOnEveryCodePoint) {
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        const std::uint32_t category = U_GET_GC_MASK(static_cast<UChar32>(c));
        CharClass expected = CharClass::Other;
        if ((category & U_GC_L_MASK) != 0) expected = CharClass::Letter;
        if ((category & U_GC_N_MASK) != 0) expected = CharClass::Number;
        if ((category & U_GC_M_MASK) != 0) expected = CharClass::Mark;
        if (isSpace(c)) expected = CharClass::Space;
        ASSERT_EQ(classOf(c), expected) << "U+" << std::hex << static_cast<std::uint32_t>(c);
    }
}

TEST(PreTokenizer, NamesOfFiles) {
    EXPECT_EQ(preTokenizerNamed("smollm"), PreTokenizer::SmolLm);
    EXPECT_EQ(preTokenizerNamed("llama-bpe"), PreTokenizer::Llama3);
    EXPECT_EQ(preTokenizerNamed("default"), std::nullopt);
    EXPECT_EQ(preTokenizerNamed(""), std::nullopt);
}

}  // namespace
}  // namespace agens::text
