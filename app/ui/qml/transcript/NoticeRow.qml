// SPDX-License-Identifier: Apache-2.0
// NoticeRow: what happened to a reply: stopped, limit reached, interrupted, failed.
import QtQuick
import Agens

TranscriptRow {
    id: row

    // What a reply lost is a warning; what the user asked for or what only informs is not.
    readonly property bool isWarning: ["interrupted", "error"].includes(model.state) && !model.firstOfMessage
    readonly property color edgeColor: isWarning ? Theme.warn : Theme.border

    topGap: model.firstOfMessage ? 16 : 12
    contentHeight: box.height
    Accessible.name: words.text

    Rectangle {
        id: box
        width: parent.width
        height: words.height + 22
        radius: Theme.radiusBlock
        color: row.isWarning ? Theme.warnBg : Theme.surface
        border.width: 1
        border.color: row.edgeColor
        Icon {
            x: 14
            anchors.verticalCenter: parent.verticalCenter
            name: row.isWarning ? "warning" : "notice"
            size: 17
            color: row.isWarning ? Theme.warn : Theme.text2
        }
        Words {
            id: words
            x: Theme.px(28) + 14
            width: parent.width - x - 14
            anchors.verticalCenter: parent.verticalCenter
            text: row.model.noticeText || row.model.text || ""
            wrapMode: Text.Wrap
            lineHeightMode: Text.FixedHeight
            lineHeight: Theme.lineLabel
        }
    }
}
