// SPDX-License-Identifier: Apache-2.0
// Rows of a transcript from Markdown, with the roles the program's model has.
#include "app/ui/markdown/block_text.h"
#include "app/ui/markdown/copy_text.h"
#include "app/ui/markdown/incremental.h"
#include "tests/ui/qml/preview/scenes.h"

namespace agens::ui::test {
namespace {

using markdown::Block;
using markdown::BlockKind;

const char* kindName(BlockKind kind) {
    switch (kind) {
        case BlockKind::Paragraph:
            return "paragraph";
        case BlockKind::Heading:
            return "heading";
        case BlockKind::ListItem:
            return "listItem";
        case BlockKind::Quote:
            return "quote";
        case BlockKind::Code:
            return "code";
        case BlockKind::Table:
            return "table";
        case BlockKind::Rule:
            return "rule";
        case BlockKind::ImageRef:
        case BlockKind::Notice:
            return "notice";
    }
    return "";
}

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

QVariantMap blockRow(const Block& block) {
    QVariantList lines;
    for (std::size_t row = 0; row < block.table.rows(); ++row) {
        QVariantList cells;
        for (std::size_t column = 0; column < block.table.columns(); ++column)
            cells << qt(block.table.cells[row * block.table.columns() + column].text);
        lines << QVariant(cells);
    }
    QVariantList aligns;
    for (const markdown::Alignment align : block.table.alignments)
        aligns << (align == markdown::Alignment::Right    ? "right"
                   : align == markdown::Alignment::Center ? "center"
                                                          : "left");
    markdown::BlockValue value{std::make_shared<const Block>(block)};
    return {{"rowKind", kindName(block.kind)},
            {"text",
             qt(block.kind == BlockKind::Table ? markdown::copyAsText(block) : block.content.text)},
            {"block", QVariant::fromValue(value)},
            {"level", block.level},
            {"listDepth", block.listDepth},
            {"quoteDepth", block.quoteDepth},
            {"marker", qt(block.marker)},
            {"checked", block.task == markdown::TaskState::None   ? -1
                        : block.task == markdown::TaskState::Done ? 1
                                                                  : 0},
            {"language", qt(block.language)},
            {"tableRows", lines},
            {"tableAligns", aligns}};
}

}  // namespace

QList<QVariantMap> replyRows(const QString& id, const QString& text, const QVariantMap& facts) {
    QVariantMap shared{{"messageId", id},     {"state", "complete"}, {"isStreaming", false},
                       {"siblingIndex", 0},   {"siblingCount", 1},   {"statsText", ""},
                       {"speedText", ""},     {"noticeText", ""},    {"isLastReply", true},
                       {"accessibleText", ""}};
    shared.insert(facts);
    QList<QVariantMap> rows;
    for (const Block& block : markdown::parseMessage(text.toStdString())) {
        QVariantMap row = blockRow(block);
        row.insert(shared);
        row["rowId"] = QStringLiteral("%1.%2").arg(id).arg(rows.size());
        row["firstOfMessage"] = rows.isEmpty();
        rows << row;
    }
    QVariantMap footer = shared;
    footer["rowKind"] = "footer";
    footer["rowId"] = id + ".footer";
    footer["text"] = "";
    footer["lastOfMessage"] = true;
    rows << footer;
    return rows;
}

QVariantMap userRow(const QString& id, const QString& text, int version, int versions) {
    return {{"rowKind", "user"},        {"rowId", id},
            {"messageId", id},          {"text", text},
            {"state", "complete"},      {"siblingIndex", version - 1},
            {"siblingCount", versions}, {"firstOfMessage", true},
            {"lastOfMessage", true},    {"isLastReply", false},
            {"isStreaming", false},     {"accessibleText", "You: " + text}};
}

}  // namespace agens::ui::test
