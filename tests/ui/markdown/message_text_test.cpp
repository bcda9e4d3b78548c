// SPDX-License-Identifier: Apache-2.0
// MessageText: what cleaning does to each kind of character, however the bytes are split.
#include "app/ui/markdown/message_text.h"

#include <gtest/gtest.h>

#include <random>

#include "app/ui/markdown/utf8.h"

namespace agens::markdown {
namespace {

using std::string_view_literals::operator""sv;

std::string clean(std::string_view bytes, std::size_t pieceSize = std::string::npos) {
    MessageText text;
    for (std::size_t at = 0; at < bytes.size(); at += std::min(pieceSize, bytes.size())) {
        text.append(bytes.substr(at, pieceSize));
    }
    text.finish();
    return text.text();
}

TEST(MessageText, KeepsValidText) {
    const std::string text = "plain\tÄ 漢字 👋🏽\n";
    EXPECT_EQ(clean(text), text);
}

TEST(MessageText, EveryLineEndBecomesALineFeed) {
    EXPECT_EQ(clean("a\r\nb\rc\nd\u2028e\u2029f\r\r\ng"), "a\nb\nc\nd\ne\nf\n\ng");
}

TEST(MessageText, ControlCharactersAreRemovedAndNulIsShown) {
    EXPECT_EQ(clean("a\0b\x01\x1B[31m\x7F\u0085\u009F\v\fc"sv), "a\uFFFDb[31mc");
}

TEST(MessageText, InvalidBytesBecomeOneReplacementPerSequence) {
    EXPECT_EQ(clean("a\xFFz"), "a\uFFFDz");
    EXPECT_EQ(clean("\xE2\x82z"), "\uFFFDz");                // cut off: one
    EXPECT_EQ(clean("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate: no valid beginning
    EXPECT_EQ(clean("\xC0\xAF"), "\uFFFD\uFFFD");            // overlong
    EXPECT_EQ(clean("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
}

TEST(MessageText, TheMarksOfThePrePassCannotComeFromOutside) {
    EXPECT_EQ(clean("a\uFDD0b\uFDEFc"), "a\uFFFDb\uFFFDc");
}

TEST(MessageText, ACharacterWaitsForItsLastByte) {
    MessageText text;
    text.append("a\xF0\x9F");
    EXPECT_EQ(text.text(), "a");
    text.append("\x91\x8B");
    EXPECT_EQ(text.text(), "a👋");
}

TEST(MessageText, ACutOffEndBecomesOneReplacement) {
    EXPECT_EQ(clean("a\xF0\x9F\x91"), "a\uFFFD");
}

TEST(MessageText, RandomBytesGiveTheSameTextInAnyPieces) {
    constexpr unsigned kSeed = 7;
    std::mt19937 random(kSeed);
    constexpr std::string_view pool = "a\r\n\0\xC2\x85\xE2\x80\xA8\xED\xA0\xF0\x9F\x91\x8B\xFF"sv;
    for (int i = 0; i < 2000; ++i) {
        std::string bytes;
        for (unsigned k = 0; k < 12; ++k)
            bytes += pool[random() % pool.size()];
        const std::string whole = clean(bytes);
        for (const std::size_t size : {1U, 2U, 3U, 5U}) {
            ASSERT_EQ(clean(bytes, size), whole) << "seed " << kSeed << " text " << i;
        }
        for (std::string_view rest = whole; !rest.empty();) {
            const DecodedUtf8 decoded = decodeUtf8(rest);
            ASSERT_EQ(decoded.status, Utf8Status::Valid) << "seed " << kSeed << " text " << i;
            rest.remove_prefix(decoded.length);
        }
    }
}

TEST(MessageText, EveryCodePointSurvivesEncodingAndDecoding) {
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        std::string bytes;
        appendUtf8(bytes, c);
        const DecodedUtf8 decoded = decodeUtf8(bytes);
        ASSERT_EQ(decoded.status, Utf8Status::Valid);
        ASSERT_EQ(decoded.codePoint, c);
        ASSERT_EQ(decoded.length, bytes.size());
        ASSERT_EQ(codePointBefore(bytes, bytes.size()), c);
    }
}

TEST(MessageText, StopsAtItsLimit) {
    MessageText text;
    const std::string megabyte(1024 * 1024, 'x');
    for (int i = 0; i < 16; ++i)
        text.append(megabyte);
    EXPECT_FALSE(text.isFull());
    text.append("y");
    EXPECT_TRUE(text.isFull());
    EXPECT_EQ(text.text().size(), kMessageBytes);
}

}  // namespace
}  // namespace agens::markdown
