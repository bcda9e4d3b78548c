// SPDX-License-Identifier: Apache-2.0
// The search for added tokens against the rule spelled out: at every place the longest allowed
// text.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "engine/text/added_tokens.h"

namespace agens::text {
namespace {

struct Known {
    std::string text;
    AddedKind kind;
};

bool liesInTemplate(const std::vector<Span>& spans, std::size_t begin, std::size_t end) {
    for (const Span& span : spans) {
        const bool overlaps = span.begin < end && begin < span.end;
        if (overlaps && span.isContent) return false;
    }
    return true;
}

std::vector<std::array<std::size_t, 3>> naive(const std::vector<Known>& tokens,
                                              const std::string& text,
                                              const std::vector<Span>& spans, bool allowControl) {
    std::vector<std::array<std::size_t, 3>> matches;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t longest = 0;
        std::size_t id = 0;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const Known& token = tokens[i];
            if (text.compare(begin, token.text.size(), token.text) != 0) continue;
            const bool isTemplate = liesInTemplate(spans, begin, begin + token.text.size());
            if (token.kind == AddedKind::Control && (!allowControl || !isTemplate)) continue;
            if (token.kind == AddedKind::Reserved && !isTemplate) continue;
            if (token.text.size() > longest) {
                longest = token.text.size();
                id = i;
            }
        }
        if (longest > 0) matches.push_back({begin, begin + longest, id});
        begin += longest > 0 ? longest : 1;
    }
    return matches;
}

std::vector<std::array<std::size_t, 3>> found(const AddedTokens& added, const std::string& text,
                                              const std::vector<Span>& spans, bool allowControl) {
    std::vector<std::array<std::size_t, 3>> matches;
    for (const auto& match : added.find(text, spans, allowControl)) {
        matches.push_back({match.begin, match.end, static_cast<std::size_t>(match.id.value)});
    }
    return matches;
}

std::string randomText(std::mt19937& random, std::size_t length) {
    std::string text;
    while (text.size() < length)
        text.push_back("ab<"[random() % 3]);
    return text;
}

std::vector<Span> randomSpans(std::mt19937& random, std::size_t size) {
    std::vector<Span> spans;
    for (std::size_t at = 0; at < size;) {
        const std::size_t end = std::min(size, at + 1 + random() % 6);
        spans.push_back({at, end, random() % 2 == 0});
        at = end;
    }
    return spans;
}

TEST(AddedTokens, FindsWhatTheRuleFinds) {
    constexpr unsigned kSeed = 5;
    std::mt19937 random(kSeed);
    for (int round = 0; round < 20'000; ++round) {
        std::map<std::string, AddedKind> distinct;
        while (distinct.size() < 5) {
            distinct.emplace(randomText(random, 1 + random() % 5), AddedKind(random() % 3));
        }
        std::vector<Known> tokens;
        AddedTokens added;
        for (const auto& [text, kind] : distinct) {
            added.add(text, TokenId(static_cast<int>(tokens.size())), kind);
            tokens.push_back({text, kind});
        }
        const std::string text = randomText(random, 1 + random() % 14);
        const std::vector<Span> spans = randomSpans(random, text.size());
        for (const bool allowControl : {true, false}) {
            ASSERT_EQ(found(added, text, spans, allowControl),
                      naive(tokens, text, spans, allowControl))
                << "seed " << kSeed << " round " << round << ": " << text;
        }
    }
}

TEST(AddedTokens, NeighbouringTemplateSpansAreOneText) {
    AddedTokens added;
    added.add("<a>", TokenId(0), AddedKind::Control);
    EXPECT_EQ(added.find("<a>", {{0, 1, false}, {1, 3, false}}, true).size(), 1u);
    EXPECT_TRUE(added.find("<a>", {{0, 2, false}, {2, 3, true}}, true).empty());
}

TEST(AddedTokens, TextsBeyondTheLimitAreRefused) {
    AddedTokens added;
    EXPECT_FALSE(added.add("", TokenId(0), AddedKind::Control));
    EXPECT_TRUE(
        added.add(std::string(AddedTokens::kLongestMatched, 'a'), TokenId(0), AddedKind::Control));
    EXPECT_FALSE(added.add(std::string(AddedTokens::kLongestMatched + 1, 'a'), TokenId(0),
                           AddedKind::Control));
}

}  // namespace
}  // namespace agens::text
