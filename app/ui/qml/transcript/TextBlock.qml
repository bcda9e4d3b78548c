// SPDX-License-Identifier: Apache-2.0
// TextBlock: paragraph, heading, list item or quote of a reply.
import QtQuick
import Agens

TranscriptRow {
    id: row

    readonly property string kind: model.rowKind
    readonly property bool isHeading: kind === "heading"
    readonly property int quoteDepth: model.quoteDepth ?? 0
    readonly property int quoteAbove: model.quoteAbove ?? 0
    readonly property int listDepth: model.listDepth ?? 0
    readonly property int checked: model.checked ?? -1
    readonly property real quoteWidth: quoteDepth * Theme.px(16)

    topGap: model.firstOfMessage ? 16 : isHeading ? 20 : kind === "listItem" ? 6 : kind === "quote" && quoteAbove > 0 ? 8 : 12
    contentHeight: words.height

    Repeater {
        model: row.quoteDepth
        Rectangle {
            required property int index
            x: index * Theme.px(16)
            readonly property real bridge: index < row.quoteAbove ? row.topGap : 0
            y: -bridge
            width: 3
            height: words.height + bridge
            radius: 1.5
            color: Theme.borderStrong
        }
    }
    Words {
        visible: row.checked < 0 && text !== ""
        x: words.x - width - Theme.px(8)
        y: Theme.px(3)  // where BlockText puts the words of a line
        text: row.model.marker ?? ""
        font: Theme.fontProse
        color: Theme.text2
        lineHeightMode: Text.FixedHeight
        lineHeight: Theme.lineProse
        Accessible.ignored: true
    }
    Icon {
        visible: row.checked >= 0
        x: words.x - width - Theme.px(6)
        y: (Theme.lineProse - height) / 2 + Theme.px(2)
        name: row.checked === 1 ? "task-done" : "task-open"
        color: row.checked === 1 ? Theme.accent : Theme.text2
    }
    BlockEdit {
        id: words
        x: row.quoteWidth + row.listDepth * Theme.px(26)
        width: parent.width - x
        block: row.model.block
        font: row.isHeading ? Qt.font({pixelSize: Theme.headingSize(row.model.level), weight: Font.DemiBold})
                            : Theme.fontProse
        lineHeight: row.isHeading ? Math.round(1.4 * Theme.headingSize(row.model.level)) : Theme.lineProse
        color: row.kind === "quote" ? Theme.text2 : Theme.text
        showsCaret: row.model.isStreaming === true
        Accessible.role: row.isHeading ? Accessible.Heading
                       : row.kind === "listItem" ? Accessible.ListItem : Accessible.Paragraph
        Accessible.name: row.checked === 1 ? qsTr("Done: %1").arg(text)
                       : row.checked === 0 ? qsTr("Open: %1", "a task").arg(text) : text
        onLinkWanted: address => row.view.linkActivated(address)
    }
}
