// SPDX-License-Identifier: Apache-2.0
// A streaming message: every prefix equals the whole parse, ids are stable, diffs are small, and
// the cost of an update does not grow with the message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "app/ui/markdown/utf8.h"
#include "tests/ui/markdown/block_printing.h"
#include "tests/ui/markdown/sample_reply.h"

namespace agens::markdown {
namespace {

using testing::ElementsAre;

std::vector<std::string> blocksOf(const MessageBlocks& message) {
    std::vector<std::string> lines;
    for (const IdentifiedBlock& entry : message.blocks())
        lines.push_back(describe(*entry.block));
    return lines;
}

std::string changesOf(const BlockDiff& diff) {
    std::string text;
    for (const BlockChange& change : diff.changes) {
        constexpr const char* kNames[] = {"insert", "replace", "remove"};
        if (!text.empty()) text += ", ";
        text += kNames[static_cast<int>(change.kind)];
        text += " " + std::to_string(change.index) + "#";
        text += std::to_string(static_cast<std::uint64_t>(change.id));
    }
    return text;
}

TEST(Stream, EveryPrefixOfTheSampleEqualsTheWholeParse) {
    const std::string text = sampleReply();
    CheckedStream stream;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = decodeUtf8(std::string_view(text).substr(at)).length;
        ASSERT_EQ(stream.append(std::string_view(text).substr(at, length)), "") << at;
        at += length;
        ASSERT_EQ(describe(stream.blocks()), describe(parseAtOnce(text.substr(0, at)))) << at;
    }
    EXPECT_GT(stream.message().closedBlocks(), 20U);
}

TEST(Stream, ClosedBlocksOfEveryPrefixAreThoseOfTheFinishedMessage) {
    const std::string text = sampleReply();
    const std::vector<Block> final = parseMessage(text);
    MessageBlocks message;
    for (const char c : text) {
        message.append(std::string_view(&c, 1));
        for (std::size_t i = 0; i < message.closedBlocks(); ++i) {
            ASSERT_EQ(*message.blocks()[i].block, final[i]);
        }
    }
}

TEST(Stream, TextInTheTailReplacesItsBlockAndKeepsTheId) {
    MessageBlocks message;
    EXPECT_EQ(changesOf(message.append("Hel")), "insert 0#1");
    EXPECT_EQ(changesOf(message.append("lo")), "replace 0#1");
    EXPECT_EQ(changesOf(message.append("\n\nsecond")), "insert 1#2");
    EXPECT_EQ(changesOf(message.append(" line")), "replace 1#2");
    EXPECT_EQ(changesOf(message.append("")), "");
    EXPECT_EQ(changesOf(message.finish()), "");
}

TEST(Stream, AnotherShapeIsAnotherBlock) {
    MessageBlocks message;
    message.append("|a|\n");
    EXPECT_EQ(changesOf(message.append("|---|\n")), "remove 0#1, insert 0#2");
    EXPECT_THAT(blocksOf(message), ElementsAre("Table| //0a"));
}

TEST(Stream, AParagraphThatBecomesAHeadingStaysTheSameBlock) {
    MessageBlocks message;
    message.append("title\n");
    EXPECT_EQ(changesOf(message.append("==\n")), "replace 0#1");
    EXPECT_THAT(blocksOf(message), ElementsAre("Heading1|title"));
}

TEST(Stream, ADefinitionAtTheEndResolvesTheLinksBeforeIt) {
    MessageBlocks message;
    message.append("see [a][r]\n\nmore\n\nend\n\n[r]: https://x.y\n");
    EXPECT_EQ(changesOf(message.finish()), "");  // one window: md4c saw it all
    MessageBlocks pieces;
    for (const char* piece : {"see [a][r]\n\n", "more\n\n", "end\n\n", "[r]: https://x.y\n"}) {
        pieces.append(piece);
    }
    EXPECT_THAT(blocksOf(pieces),
                ElementsAre("Paragraph|see [a][r]", "Paragraph|more", "Paragraph|end"));
    EXPECT_EQ(changesOf(pieces.finish()), "replace 0#1");
    EXPECT_EQ(blocksOf(pieces), blocksOf(message));
}

TEST(Stream, IdsGoOnWhereAnotherMessageEnded) {
    MessageBlocks first;
    first.append("a\n\nb");
    MessageBlocks second(first.nextId());
    EXPECT_EQ(changesOf(second.append("c")), "insert 0#3");
}

struct Means {
    double bytes = 0;
    double changes = 0;
    double events = 0;
};

// Means over the updates [begin, end).
Means meansOf(const std::vector<BlockDiff>& updates, std::size_t begin, std::size_t end) {
    Means means;
    for (std::size_t i = begin; i < end; ++i) {
        means.bytes += static_cast<double>(updates[i].cost.bytesParsed);
        means.events += static_cast<double>(updates[i].cost.events);
        means.changes += static_cast<double>(updates[i].changes.size());
    }
    const auto count = static_cast<double>(end - begin);
    return {means.bytes / count, means.changes / count, means.events / count};
}

TEST(Stream, TwentyThousandTokensCostTheSameAtTheEndAsAtTheStart) {
    constexpr std::size_t kTokens = 20000;
    constexpr std::size_t kTokenBytes = 4;
    const std::string text = longReply(kTokens * kTokenBytes, 11);
    MessageBlocks message;
    std::vector<BlockDiff> updates;
    for (std::size_t i = 0; i < kTokens; ++i) {
        updates.push_back(
            message.append(std::string_view(text).substr(i * kTokenBytes, kTokenBytes)));
    }
    const Means first = meansOf(updates, 0, kTokens / 10);
    const Means last = meansOf(updates, kTokens - kTokens / 10, kTokens);
    std::printf("per update, first and last tenth: bytes parsed %.0f %.0f, changes %.2f %.2f\n",
                first.bytes, last.bytes, first.changes, last.changes);
    // The tenths differ by the random order of their parts only; parsing all of the text again
    // would give a factor of 19.
    EXPECT_LE(last.bytes, first.bytes * 1.5);
    EXPECT_LE(last.events, first.events * 1.5);
    EXPECT_LE(last.changes, first.changes * 1.5);
    EXPECT_LE(last.changes, 2.0);
    std::size_t most = 0;
    for (const BlockDiff& update : updates)
        most = std::max(most, update.cost.bytesParsed);
    EXPECT_LE(most, 4096U) << "a tail grew";
}

}  // namespace
}  // namespace agens::markdown
