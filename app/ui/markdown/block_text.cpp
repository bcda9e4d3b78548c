// SPDX-License-Identifier: Apache-2.0
// BlockText: see the header.
#include "app/ui/markdown/block_text.h"

#include <QTextBlockFormat>
#include <QTextCharFormat>
#include <QTextCursor>
#include <QTextDocument>

#include "app/ui/markdown/copy_text.h"

namespace agens::markdown {
namespace {

QString toQString(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

}  // namespace

void BlockText::setDocument(QQuickTextDocument* document) {
    if (m_document == document) return;
    m_document = document;
    m_hasOtherLineHeight = true;
    formatsChanged();
    emit documentChanged();
}

void BlockText::setBlock(const BlockValue& block) {
    if (m_block == block) return;
    m_block = block;
    fill();
    emit blockChanged();
}

void BlockText::setCell(int cell) {
    if (m_cell == cell) return;
    m_cell = cell;
    fill();
    emit cellChanged();
}

void BlockText::setMaximumLines(int lines) {
    if (m_maximumLines == lines) return;
    m_maximumLines = lines;
    fill();
    emit maximumLinesChanged();
}

void BlockText::setLineHeight(qreal pixels) {
    if (qFuzzyCompare(m_lineHeight + 1, pixels + 1)) return;
    m_lineHeight = pixels;
    m_hasOtherLineHeight = true;
    fill();
    emit lineHeightChanged();
}

void BlockText::setCodeFont(const QFont& font) {
    if (m_codeFont == font) return;
    m_codeFont = font;
    formatsChanged();
    emit codeFontChanged();
}

void BlockText::setCodeBackground(const QColor& color) {
    if (m_codeBackground == color) return;
    m_codeBackground = color;
    formatsChanged();
    emit codeBackgroundChanged();
}

void BlockText::setLinkColor(const QColor& color) {
    if (m_linkColor == color) return;
    m_linkColor = color;
    formatsChanged();
    emit linkColorChanged();
}

QString BlockText::linkAddress(const QString& anchor) const {
    bool isNumber = false;
    const uint index = anchor.toUInt(&isNumber);
    const bool isKnown = isNumber && m_block.block && index < m_block.block->links.size();
    return isKnown ? toQString(m_block.block->links[index]) : QString();
}

QString BlockText::copyAsText() const {
    return m_block.block ? toQString(markdown::copyAsText(*m_block.block)) : QString();
}

QString BlockText::copyAsMarkdown() const {
    return m_block.block ? toQString(markdown::copyAsMarkdown(*m_block.block)) : QString();
}

void BlockText::componentComplete() {
    m_isComplete = true;
    fill();
}

void BlockText::formatsChanged() {
    m_isStale = true;
    fill();
}

QTextDocument* BlockText::textDocument() const {
    return m_document ? m_document->textDocument() : nullptr;
}

SegmentedText BlockText::wantedText() const {
    if (!m_block.block) return {};
    const Block& block = *m_block.block;
    if (m_cell < 0) return segmentsOf(block.content, m_maximumLines);
    const auto cell = static_cast<std::size_t>(m_cell);
    return cell < block.table.cells.size() ? segmentsOf(block.table.cells[cell], 0)
                                           : SegmentedText{};
}

QTextCharFormat BlockText::formatOf(const TextSegment& segment) const {
    QTextCharFormat format;
    if ((segment.style & kCode) != 0) {
        format.setFont(m_codeFont, QTextCharFormat::FontPropertiesSpecifiedOnly);
        if (m_codeBackground.isValid()) format.setBackground(m_codeBackground);
    }
    if ((segment.style & kBold) != 0) format.setFontWeight(QFont::Bold);
    if ((segment.style & kItalic) != 0) format.setFontItalic(true);
    if ((segment.style & kStrike) != 0) format.setFontStrikeOut(true);
    if (segment.link != kNoLink) {
        format.setAnchor(true);
        format.setAnchorHref(QString::number(segment.link));
        format.setFontUnderline(true);
        if (m_linkColor.isValid()) format.setForeground(m_linkColor);
    }
    return format;
}

void BlockText::fill() {
    QTextDocument* const document = textDocument();
    if (!m_isComplete || document == nullptr) return;
    SegmentedText wanted = wantedText();
    const int kept = m_isStale ? 0 : commonPrefix(m_shown, wanted);
    const bool isTextSame = !m_isStale && kept == m_shown.text.size() && kept == wanted.text.size();
    if (isTextSame && !m_hasOtherLineHeight) return;
    if (document->isUndoRedoEnabled()) document->setUndoRedoEnabled(false);
    QTextCursor cursor(document);
    cursor.beginEditBlock();
    if (!isTextSame) replaceFrom(cursor, kept, wanted);
    if (m_hasOtherLineHeight) setLineHeights(cursor);
    cursor.endEditBlock();
    m_shown = std::move(wanted);
    m_isStale = false;
    m_hasOtherLineHeight = false;
}

void BlockText::replaceFrom(QTextCursor& cursor, int kept, const SegmentedText& wanted) {
    cursor.setPosition(kept);
    cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
    cursor.removeSelectedText();
    for (const TextSegment& segment : wanted.segments) {
        if (segment.end <= kept) continue;
        const int begin = std::max(segment.begin, kept);
        cursor.insertText(wanted.text.mid(begin, segment.end - begin), formatOf(segment));
    }
}

void BlockText::setLineHeights(QTextCursor& cursor) {
    QTextBlockFormat format;
    if (m_lineHeight > 0) {
        format.setLineHeight(m_lineHeight, QTextBlockFormat::FixedHeight);
    }
    cursor.select(QTextCursor::Document);
    cursor.setBlockFormat(format);
}

}  // namespace agens::markdown
