// SPDX-License-Identifier: Apache-2.0
// PrefillRow: the model reads the conversation. Shown only when that takes long enough to be noticed.
import QtQuick
import Agens

TranscriptRow {
    id: row

    topGap: 16
    contentHeight: words.height
    Accessible.name: words.text

    Timer {
        id: patience
        property bool isOver: false
        interval: 300
        running: true
        onTriggered: isOver = true
    }
    Icon {
        id: mark
        visible: words.visible
        y: (Theme.lineLabel - height) / 2
        name: "running"
        size: 16
        color: Theme.accent
    }
    Words {
        id: words
        anchors { left: mark.right; leftMargin: 6; right: parent.right }
        visible: patience.isOver && text !== ""
        text: Chat.prefillText || row.model.noticeText || ""
        font: Theme.fontSecondary
        color: Theme.text2
        wrapMode: Text.Wrap
        lineHeightMode: Text.FixedHeight
        lineHeight: Theme.lineLabel
    }
}
