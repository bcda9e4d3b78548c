// SPDX-License-Identifier: Apache-2.0
// BlockText: writes one Markdown block into the document of a TextEdit, by cursor and format only,
// so that no text of a model is ever read as rich text.
//
//   TextEdit {
//       id: edit; readOnly: true; textFormat: TextEdit.PlainText; wrapMode: TextEdit.Wrap
//       onLinkActivated: anchor => page.askToOpen(filler.linkAddress(anchor))
//       BlockText { id: filler; document: edit.textDocument; block: row.block; lineHeight: 24
//                   codeFont: Theme.codeFont; codeBackground: Theme.code; linkColor: Theme.link }
//   }
//
// A new block keeps the longest common beginning of text and styles and replaces the rest, so the
// cost of an update is the text that changed and a selection before it survives. Line height, fonts
// and colours are set again whenever they change, also on an item that the list reuses.
// Text without a style of its own takes font and colour of the TextEdit.
// Invariant: the document holds exactly the text of the block; its undo stack is off.
// Thread: UI.
#pragma once

#include <QtQml/qqmlregistration.h>
#include <QColor>
#include <QFont>
#include <QObject>
#include <QPointer>
#include <QQmlParserStatus>
#include <QQuickTextDocument>

#include "app/ui/markdown/block.h"
#include "app/ui/markdown/text_segments.h"

class QTextCharFormat;
class QTextCursor;
class QTextDocument;

namespace agens::markdown {

// A block on its way from a model through QML to a BlockText; QML sees nothing inside.
class BlockValue {
    Q_GADGET

 public:
    BlockPtr block;

    bool operator==(const BlockValue&) const = default;
};

class BlockText : public QObject, public QQmlParserStatus {
    Q_OBJECT
    Q_INTERFACES(QQmlParserStatus)
    Q_PROPERTY(QQuickTextDocument* document READ document WRITE setDocument NOTIFY documentChanged)
    Q_PROPERTY(agens::markdown::BlockValue block READ block WRITE setBlock NOTIFY blockChanged)
    // Which cell of a table (row * columns + column); -1: the text of the block.
    Q_PROPERTY(int cell READ cell WRITE setCell NOTIFY cellChanged)
    // Shows only the first lines (a folded code block); 0: all.
    Q_PROPERTY(int maximumLines READ maximumLines WRITE setMaximumLines NOTIFY maximumLinesChanged)
    Q_PROPERTY(qreal lineHeight READ lineHeight WRITE setLineHeight NOTIFY lineHeightChanged)
    Q_PROPERTY(QFont codeFont READ codeFont WRITE setCodeFont NOTIFY codeFontChanged)
    Q_PROPERTY(QColor codeBackground READ codeBackground WRITE setCodeBackground NOTIFY
                   codeBackgroundChanged)
    Q_PROPERTY(QColor linkColor READ linkColor WRITE setLinkColor NOTIFY linkColorChanged)
    QML_ELEMENT

 public:
    explicit BlockText(QObject* parent = nullptr) : QObject(parent) {}

    QQuickTextDocument* document() const { return m_document; }
    void setDocument(QQuickTextDocument* document);
    BlockValue block() const { return m_block; }
    void setBlock(const BlockValue& block);
    int cell() const { return m_cell; }
    void setCell(int cell);
    int maximumLines() const { return m_maximumLines; }
    void setMaximumLines(int lines);
    qreal lineHeight() const { return m_lineHeight; }
    void setLineHeight(qreal pixels);
    QFont codeFont() const { return m_codeFont; }
    void setCodeFont(const QFont& font);
    QColor codeBackground() const { return m_codeBackground; }
    void setCodeBackground(const QColor& color);
    QColor linkColor() const { return m_linkColor; }
    void setLinkColor(const QColor& color);

    // The address behind an anchor of linkActivated; empty for an unknown one.
    Q_INVOKABLE QString linkAddress(const QString& anchor) const;
    Q_INVOKABLE QString copyAsText() const;
    Q_INVOKABLE QString copyAsMarkdown() const;

    void classBegin() override { m_isComplete = false; }
    void componentComplete() override;

 signals:
    void documentChanged();
    void blockChanged();
    void cellChanged();
    void maximumLinesChanged();
    void lineHeightChanged();
    void codeFontChanged();
    void codeBackgroundChanged();
    void linkColorChanged();

 private:
    QTextDocument* textDocument() const;
    SegmentedText wantedText() const;
    QTextCharFormat formatOf(const TextSegment& segment) const;
    void fill();
    void replaceFrom(QTextCursor& cursor, int kept, const SegmentedText& wanted);
    void setLineHeights(QTextCursor& cursor);
    void formatsChanged();

    QPointer<QQuickTextDocument> m_document;
    BlockValue m_block;
    int m_cell = -1;
    int m_maximumLines = 0;
    qreal m_lineHeight = 0;  // 0: natural
    QFont m_codeFont;
    QColor m_codeBackground;
    QColor m_linkColor;

    bool m_isComplete = true;  // false while QML sets the first values
    SegmentedText m_shown;     // what the document holds
    bool m_isStale = true;     // the document holds something else, or with other formats
    bool m_hasOtherLineHeight = true;
};

}  // namespace agens::markdown
