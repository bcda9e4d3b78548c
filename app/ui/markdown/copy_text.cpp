// SPDX-License-Identifier: Apache-2.0
// Copying a block: see the header.
#include "app/ui/markdown/copy_text.h"

#include <algorithm>

namespace agens::markdown {
namespace {

std::size_t longestBacktickRun(std::string_view text) {
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

std::string fencedCode(const Block& block) {
    const std::size_t length = std::max<std::size_t>(3, longestBacktickRun(block.content.text) + 1);
    const std::string fence(length, '`');
    const std::string text = block.content.text.empty() ? "" : block.content.text + '\n';
    return fence + block.language + '\n' + text + fence + '\n';
}

std::string_view delimiterOf(Alignment alignment) {
    switch (alignment) {
        case Alignment::Left:
            return ":--|";
        case Alignment::Center:
            return ":-:|";
        case Alignment::Right:
            return "--:|";
        case Alignment::Natural:
            break;
    }
    return "---|";
}

std::string cellMarkdown(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '|' || c == '\\' || c == '*' || c == '_' || c == '`' || c == '[' || c == '~') {
            escaped += '\\';
        }
        if (c == '\n') {
            escaped += "<br>";
        } else {
            escaped += c;
        }
    }
    return escaped;
}

std::string tableMarkdown(const Table& table) {
    std::string lines;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        lines += '|';
        for (std::size_t column = 0; column < table.columns(); ++column) {
            lines += ' ' + cellMarkdown(table.cells[row * table.columns() + column].text) + " |";
        }
        lines += '\n';
        if (row > 0) continue;
        lines += '|';
        for (const Alignment alignment : table.alignments)
            lines += delimiterOf(alignment);
        lines += '\n';
    }
    return lines;
}

std::string tableText(const Table& table) {
    std::string lines;
    for (std::size_t i = 0; i < table.cells.size(); ++i) {
        std::string cell = table.cells[i].text;
        std::replace(cell.begin(), cell.end(), '\n', ' ');
        lines += cell;
        lines += (i + 1) % table.columns() == 0 ? '\n' : '\t';
    }
    return lines;
}

}  // namespace

std::string copyAsText(const Block& block) {
    if (block.kind == BlockKind::Table) return tableText(block.table);
    return block.kind == BlockKind::ImageRef ? block.address : block.content.text;
}

std::string copyAsMarkdown(const Block& block) {
    if (block.kind == BlockKind::Code) return fencedCode(block);
    return block.kind == BlockKind::Table ? tableMarkdown(block.table) : copyAsText(block);
}

}  // namespace agens::markdown
