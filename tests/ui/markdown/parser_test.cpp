// SPDX-License-Identifier: Apache-2.0
// Markdown -> blocks: one case per kind of block, style, link and picture, and the pre-pass.
#include "app/ui/markdown/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/ui/markdown/copy_text.h"
#include "app/ui/markdown/entities.h"
#include "tests/ui/markdown/block_printing.h"

namespace agens::markdown {
namespace {

using testing::ElementsAre;

std::vector<std::string> blocksOf(std::string_view text) {
    return describe(parseMessage(text));
}

TEST(Parser, ParagraphsKeepTheirLineBreaks) {
    EXPECT_THAT(blocksOf("one\ntwo\n\nthree\n"),
                ElementsAre("Paragraph|one⏎two", "Paragraph|three"));
}

TEST(Parser, HeadingsHaveTheirLevel) {
    EXPECT_THAT(blocksOf("# a\n###### b\nc\n==\n"),
                ElementsAre("Heading1|a", "Heading6|b", "Heading1|c"));
}

TEST(Parser, StylesBecomeSpansThatDoNotOverlap) {
    EXPECT_THAT(blocksOf("a **b *c* `d`** ~~e~~ ***f***"),
                ElementsAre("Paragraph|a {b:b }{bi:c}{b: }{bc:d} {s:e} {bi:f}"));
}

TEST(Parser, ListsAreFlattenedWithDepthAndMarker) {
    EXPECT_THAT(blocksOf("- a\n  - b\n    1. c\n    2. d\n- e\n"),
                ElementsAre("ListItem l1•|a", "ListItem l2•|b", "ListItem l31.|c",
                            "ListItem l32.|d", "ListItem l1•|e"));
}

TEST(Parser, NumbersStartAsWritten) {
    EXPECT_THAT(blocksOf("5) a\n6) b\n"), ElementsAre("ListItem l15)|a", "ListItem l16)|b"));
}

TEST(Parser, FurtherBlocksOfAnItemHaveNoMarker) {
    EXPECT_THAT(blocksOf("1. a\n\n   b\n\n   ```py\n   c\n   ```\n"),
                ElementsAre("ListItem l11.|a", "ListItem l1|b", "Code l1 py|c"));
}

TEST(Parser, AnItemThatBeginsWithAnotherBlockGivesItItsMarker) {
    EXPECT_THAT(blocksOf("- # a\n- > b\n-\n- - c\n"),
                ElementsAre("Heading1 l1•|a", "ListItem q1 l1•|b", "ListItem l1•|", "ListItem l1•|",
                            "ListItem l2•|c"));
}

TEST(Parser, TasksHaveAState) {
    EXPECT_THAT(blocksOf("- [ ] a\n- [x] b\n- c\n"),
                ElementsAre("ListItem l1• [ ]|a", "ListItem l1• [x]|b", "ListItem l1•|c"));
}

TEST(Parser, QuotesAreFlattenedWithDepth) {
    EXPECT_THAT(blocksOf("> a\n>\n> > b\n> - c\n"),
                ElementsAre("Quote q1|a", "Quote q2|b", "ListItem q1 l1•|c"));
}

TEST(Parser, CodeHasLanguageAndText) {
    EXPECT_THAT(blocksOf("```c++ title\n*x*\n\n  y\n```\n\n    z\n"),
                ElementsAre("Code c++|*x*⏎⏎  y", "Code|z"));
}

TEST(Parser, CodeKeepsItsTabs) {
    EXPECT_EQ(parseMessage("```make\nall:\n\tcc\n\t  x\n\n \ty\n```").at(0).content.text,
              "all:\n\tcc\n\t  x\n\n \ty");
    EXPECT_EQ(parseMessage("1. a\n\n   ```\n   b\n   \tc\n   ```").at(1).content.text, "b\n\tc");
    EXPECT_EQ(parseMessage("> ```\n> \ta\n> ```").at(0).content.text, "\ta");
    EXPECT_EQ(parseMessage("    a\n\t\tb\n").at(0).content.text, "a\n\tb");
    EXPECT_EQ(parseMessage(" ```\n\ta\n ```").at(0).content.text,
              "   a");  // part of the tab is gone
}

TEST(Parser, AnUnclosedFenceIsCode) {
    EXPECT_THAT(blocksOf("text\n\n```py\nprint("), ElementsAre("Paragraph|text", "Code py|print("));
}

TEST(Parser, TablesHaveAlignmentsAndCells) {
    EXPECT_THAT(blocksOf("|a|b|\n|:-:|--:|\n|**c**|`d`|\n|e\n"),
                ElementsAre("Table| //2a &3b //{b:c} &{c:d} //e &"));
}

TEST(Parser, ABreakTagBreaksTheLineOfACellOnly) {
    EXPECT_THAT(blocksOf("a<br>b\n\n|a|\n|-|\n|x<br>**y**<br/>z|\n|`<br>`|\n"),
                ElementsAre("Paragraph|a<br>b", "Table| //0a //x⏎{b:y}⏎z //{c:<br>}"));
}

TEST(Parser, ATableMayFollowAParagraph) {
    EXPECT_THAT(blocksOf("Look:\n|a|b|\n|-|-|\n|c|d|\n\nend"),
                ElementsAre("Paragraph|Look:", "Table| //0a &0b //c &d", "Paragraph|end"));
}

TEST(Parser, ADelimiterRowMayBeShort) {
    EXPECT_THAT(blocksOf("|a|b|c|\n|-|:-|-:|\n|d|e|f|\n"),
                ElementsAre("Table| //0a &1b &3c //d &e &f"));
}

TEST(Parser, NoTableIsMadeOfOtherCellCountsFencesListsOrHalfLines) {
    EXPECT_THAT(blocksOf("x\n|a|b|\n|-|\n"), ElementsAre("Paragraph|x⏎|a|b|⏎|-|"));
    EXPECT_THAT(blocksOf("```\nx\n|a|\n|-|\n```\n"), ElementsAre("Code|x⏎|a|⏎|-|"));
    EXPECT_THAT(blocksOf("- x\n  |a|\n  |-|\n"), ElementsAre("ListItem l1•|x⏎|a|⏎|-|"));
    EXPECT_THAT(blocksOf("> x\n> |a|\n> |-|\n"), ElementsAre("Quote q1|x⏎|a|⏎|-|"));
    EXPECT_THAT(blocksOf("x\n|a|\n|-|"), ElementsAre("Paragraph|x⏎|a|⏎|-|"));
}

TEST(Parser, RulesAreBlocks) {
    EXPECT_THAT(blocksOf("a\n\n---\n"), ElementsAre("Paragraph|a", "Rule|"));
}

TEST(Parser, LinksAreHttpHttpsAndMailto) {
    EXPECT_THAT(blocksOf("[a](HTTPS://x.y/?a&amp;b) <http://c.d> https://e.f <mailto:g@h.i>"),
                ElementsAre("Paragraph|{L0:a} {L1:http://c.d} {L2:https://e.f} {L3:mailto:g@h.i} "
                            "->HTTPS://x.y/?a&b ->http://c.d ->https://e.f ->mailto:g@h.i"));
}

TEST(Parser, OtherAddressesAreNoLinks) {
    for (const char* address :
         {"javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "//host/x", "../x",
          "\\\\host\\x", "java&#115;cript:x", "http:", ""}) {
        EXPECT_THAT(blocksOf("[a](<" + std::string(address) + ">)"), ElementsAre("Paragraph|a"))
            << address;
    }
}

TEST(Parser, ReferenceLinksFindTheirDefinition) {
    EXPECT_THAT(blocksOf("see [a][r]\n\ntext\n\n[r]: https://x.y\n"),
                ElementsAre("Paragraph|see {L0:a} ->https://x.y", "Paragraph|text"));
}

TEST(Parser, APictureIsAnAddressAndItsTextStays) {
    EXPECT_THAT(blocksOf("![alt *x*](http://h/p.png)"),
                ElementsAre("ImageRef|alt x @http://h/p.png"));
    EXPECT_THAT(blocksOf("a ![b](file:///c) d"),
                ElementsAre("Paragraph|a b d", "ImageRef|b @file:///c"));
}

TEST(Parser, HtmlIsText) {
    const std::string html =
        "<script>x</script> std::vector<int> <!-- c --> <img src=http://a.b/c>";
    EXPECT_EQ(parseMessage(html).at(0).content.text, html);
    EXPECT_THAT(blocksOf("<div>\n<table>\n</div>\n"),
                ElementsAre("Paragraph|<div>⏎<table>⏎</div>"));
}

TEST(Parser, DirectionControlsAreRemovedFromProse) {
    EXPECT_THAT(blocksOf("a\u202Eb\u2066c\u200Fd\u061Ce &#x202E;f"),
                ElementsAre("Paragraph|abcde f"));
    EXPECT_EQ(parseMessage("```\na\u202Eb\n```").at(0).content.text, "a\u202Eb");
}

TEST(Parser, StackedMarksEndAtEight) {
    std::string text = "a";
    for (int i = 0; i < 20; ++i)
        text += "\u0301";
    EXPECT_EQ(parseMessage(text + "b").at(0).content.text.size(), 1 + 8 * 2 + 1U);
}

TEST(Parser, EntitiesBecomeCharacters) {
    EXPECT_THAT(blocksOf("&lt;b&gt; &mdash; &#65; &#x1F44B; &unknown; &#0; &#xD800; `&amp;`"),
                ElementsAre("Paragraph|<b> — A 👋 &unknown; \uFFFD \uFFFD {c:&amp;}"));
    EXPECT_EQ(decodeEntity("&#99999999999;"), "\uFFFD");
    EXPECT_EQ(decodeEntity("&#xFDD0;"), "\uFFFD");
}

TEST(Parser, EmphasisWorksBesideCjkPunctuation) {
    EXPECT_THAT(blocksOf("**重点。**后面"), ElementsAre("Paragraph|{b:重点。}后面"));
    EXPECT_THAT(blocksOf("前面**「重点」**后面"), ElementsAre("Paragraph|前面{b:「重点」}后面"));
    EXPECT_THAT(blocksOf("请看*（一）*和**“二”**。"),
                ElementsAre("Paragraph|请看{i:（一）}和{b:“二”}。"));
    EXPECT_THAT(blocksOf("他说。**重点**后"), ElementsAre("Paragraph|他说。{b:重点}后"));
}

TEST(Parser, EmphasisElsewhereIsThatOfCommonMark) {
    EXPECT_THAT(blocksOf("**foo.**bar é"), ElementsAre("Paragraph|**foo.**bar é"));
    EXPECT_THAT(blocksOf("`**重点。**后面` \\*重。*后"),
                ElementsAre("Paragraph|{c:**重点。**后面} *重。*后"));
}

TEST(Parser, MarksNeverReachTheOutput) {
    const std::string text =
        "前**「[a](http://x.y/**。**后)」**后 ![前**「b」**后](http://z/前**「c」**后)\n\n"
        "```前**「d」**后\n前**「e」**后\n```\n";
    for (const std::string& line : blocksOf(text))
        EXPECT_EQ(line.find("\uFDD0"), std::string::npos) << line;
}

TEST(Parser, ASpanThatMd4cNeverLeavesEndsWithItsBlock) {
    EXPECT_THAT(blocksOf("*a [b](http://x*y) c\n\nplain\n"),
                ElementsAre("Paragraph|{i:a }{iL0:b}{i: c} ->http://x*y", "Paragraph|plain"));
    EXPECT_THAT(blocksOf("|*a [b](http://x*y)|\n|---|\n|plain|\n"),
                ElementsAre("Table| ->http://x*y //0{i:a }{iL0:b} //plain"));
}

TEST(CopyText, CodeAsMarkdownShowsTheSameCodeAgain) {
    for (const char* text :
         {"```py\nx = 1\n```", "````\n```\na\n```\n````", "```\n```", "    indented"}) {
        const Block block = parseMessage(text).at(0);
        const std::vector<Block> again = parseMessage(copyAsMarkdown(block));
        ASSERT_EQ(again.size(), 1U) << text;
        EXPECT_EQ(again[0], block) << text;
        EXPECT_EQ(copyAsText(block), block.content.text);
    }
}

TEST(CopyText, ATableIsTabSeparatedTextOrMarkdown) {
    const Block table = parseMessage("|a|b\\|c|\n|:-|-|\n|d<br>e|f|\n").at(0);
    EXPECT_EQ(copyAsText(table), "a\tb|c\nd e\tf\n");
    EXPECT_EQ(parseMessage(copyAsMarkdown(table)).at(0), table);
}

TEST(CopyText, APictureIsItsAddress) {
    EXPECT_EQ(copyAsText(parseMessage("![a](http://b/c)").at(0)), "http://b/c");
}

}  // namespace
}  // namespace agens::markdown
