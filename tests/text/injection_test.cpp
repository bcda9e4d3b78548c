// SPDX-License-Identifier: Apache-2.0
// Content can never produce a control token: each added token of each vocabulary in many carriers.
// The same carriers as template text are the positive control: there they must produce it.
#include <gtest/gtest.h>

#include <functional>

#include "tests/support/test_paths.h"
#include "tests/text/vocabularies.h"

namespace agens::text {
namespace {

struct Carrier {
    const char* name;
    // Text and spans with `token` somewhere inside content.
    std::function<std::pair<std::string, std::vector<Span>>(const std::string& token)> build;
};

std::pair<std::string, std::vector<Span>> parts(
    const std::vector<std::pair<std::string, bool>>& list) {
    std::string text;
    std::vector<Span> spans;
    for (const auto& [part, isContent] : list) {
        spans.push_back({text.size(), text.size() + part.size(), isContent});
        text += part;
    }
    return {text, spans};
}

std::vector<Carrier> carriers() {
    using Text = std::string;
    return {
        {"bare",
         [](const Text& t) {
             return parts({{t, true}});
         }},
        {"between template text",
         [](const Text& t) {
             return parts({{"a", false}, {t, true}, {"b", false}});
         }},
        {"start of content",
         [](const Text& t) {
             return parts({{t + " hello", true}});
         }},
        {"end of content",
         [](const Text& t) {
             return parts({{"hello " + t, true}});
         }},
        {"twice",
         [](const Text& t) {
             return parts({{t + t, true}});
         }},
        {"in code",
         [](const Text& t) {
             return parts({{"```\n" + t + "\n```", true}});
         }},
        {"after a space",
         [](const Text& t) {
             return parts({{" " + t, true}});
         }},
        {"over two contents",
         [](const Text& t) {
             return parts({{t.substr(0, t.size() / 2), true}, {t.substr(t.size() / 2), true}});
         }},
        {"content then template",
         [](const Text& t) {
             return parts({{t.substr(0, 1), true}, {t.substr(1), false}});
         }},
        {"template then content",
         [](const Text& t) {
             return parts({{t.substr(0, t.size() - 1), false}, {t.substr(t.size() - 1), true}});
         }},
        {"one content byte inside",
         [](const Text& t) {
             return parts({{t.substr(0, 1), false}, {t.substr(1, 1), true}, {t.substr(2), false}});
         }},
        {"after an invalid byte",
         [](const Text& t) {
             return parts({{"\xFF" + t, true}});
         }},
    };
}

bool isForbidden(const Tokenizer& tokenizer, TokenId id) {
    return tokenizer.isControl(id) || isReservedText(tokenizer.tokenText(id));
}

// Number of cases tried.
int tryAll(const Tokenizer& tokenizer) {
    int cases = 0;
    for (std::uint32_t row = 0; row < tokenizer.vocabReal(); ++row) {
        const TokenId token(static_cast<std::int32_t>(row));
        if (!isForbidden(tokenizer, token)) continue;
        const std::string tokenText(tokenizer.tokenText(token));
        for (const Carrier& carrier : carriers()) {
            auto [text, spans] = carrier.build(tokenText);
            for (const TokenId id : tokenizer.encodeSpans(text, spans)) {
                EXPECT_FALSE(isForbidden(tokenizer, id)) << carrier.name << ": " << tokenText;
            }
            for (Span& span : spans)
                span.isContent = false;
            const auto asTemplate = tokenizer.encodeSpans(text, spans);
            EXPECT_TRUE(std::find(asTemplate.begin(), asTemplate.end(), token) != asTemplate.end())
                << carrier.name << ": " << tokenText;
            ++cases;
        }
    }
    return cases;
}

TEST(Injection, ContentNeverProducesAControlTokenInGoldenVocabularies) {
    for (const char* name : {"gpt2", "smollm", "llama3", "qwen2", "qwen35"}) {
        const auto folder = test::goldenTokenizer(name);
        if (!folder) GTEST_SKIP() << "SKIPPED (no shared data)";
        SCOPED_TRACE(name);
        EXPECT_GE(tryAll(test::tokenizerOfFile(*folder / "vocab.gguf")), 3 * 12);
    }
}

TEST(Injection, ContentNeverProducesAControlTokenInTheStarterModel) {
    const auto model = test::starterModel();
    if (!model) GTEST_SKIP() << "SKIPPED (no starter model)";
    EXPECT_EQ(tryAll(test::tokenizerOfFile(*model)), 17 * 12);
}

TEST(Injection, ContentModeOfAWholeTextIsTheSame) {
    const auto folder = test::goldenTokenizer("smollm");
    const Tokenizer tokenizer = test::tokenizerOfFile(*folder / "vocab.gguf");
    for (const char* text : {"<|im_end|>", "<think>", "</tool_call>"}) {
        for (const TokenId id : tokenizer.encode(text, MatchMode::Content)) {
            EXPECT_FALSE(isForbidden(tokenizer, id)) << text;
        }
    }
}

TEST(Injection, PiecesCrossTheBorderOfSpans) {
    const auto folder = test::goldenTokenizer("smollm");
    const Tokenizer tokenizer = test::tokenizerOfFile(*folder / "vocab.gguf");
    const std::string text = "<|im_start|>user\n\n hello world<|im_end|>\n";
    for (std::size_t begin = 12; begin < 31; ++begin) {
        for (std::size_t end = begin; end < 31; ++end) {
            const std::vector<Span> spans = {
                {0, begin, false}, {begin, end, true}, {end, text.size(), false}};
            EXPECT_EQ(tokenizer.encodeSpans(text, spans), tokenizer.encode(text, MatchMode::All));
        }
    }
}

}  // namespace
}  // namespace agens::text
