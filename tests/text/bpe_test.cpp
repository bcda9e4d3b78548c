// SPDX-License-Identifier: Apache-2.0
// BPE against a naive merger that rescans everything after every merge: all strings over a tiny
// alphabet, with merge lists that tie, overlap and nest; long strings through the heap as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "engine/text/bpe.h"

namespace agens::text {
namespace {

// Tokens "a" "b" "c" and the results of random merges of what exists already.
Bpe::Parts randomParts(std::mt19937& random, std::size_t merges) {
    Bpe::Parts parts;
    parts.tokenBytes = {"a", "b", "c"};
    while (parts.merges.size() < merges) {
        const std::size_t left = random() % parts.tokenBytes.size();
        const std::size_t right = random() % parts.tokenBytes.size();
        const std::string bytes = parts.tokenBytes[left] + parts.tokenBytes[right];
        auto found = std::find(parts.tokenBytes.begin(), parts.tokenBytes.end(), bytes);
        if (found == parts.tokenBytes.end()) {
            parts.tokenBytes.push_back(bytes);
            found = std::prev(parts.tokenBytes.end());
        }
        parts.merges.push_back({TokenId(static_cast<int>(left)), TokenId(static_cast<int>(right)),
                                TokenId(static_cast<int>(found - parts.tokenBytes.begin()))});
    }
    return parts;
}

std::vector<TokenId> naive(const Bpe::Parts& parts, const std::string& text) {
    std::vector<TokenId> ids;
    for (const char byte : text) {
        const auto found =
            std::find(parts.tokenBytes.begin(), parts.tokenBytes.end(), std::string(1, byte));
        if (found == parts.tokenBytes.end()) continue;
        ids.emplace_back(static_cast<int>(found - parts.tokenBytes.begin()));
    }
    for (bool merged = true; merged;) {
        merged = false;
        for (const Merge& merge : parts.merges) {
            for (std::size_t i = 0; i + 1 < ids.size() && !merged; ++i) {
                if (ids[i] != merge.left || ids[i + 1] != merge.right) continue;
                ids[i] = merge.merged;
                ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(i) + 1);
                merged = true;
            }
            if (merged) break;
        }
    }
    return ids;
}

std::vector<TokenId> encoded(const Bpe& bpe, const std::string& text) {
    std::vector<TokenId> ids;
    bpe.encode(text, ids);
    return ids;
}

TEST(Bpe, EveryShortStringMergesLikeTheNaiveRule) {
    std::mt19937 random(7);
    for (int vocabulary = 0; vocabulary < 12; ++vocabulary) {
        const Bpe::Parts parts = randomParts(random, 3 + static_cast<std::size_t>(vocabulary));
        const Bpe bpe(parts);
        for (int length = 1, total = 3; length <= 7; ++length, total *= 3) {
            for (int number = 0; number < total; ++number) {
                std::string text;
                for (int rest = number, i = 0; i < length; ++i, rest /= 3) {
                    text.push_back(static_cast<char>('a' + rest % 3));
                }
                ASSERT_EQ(encoded(bpe, text), naive(parts, text)) << vocabulary << ": " << text;
            }
        }
    }
}

TEST(Bpe, LongPreTokensMergeLikeTheNaiveRule) {
    constexpr unsigned kSeed = 11;
    std::mt19937 random(kSeed);
    for (int round = 0; round < 300; ++round) {
        const Bpe::Parts parts = randomParts(random, 10);
        const Bpe bpe(parts);
        std::string text;
        for (std::size_t i = 0; i < 33 + random() % 60; ++i) {
            text.push_back(static_cast<char>('a' + random() % 3));
        }
        ASSERT_EQ(encoded(bpe, text), naive(parts, text)) << "seed " << kSeed << ": " << text;
    }
}

TEST(Bpe, AByteWithoutATokenVanishesBeforeMerging) {
    const Bpe bpe({.tokenBytes = {"a", "b", "ab"},
                   .merges = {{TokenId(0), TokenId(1), TokenId(2)}},
                   .ignoreMerges = false});
    EXPECT_EQ(encoded(bpe,
                      "a\x04"
                      "b"),
              std::vector{TokenId(2)});
    EXPECT_TRUE(encoded(bpe, "\x04").empty());
}

TEST(Bpe, AWholeTokenNeedsItsMergesUnlessTheModelIgnoresThem) {
    Bpe::Parts parts = {.tokenBytes = {"a", "b", "ab"}, .merges = {}, .ignoreMerges = false};
    EXPECT_EQ(encoded(Bpe(parts), "ab"), (std::vector{TokenId(0), TokenId(1)}));
    parts.ignoreMerges = true;
    EXPECT_EQ(encoded(Bpe(parts), "ab"), std::vector{TokenId(2)});
}

TEST(Bpe, OneMillionEqualLettersTakeNoQuadraticTime) {
    const Bpe bpe(
        {.tokenBytes = {"a", "aa", "aaaa"},
         .merges = {{TokenId(0), TokenId(0), TokenId(1)}, {TokenId(1), TokenId(1), TokenId(2)}},
         .ignoreMerges = false});
    EXPECT_EQ(encoded(bpe, std::string(1'000'000, 'a')).size(), 250'000u);
}

}  // namespace
}  // namespace agens::text
