// SPDX-License-Identifier: Apache-2.0
// BlockText in a real TextEdit, offscreen: the document holds the block's text and formats, an
// update replaces only what changed, and a reused item keeps nothing of the block before.
#include "app/ui/markdown/block_text.h"

#include <gtest/gtest.h>

#include <QGuiApplication>
#include <QQmlComponent>
#include <QQmlEngine>
#include <QQuickItem>
#include <QTextBlock>
#include <QTextDocument>

#include "app/ui/markdown/incremental.h"

namespace agens::markdown {
namespace {

constexpr const char* kScene = R"(
import QtQuick
import Agens.MarkdownTest
TextEdit {
    id: edit
    width: 400
    readOnly: true
    textFormat: TextEdit.PlainText
    wrapMode: TextEdit.Wrap
    property alias filler: filler
    property var value
    BlockText {
        id: filler
        document: edit.textDocument
        block: edit.value
        lineHeight: 24
        codeFont.pixelSize: 13
        codeBackground: "#F2F2EF"
        linkColor: "#0A5AA6"
    }
})";

// What the document told about its changes.
struct Changes {
    int removed = 0;
    int added = 0;
    int count = 0;
};

class BlockTextTest : public testing::Test {
 protected:
    void SetUp() override {
        QQmlComponent component(&m_engine);
        component.setData(kScene, QUrl());
        m_edit.reset(qobject_cast<QQuickItem*>(
            component.createWithInitialProperties({{"value", QVariant::fromValue(BlockValue{})}})));
        ASSERT_NE(m_edit, nullptr) << component.errorString().toStdString();
        m_filler = m_edit->property("filler").value<BlockText*>();
        m_document = m_filler->document()->textDocument();
        QObject::connect(m_document, &QTextDocument::contentsChange,
                         [this](int, int removed, int added) {
                             m_changes.removed += removed;
                             m_changes.added += added;
                             ++m_changes.count;
                         });
    }

    void show(const Block& block) {
        const BlockValue value{std::make_shared<const Block>(block)};
        m_edit->setProperty("value", QVariant::fromValue(value));
    }
    // The first block of a Markdown text.
    void show(std::string_view text) { show(parseMessage(text).at(0)); }

    std::string shownText() const { return m_document->toPlainText().toStdString(); }

    QTextCharFormat formatAt(int position) const {
        QTextCursor cursor(m_document);
        cursor.setPosition(position + 1);
        return cursor.charFormat();
    }

    std::vector<qreal> lineHeights() const {
        std::vector<qreal> heights;
        for (QTextBlock b = m_document->begin(); b.isValid(); b = b.next()) {
            heights.push_back(b.blockFormat().lineHeight());
        }
        return heights;
    }

    QQmlEngine m_engine;
    std::unique_ptr<QQuickItem> m_edit;
    BlockText* m_filler = nullptr;
    QTextDocument* m_document = nullptr;
    Changes m_changes;
};

TEST_F(BlockTextTest, ShowsTheTextOfTheBlock) {
    show("Grüße 👋🏽 **fett**\nzweite Zeile");
    EXPECT_EQ(shownText(), "Grüße 👋🏽 fett\nzweite Zeile");
    EXPECT_FALSE(m_document->isUndoRedoEnabled());
}

TEST_F(BlockTextTest, ShowsHtmlAsText) {
    show("<b>x</b> std::vector<int> <img src=\"http://127.0.0.1/x.png\">");
    EXPECT_EQ(shownText(), "<b>x</b> std::vector<int> <img src=\"http://127.0.0.1/x.png\">");
}

TEST_F(BlockTextTest, GivesEverySpanItsFormat) {
    show("a **b** *i* ~~s~~ `c` [l](https://example.org/x)");
    EXPECT_EQ(shownText(), "a b i s c l");
    EXPECT_FALSE(formatAt(0).hasProperty(QTextFormat::FontWeight));
    EXPECT_EQ(formatAt(2).fontWeight(), QFont::Bold);
    EXPECT_TRUE(formatAt(4).fontItalic());
    EXPECT_TRUE(formatAt(6).fontStrikeOut());
    EXPECT_EQ(formatAt(8).background().color(), QColor("#F2F2EF"));
    EXPECT_EQ(formatAt(8).intProperty(QTextFormat::FontPixelSize), 13);
    EXPECT_TRUE(formatAt(10).isAnchor());
    EXPECT_EQ(formatAt(10).foreground().color(), QColor("#0A5AA6"));
}

TEST_F(BlockTextTest, AnchorsAreIndexesAndNeverAddresses) {
    show("[one](https://one.example) [two](https://two.example)");
    EXPECT_EQ(formatAt(0).anchorHref(), "0");
    EXPECT_EQ(formatAt(5).anchorHref(), "1");
    EXPECT_EQ(m_filler->linkAddress("1"), "https://two.example");
    EXPECT_EQ(m_filler->linkAddress("2"), "");
    EXPECT_EQ(m_filler->linkAddress("https://one.example"), "");
}

TEST_F(BlockTextTest, EveryLineHasTheFixedHeight) {
    show("one\ntwo\nthree");
    EXPECT_EQ(lineHeights(), (std::vector<qreal>{24, 24, 24}));
    m_filler->setLineHeight(36);
    EXPECT_EQ(lineHeights(), (std::vector<qreal>{36, 36, 36}));
    show("one\ntwo\nthree\nfour");
    EXPECT_EQ(lineHeights(), (std::vector<qreal>{36, 36, 36, 36}));
}

TEST_F(BlockTextTest, AppendedTextIsInsertedOnce) {
    show("The answer is");
    m_changes = {};
    show("The answer is 42.");
    EXPECT_EQ(shownText(), "The answer is 42.");
    EXPECT_EQ(m_changes.removed, 0);
    EXPECT_EQ(m_changes.added, 4);
}

TEST_F(BlockTextTest, AChangedStyleReplacesFromThereOn) {
    show("one **two** three");
    m_changes = {};
    show("one *two* three");
    EXPECT_EQ(shownText(), "one two three");
    EXPECT_EQ(m_changes.added, 9);  // "two three"
    EXPECT_FALSE(formatAt(4).hasProperty(QTextFormat::FontWeight));
    EXPECT_TRUE(formatAt(4).fontItalic());
}

TEST_F(BlockTextTest, ACharacterOfTwoUnitsIsReplacedWhole) {
    show("a👋");
    m_changes = {};
    show("a👍");  // shares the first of its two units
    EXPECT_EQ(shownText(), "a👍");
    EXPECT_EQ(m_changes.added, 2);
}

TEST_F(BlockTextTest, AnEqualBlockChangesNothing) {
    show("one **two** three");
    m_changes = {};
    show("one **two** three");
    EXPECT_EQ(m_changes.count, 0);
}

TEST_F(BlockTextTest, AReusedItemSetsEveryFormatAgain) {
    show("```\ncode\n```");
    m_filler->setLineHeight(20);
    show("`c` and **bold**");
    m_filler->setLineHeight(24);
    show("c and bold");
    EXPECT_EQ(shownText(), "c and bold");
    EXPECT_EQ(lineHeights(), std::vector<qreal>{24});
    for (int i = 0; i < 10; ++i)
        EXPECT_EQ(formatAt(i), QTextCharFormat()) << i;
}

TEST_F(BlockTextTest, AnEmptyBlockLeavesNothingBehind) {
    show("[link](https://example.org)");
    show(Block{});
    EXPECT_EQ(shownText(), "");
    show("plain");
    EXPECT_EQ(formatAt(0), QTextCharFormat());
    EXPECT_EQ(lineHeights(), std::vector<qreal>{24});
}

TEST_F(BlockTextTest, AnotherDocumentIsFilledAndFormatted) {
    show("one\n**two**");
    QQmlComponent component(&m_engine);
    component.setData("import QtQuick\nTextEdit { textFormat: TextEdit.PlainText }", QUrl());
    const std::unique_ptr<QObject> other(component.create());
    auto* const document = other->property("textDocument").value<QQuickTextDocument*>();
    m_filler->setDocument(document);
    m_document = document->textDocument();
    EXPECT_EQ(shownText(), "one\ntwo");
    EXPECT_EQ(lineHeights(), (std::vector<qreal>{24, 24}));
    EXPECT_EQ(formatAt(4).fontWeight(), QFont::Bold);
    m_filler->setDocument(nullptr);
}

TEST_F(BlockTextTest, NewColoursReachTextThatStands) {
    show("[link](https://example.org) `code`");
    m_filler->setLinkColor(QColor("#86C3FF"));
    m_filler->setCodeBackground(QColor("#111315"));
    EXPECT_EQ(formatAt(0).foreground().color(), QColor("#86C3FF"));
    EXPECT_EQ(formatAt(5).background().color(), QColor("#111315"));
}

TEST_F(BlockTextTest, AFoldedCodeBlockShowsItsFirstLines) {
    show("```\n1\n2\n3\n```");
    m_filler->setMaximumLines(2);
    EXPECT_EQ(shownText(), "1\n2");
    m_filler->setMaximumLines(0);
    EXPECT_EQ(shownText(), "1\n2\n3");
}

TEST_F(BlockTextTest, ShowsOneCellOfATable) {
    m_filler->setCell(3);
    show("| a | b |\n|---|---|\n| c | **d** |\n");
    EXPECT_EQ(shownText(), "d");
    EXPECT_EQ(formatAt(0).fontWeight(), QFont::Bold);
    m_filler->setCell(4);
    EXPECT_EQ(shownText(), "");
}

TEST_F(BlockTextTest, CopiesCodeAsTextAndAsMarkdown) {
    show("```cpp\nint x;\n```");
    EXPECT_EQ(m_filler->copyAsText(), "int x;");
    EXPECT_EQ(m_filler->copyAsMarkdown(), "```cpp\nint x;\n```\n");
}

TEST_F(BlockTextTest, AStreamedReplyEndsWithTheTextOfItsBlocks) {
    const std::string reply = "Some *streamed* text with `code` and a [link](https://a.example).";
    MessageBlocks message;
    for (const char c : reply) {
        message.append(std::string_view(&c, 1));
        if (!message.blocks().empty()) show(*message.blocks()[0].block);
    }
    EXPECT_EQ(shownText(), "Some streamed text with code and a link.");
    EXPECT_TRUE(formatAt(5).fontItalic());
    EXPECT_FALSE(formatAt(15).fontItalic());
}

}  // namespace
}  // namespace agens::markdown

int main(int argc, char** argv) {
    QGuiApplication application(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    qmlRegisterType<agens::markdown::BlockText>("Agens.MarkdownTest", 1, 0, "BlockText");
    return RUN_ALL_TESTS();
}
