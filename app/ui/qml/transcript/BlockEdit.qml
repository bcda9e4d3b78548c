// SPDX-License-Identifier: Apache-2.0
// BlockEdit: the words of one Markdown block: selectable, never read as rich text (BlockText).
import QtQuick
import Agens

TextEdit {
    id: edit

    required property var block
    property alias cell: filler.cell
    property alias maximumLines: filler.maximumLines
    property alias lineHeight: filler.lineHeight
    property bool showsCaret: false

    signal linkWanted(string address)

    function placeCaret() {
        if (showsCaret) caret.place = positionToRectangle(length)
    }

    readOnly: true
    selectByMouse: true
    activeFocusOnPress: true
    textFormat: TextEdit.PlainText
    wrapMode: TextEdit.Wrap
    font: Theme.fontProse
    color: Theme.text
    selectionColor: Theme.accent
    selectedTextColor: Theme.accentText
    Accessible.role: Accessible.Paragraph
    Accessible.name: text
    Accessible.readOnly: true
    onLinkActivated: anchor => linkWanted(filler.linkAddress(anchor))
    onContentSizeChanged: Qt.callLater(placeCaret)
    onTextChanged: Qt.callLater(placeCaret)
    onShowsCaretChanged: Qt.callLater(placeCaret)

    HoverHandler {
        enabled: edit.hoveredLink !== ""
        cursorShape: Qt.PointingHandCursor
    }
    BlockText {
        id: filler
        document: edit.textDocument
        block: edit.block
        lineHeight: Theme.lineProse
        codeFont: Theme.fontCode
        codeBackground: Theme.code
        linkColor: Theme.link
    }
    Rectangle {
        id: caret
        property rect place
        visible: edit.showsCaret
        x: Math.min(place.x + 2, edit.width - width)
        y: place.y + (place.height - height) / 2
        width: Theme.px(8)
        height: Theme.px(17)
        radius: 1
        color: Theme.accent
    }
}
