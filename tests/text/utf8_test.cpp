// SPDX-License-Identifier: Apache-2.0
// UTF-8 stepping against ICU's own reader, on all short byte strings over the bytes that matter.
#include <gtest/gtest.h>
#include <unicode/bytestream.h>
#include <unicode/unistr.h>

#include "engine/text/utf8.h"

namespace agens::text {
namespace {

// Every border of table 3-7, and bytes beyond them.
constexpr unsigned char kBytes[] = {0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2,
                                    0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF};

std::string replacedByIcu(const std::string& bytes) {
    // ICU follows the same rule (W3C) for ill-formed sequences.
    std::string clean;
    icu::UnicodeString::fromUTF8(bytes).toUTF8String(clean);
    return clean;
}

TEST(Utf8, ReplacesMaximalPartsLikeIcu) {
    constexpr std::size_t kCount = std::size(kBytes);
    for (std::size_t number = 0; number < kCount * kCount * kCount * kCount; ++number) {
        std::string bytes;
        for (std::size_t rest = number, i = 0; i < 4; ++i, rest /= kCount) {
            bytes.push_back(static_cast<char>(kBytes[rest % kCount]));
        }
        ASSERT_EQ(withReplacements(bytes), replacedByIcu(bytes)) << "string " << number;
        ASSERT_EQ(isValidUtf8(bytes), withReplacements(bytes) == bytes);
    }
}

TEST(Utf8, EveryCharacterReadsBackAsWritten) {
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        std::string text;
        appendUtf8(text, c);
        const Utf8Step step = readUtf8(text, 0);
        ASSERT_EQ(step.kind, Utf8Step::Kind::Character);
        ASSERT_EQ(step.codePoint, c);
        std::size_t at = 0;
        ASSERT_EQ(nextCharacter(text, at), c);
        ASSERT_EQ(at, text.size());
    }
}

TEST(Utf8, TellsUnfinishedFromWrong) {
    EXPECT_EQ(readUtf8("\xF0\x9F\x98", 0).kind, Utf8Step::Kind::Incomplete);
    EXPECT_EQ(readUtf8("\xF0\x9F\x98", 0).bytes, 3);
    EXPECT_EQ(readUtf8("\xE0\x80", 0).kind, Utf8Step::Kind::Invalid);
    EXPECT_EQ(readUtf8("\xE0\x80", 0).bytes, 1);
}

}  // namespace
}  // namespace agens::text
