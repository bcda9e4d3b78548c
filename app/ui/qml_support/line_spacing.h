// SPDX-License-Identifier: Apache-2.0
// LineSpacing: gives every line of a read-only TextEdit the same height, which the item itself
// cannot do; mixed scripts then do not jump. Markdown blocks have BlockText instead.
//
// It turns the document's undo stack off, so it is not for texts that are edited.
// Thread: UI.
#pragma once

#include <QObject>
#include <QPointer>
#include <QQuickTextDocument>

namespace agens::ui {

class LineSpacing : public QObject {
    Q_OBJECT
    Q_PROPERTY(QQuickTextDocument* document READ document WRITE setDocument NOTIFY documentChanged)
    Q_PROPERTY(qreal lineHeight READ lineHeight WRITE setLineHeight NOTIFY lineHeightChanged)

 public:
    explicit LineSpacing(QObject* parent = nullptr) : QObject(parent) {}

    QQuickTextDocument* document() const { return m_document; }
    void setDocument(QQuickTextDocument* document);
    qreal lineHeight() const { return m_lineHeight; }
    void setLineHeight(qreal pixels);

 signals:
    void documentChanged();
    void lineHeightChanged();

 private:
    void apply();

    QPointer<QQuickTextDocument> m_document;
    qreal m_lineHeight = 0;  // 0: natural
    bool m_isApplying = false;
};

}  // namespace agens::ui
