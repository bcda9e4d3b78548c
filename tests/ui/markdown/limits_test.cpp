// SPDX-License-Identifier: Apache-2.0
// What is over a limit of parser.h is simplified, the same way however the text was split, and no
// text is lost but for the message limit.
#include <gtest/gtest.h>

#include "app/ui/markdown/line_guard.h"
#include "tests/ui/markdown/block_printing.h"

namespace agens::markdown {
namespace {

std::string repeated(std::string_view part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i)
        text += part;
    return text;
}

// Streams in pieces and checks that they give the blocks of the text fed at once.
std::vector<Block> blocksOf(std::string_view text, std::size_t pieceBytes = 50001) {
    const std::vector<Block> whole = parseMessage(text);
    CheckedStream stream;
    for (std::size_t at = 0; at < text.size(); at += pieceBytes) {
        EXPECT_EQ(stream.append(text.substr(at, pieceBytes)), "");
    }
    EXPECT_EQ(stream.finish(), "");
    EXPECT_TRUE(stream.blocks() == whole) << "the pieces give other blocks";
    return whole;
}

std::size_t countOf(const std::vector<Block>& blocks, NoticeId notice) {
    std::size_t count = 0;
    for (const Block& block : blocks)
        count += block.notice == notice ? 1 : 0;
    return count;
}

std::string textOf(const std::vector<Block>& blocks) {
    std::string text;
    for (const Block& block : blocks)
        text += block.content.text;
    return text;
}

TEST(Limits, ALongParagraphIsSplitAtASpace) {
    const std::vector<Block> blocks =
        blocksOf(repeated("*word* plain words after it, and many more of them in a line ", 1900));
    ASSERT_EQ(blocks.size(), 2U);
    for (const Block& block : blocks) {
        EXPECT_LE(block.content.text.size(), kTextBlockBytes);
        for (const Span& span : block.content.spans)
            EXPECT_LE(span.end, block.content.text.size());
    }
    EXPECT_EQ(blocks[0].content.text.back(), ' ');
}

TEST(Limits, TextWithoutACutForAWindowIsPlain) {
    const std::string code = "```\n" + repeated("line of code **x**\n", 20000) + "```\n";
    const std::vector<Block> blocks = blocksOf("before\n\nstart\n\n" + code);
    ASSERT_GT(blocks.size(), 3U);
    EXPECT_EQ(describe(blocks[0]), "Paragraph|before");
    EXPECT_EQ(blocks[1].notice, NoticeId::PlainRest);
    EXPECT_EQ(countOf(blocks, NoticeId::PlainRest), 1U);
    EXPECT_TRUE(blocks[2].content.text.starts_with("start\n\n```\nline of code **x**\n"));
    EXPECT_TRUE(blocks.back().content.text.ends_with("```"));
}

TEST(Limits, AWindowThatIsJustFullIsParsed) {
    const std::string text = "```\n" + std::string(kWindowBytes - 8, 'x') + "\n```";
    ASSERT_EQ(text.size(), kWindowBytes);
    EXPECT_EQ(blocksOf(text).at(0).kind, BlockKind::Code);
    EXPECT_EQ(countOf(blocksOf(text + "\n"), NoticeId::PlainRest), 1U);
}

TEST(Limits, ManyWindowsWithCutsAreParsed) {
    const std::string text = repeated("A *paragraph* of text.\n\n", 15000);  // 375 000 bytes
    const std::vector<Block> blocks = blocksOf(text, 40000);
    EXPECT_EQ(blocks.size(), 15000U);
    EXPECT_EQ(countOf(blocks, NoticeId::PlainRest), 0U);
}

TEST(Limits, BlocksBeyondTheLimitArePlain) {
    const std::vector<Block> blocks = blocksOf(repeated("a\n\n", 25000), 30000);
    EXPECT_EQ(countOf(blocks, NoticeId::PlainRest), 1U);
    EXPECT_LE(blocks.size(), kMaxBlocks + 4);
    EXPECT_TRUE(blocks.back().content.text.ends_with("a\n\na"));
}

TEST(Limits, NestingBeyondTheLimitIsPlain) {
    const std::string deep = repeated("> ", kMaxDepth);
    EXPECT_EQ(blocksOf(deep + "x\n").at(0).quoteDepth, kMaxDepth);
    const std::vector<Block> blocks = blocksOf("text\n\nmore\n\n> " + deep + "x\n", 3);
    ASSERT_EQ(blocks.size(), 3U);
    EXPECT_EQ(describe(blocks[0]), "Paragraph|text");
    EXPECT_EQ(blocks[1].notice, NoticeId::PlainRest);
    EXPECT_EQ(blocks[2].content.text, "more\n\n> " + deep + "x");
}

TEST(Limits, TextThatIsOnlyOverTheLimitForAMomentIsParsed) {
    const std::string code = "```\n" + std::string(70000, 'x') + "\n```\n";
    CheckedStream stream;
    EXPECT_EQ(stream.append(code + repeated("+ ", kMaxDepth) + "+"), "");  // an item in the items
    EXPECT_EQ(countOf(stream.blocks(), NoticeId::PlainRest), 1U);
    EXPECT_EQ(stream.append("a"), "");  // "+a" is a text
    EXPECT_EQ(countOf(stream.blocks(), NoticeId::PlainRest), 0U);
    EXPECT_EQ(stream.blocks().back().content.text, "+a");
    EXPECT_EQ(stream.blocks().back().listDepth, kMaxDepth);
}

TEST(Limits, LinesThatWouldStallTheParserNeverReachIt) {
    const std::string markers = repeated("+ ", kMaxMarkers + 1) + "a";
    const std::string addresses = repeated("http://a.b(", kMaxAddresses + 1);
    for (const std::string& line : {markers, "1. " + repeated("> ", kMaxMarkers), addresses}) {
        const std::string text = "first\n\nsecond\n\n" + line + "\n\nthird\n\nfourth\n";
        const std::vector<Block> blocks = blocksOf(text, 1000);
        ASSERT_EQ(blocks.size(), 3U);
        EXPECT_EQ(describe(blocks[0]), "Paragraph|first");
        EXPECT_EQ(blocks[1].notice, NoticeId::PlainRest);
        EXPECT_EQ(blocks[2].content.text, "second\n\n" + line + "\n\nthird\n\nfourth");
        EXPECT_EQ(parseWindow(line + "\n" + repeated("\n", 1000), {}).bytesParsed, 0U);
    }
}

TEST(Limits, LinesBelowTheGuardAreParsed) {
    const std::string addresses = repeated("http://a.b ", kMaxAddresses + 1);
    EXPECT_EQ(countOf(blocksOf(addresses), NoticeId::PlainRest), 0U);
    const std::string rule = repeated("- ", kMaxMarkers) + "\n";
    EXPECT_EQ(describe(blocksOf(rule).at(0)), "Rule|");
}

TEST(Limits, LinksBeyondTheLimitAreText) {
    const std::vector<Block> blocks = blocksOf(repeated("[a](http://b.c)\n\n", 600), 1000);
    std::size_t links = 0;
    for (const Block& block : blocks)
        links += block.links.size();
    EXPECT_EQ(links, kMaxLinks);
    EXPECT_EQ(countOf(blocks, NoticeId::FormattingLimit), 1U);
    EXPECT_EQ(textOf(blocks), std::string(600, 'a'));
}

TEST(Limits, SpansBeyondTheLimitAreText) {
    const std::vector<Block> blocks = blocksOf(repeated("*a* b ", 3000), 5000);
    ASSERT_EQ(blocks.size(), 2U);
    EXPECT_EQ(blocks[0].content.spans.size(), kMaxSpans);
    EXPECT_EQ(blocks[0].content.text, repeated("a b ", 3000).substr(0, 3000 * 4 - 1));
    EXPECT_EQ(blocks[1].notice, NoticeId::FormattingLimit);
}

TEST(Limits, TableRowsBeyondTheLimitAreText) {
    const std::vector<Block> blocks = blocksOf("|a|b|\n|-|-|\n" + repeated("|c|d|\n", 1200), 2000);
    ASSERT_EQ(blocks.size(), 3U);
    EXPECT_EQ(blocks[0].table.rows(), kMaxTableRows);
    EXPECT_EQ(blocks[1].content.text, repeated("c | d\n", 201).substr(0, 201 * 6 - 1));
    EXPECT_EQ(blocks[2].notice, NoticeId::FormattingLimit);
}

TEST(Limits, ATableThatIsTooWideIsText) {
    const std::string head = "|" + repeated("h|", 65) + "\n|" + repeated("---|", 65) + "\n";
    const std::vector<Block> blocks = blocksOf(head + "|c|\n");
    ASSERT_EQ(blocks.size(), 2U);
    EXPECT_EQ(blocks[0].kind, BlockKind::Paragraph);
    EXPECT_TRUE(blocks[0].content.text.starts_with("h | h | h"));
    EXPECT_EQ(blocks[1].notice, NoticeId::FormattingLimit);
}

TEST(Limits, AMessageEndsAtItsLimit) {
    const std::string text = repeated("0123456789abcde\n\n", kMessageBytes / 17 + 10);
    MessageBlocks message;
    message.append(text);
    message.append("more");
    message.finish();
    EXPECT_LE(message.text().size(), kMessageBytes);
    EXPECT_GT(message.text().size(), kMessageBytes - 4);
    EXPECT_EQ(message.blocks().back().block->notice, NoticeId::MessageLimit);
    EXPECT_LE(message.blocks().size(), kMaxBlocks + kMessageBytes / kTextBlockBytes + 4);
}

}  // namespace
}  // namespace agens::markdown
