// SPDX-License-Identifier: Apache-2.0
// Texts made to break a Markdown parser: pathological ones with their work counted, naughty
// strings, the examples of the CommonMark specification, and random mutations of a sample.
#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <sstream>

#include "tests/support/test_paths.h"
#include "tests/ui/markdown/block_printing.h"
#include "tests/ui/markdown/sample_reply.h"

namespace agens::markdown {
namespace {

std::string repeated(std::string_view part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i)
        text += part;
    return text;
}

struct Pathological {
    const char* name;
    std::string text;
};

// About 50 KiB each, all without a cut.
std::vector<Pathological> pathologicalTexts() {
    constexpr std::size_t kN = 10000;
    std::string backticks;
    for (std::size_t i = 1; i < 400; ++i)
        backticks += "e" + std::string(i, '`');
    std::string deepItems;
    for (std::size_t i = 0; i < 400; ++i)
        deepItems += std::string(i, ' ') + "* a\n";
    return {
        {"nested strong emphasis", repeated("*a **a ", kN) + "b" + repeated(" a** a*", kN / 2)},
        {"emphasis closers without openers", repeated("a_ ", kN)},
        {"emphasis openers without closers", repeated("_a ", kN)},
        {"runs of many lengths", repeated("a***a**a*", kN / 2)},
        {"link closers without openers", repeated("a]", kN)},
        {"link openers without closers", repeated("[a", kN)},
        {"mismatched openers and closers", repeated("*a_ ", kN)},
        {"openers and closers of three", "x" + repeated("a**b" + repeated("c* ", kN), 1)},
        {"link openers and emphasis closers", repeated("[ a_", kN)},
        {"pattern of brackets and parentheses", repeated("[ (](", kN)},
        {"hard link and emphasis", "**x [a*b**c*](d)" + repeated("*x", kN)},
        {"nested brackets", repeated("[", kN) + "a" + repeated("]", kN)},
        {"nested pictures", repeated("![", kN) + "a" + repeated("](b)", kN)},
        {"nested parentheses", "[a](" + repeated("(", kN) + repeated(")", kN) + ")"},
        {"nested quotes", repeated("> ", kN) + "a"},
        {"nested lists on one line", repeated("- ", kN) + "a"},
        {"nested numbers on one line", repeated("1. ", kN) + "a"},
        {"quotes then blank lines", repeated("> ", kN) + "a\n" + repeated("\n", kN)},
        {"lists then blank lines", repeated("+ ", kN) + "a\n" + repeated("\n", kN)},
        {"deeply indented items", deepItems},
        {"backticks of every length", backticks},
        {"unclosed links", repeated("[a](<b", kN)},
        {"unclosed comments", "</" + repeated("<!--", kN)},
        {"empty links", repeated("[](", kN)},
        {"definitions", repeated("[a]: b\n", kN)},
        {"references without definitions", repeated("[a][b]", kN)},
        {"entities", repeated("&a;&#1;", kN)},
        {"escapes", repeated("\\*", kN)},
        {"tables of one column", "|a|\n|---|\n" + repeated("|\n", kN)},
        {"wide table with short rows",
         repeated("|a", kN) + "\n" + repeated("|---", kN / 2) + "\n" + repeated("|\n", kN)},
        {"wide table of matching head",
         repeated("|a", 5000) + "\n" + repeated("|---", 5000) + "\n" + repeated("|\n", kN)},
        {"autolinks", repeated("http://a.b ", kN / 2)},
        {"angle brackets", repeated("<", 5 * kN)},
        {"tildes", repeated("~~a ", kN)},
        {"pipes", repeated("|", 5 * kN) + "\n" + repeated("|-", kN) + "\n"},
        {"one long line", std::string(5 * kN, 'x')},
        {"CJK runs", repeated("。**后", kN / 2)},
        {"CJK runs of growing length", "前" + repeated("**「*後」***", kN / 4)},
        {"invalid bytes", repeated("\xFF\xC3", kN)},
        {"carriage returns", repeated("\r", 5 * kN)},
    };
}

TEST(Hostile, PathologicalTextsDoBoundedWorkInAnyPieces) {
    constexpr std::size_t kPiece = 8192;
    for (const Pathological& item : pathologicalTexts()) {
        CheckedStream stream;
        std::size_t events = 0;
        for (std::size_t at = 0; at < item.text.size(); at += kPiece) {
            const std::string_view piece = std::string_view(item.text).substr(at, kPiece);
            ASSERT_EQ(stream.append(piece), "") << item.name;
            // Twice a window: once more for a table that hides in a paragraph; marks add bytes.
            ASSERT_LE(stream.lastCost().bytesParsed, 4 * kWindowBytes) << item.name;
            events = std::max(events, stream.lastCost().events);
        }
        ASSERT_EQ(stream.finish(), "") << item.name;
        EXPECT_TRUE(stream.blocks() == parseMessage(item.text)) << item.name;
        EXPECT_LE(events, 4 * kMaxTableCells) << item.name;
    }
}

TEST(Hostile, RandomMutationsOfTheSampleEqualTheWholeParse) {
    constexpr unsigned kSeed = 99;
    constexpr int kTexts = 1500;
    std::mt19937 random(kSeed);
    const std::string sample = sampleReply();
    constexpr std::string_view bytes = "\n\n\n  `*_~|>-#[]()<&\\!:1.a\t\xE3\x80\x82\xFF\r";
    for (int i = 0; i < kTexts; ++i) {
        std::string text = sample.substr(random() % (sample.size() / 2), 40 + random() % 400);
        for (unsigned k = 0; k < 1 + random() % 12; ++k) {
            const std::size_t at = random() % text.size();
            if (random() % 3 == 0) {
                text.erase(at, 1 + random() % 5);
                text += '\n';
            } else {
                text.insert(at, 1 + random() % 3, bytes[random() % bytes.size()]);
            }
        }
        CheckedStream stream;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t size = 1 + random() % 17;
            ASSERT_EQ(stream.append(std::string_view(text).substr(at, size)), "") << text;
            at += size;
        }
        ASSERT_EQ(stream.finish(), "") << text;
        ASSERT_EQ(describe(stream.blocks()), describe(parseAtOnce(text)))
            << "seed " << kSeed << " text " << i << "\n"
            << text;
    }
}

void expectStreamEqualsWhole(const std::string& text) {
    CheckedStream stream;
    for (std::size_t at = 0; at < text.size(); at += 3) {
        ASSERT_EQ(stream.append(std::string_view(text).substr(at, 3)), "") << text;
    }
    ASSERT_EQ(stream.finish(), "") << text;
    ASSERT_EQ(describe(stream.blocks()), describe(parseAtOnce(text))) << text;
}

// The Markdown side of every example: between a fence of 32 backticks with "example" and a line
// ".".
std::vector<std::string> specificationExamples(const std::string& specification) {
    std::vector<std::string> examples;
    const std::string fence(32, '`');
    std::istringstream lines(specification);
    std::string text;
    bool isInside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line == fence + " example") {
            isInside = true;
            text.clear();
        } else if (isInside && line == ".") {
            isInside = false;
            examples.push_back(text);
        } else if (isInside) {
            for (std::size_t i = line.find("→"); i != std::string::npos; i = line.find("→")) {
                line.replace(i, std::string_view("→").size(), "\t");
            }
            text += line + "\n";
        }
    }
    return examples;
}

TEST(Hostile, ExamplesOfTheSpecificationStreamLikeTheWhole) {
    const auto shared = test::sharedFolder();
    if (!shared) GTEST_SKIP() << "SKIPPED (no shared data)";
    const std::string text = test::readText(*shared / "corpora/markdown/commonmark-spec.txt");
    const std::vector<std::string> examples = specificationExamples(text);
    ASSERT_GT(examples.size(), 600U);
    for (const std::string& example : examples)
        expectStreamEqualsWhole(example);
    expectStreamEqualsWhole(text.substr(0, 60000));
    std::printf("%zu examples\n", examples.size());
}

TEST(Hostile, NaughtyStringsAreShownInEveryPlace) {
    const auto shared = test::sharedFolder();
    if (!shared) GTEST_SKIP() << "SKIPPED (no shared data)";
    std::istringstream lines(test::readText(*shared / "corpora/text/blns.txt"));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        expectStreamEqualsWhole("text " + line + "\n\n- " + line + "\n\n> " + line +
                                "\n\n|a|b|\n|-|-|\n|" + line + "|\n\n[" + line + "](http://a.b) `" +
                                line + "`\n");
        const std::vector<Block> code = parseMessage("~~~~~~\n" + line + "\n~~~~~~\n");
        MessageText clean;
        clean.append(line);
        clean.finish();
        ASSERT_EQ(code.size(), 1U) << line;
        ASSERT_EQ(code[0].content.text, clean.text()) << line;
    }
    EXPECT_GT(count, 500U);
}

TEST(Hostile, NothingWithAnAddressIsMoreThanTextAnAddressOrALink) {
    const std::string payloads =
        "<img src=http://h/1><svg onload=x><iframe src=file:///etc/passwd></iframe>\n\n"
        "![p](http://h/2)\n\n![q][r]\n\n<http://h/3> [x](javascript:y)\n\n"
        "<style>@import 'http://h/4'</style>\n\n[r]: file:///etc/shadow\n";
    for (const Block& block : parseMessage(payloads)) {
        EXPECT_TRUE(block.kind == BlockKind::Paragraph || block.kind == BlockKind::ImageRef);
        for (const std::string& link : block.links)
            EXPECT_EQ(link, "http://h/3");
    }
}

}  // namespace
}  // namespace agens::markdown
