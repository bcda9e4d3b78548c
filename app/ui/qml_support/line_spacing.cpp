// SPDX-License-Identifier: Apache-2.0
// LineSpacing: see the header.
#include "app/ui/qml_support/line_spacing.h"

#include <QTextBlock>
#include <QTextBlockFormat>
#include <QTextCursor>
#include <QTextDocument>

namespace agens::ui {

void LineSpacing::setDocument(QQuickTextDocument* document) {
    if (m_document == document) return;
    if (m_document && m_document->textDocument() != nullptr) {
        m_document->textDocument()->disconnect(this);
    }
    m_document = document;
    if (m_document && m_document->textDocument() != nullptr) {
        QTextDocument* const text = m_document->textDocument();
        text->setUndoRedoEnabled(false);
        connect(text, &QTextDocument::contentsChanged, this, &LineSpacing::apply);
    }
    apply();
    emit documentChanged();
}

void LineSpacing::setLineHeight(qreal pixels) {
    if (qFuzzyCompare(m_lineHeight + 1, pixels + 1)) return;
    m_lineHeight = pixels;
    apply();
    emit lineHeightChanged();
}

void LineSpacing::apply() {
    QTextDocument* const text = m_document ? m_document->textDocument() : nullptr;
    if (text == nullptr || m_isApplying || m_lineHeight <= 0) return;
    m_isApplying = true;  // the new format is a change of the contents too
    QTextBlockFormat format;
    format.setLineHeight(m_lineHeight, QTextBlockFormat::FixedHeight);
    QTextCursor cursor(text);
    cursor.select(QTextCursor::Document);
    cursor.mergeBlockFormat(format);
    m_isApplying = false;
}

}  // namespace agens::ui
