// SPDX-License-Identifier: Apache-2.0
// FooterRow: below a reply: copy, regenerate, versions, speed. Actions show for the last reply, under
// the pointer and for the chosen message; their space is always kept, so nothing moves.
import QtQuick
import Agens

TranscriptRow {
    id: row

    // A reply that was never made is queued too, but nothing runs.
    readonly property bool isRunning: Chat.state !== "idle" && model.isLastReply === true
                                      && ["queued", "prefill", "reasoning", "text"].includes(model.state)
    readonly property bool showsActions: !isRunning && (model.isLastReply === true || isHovered || isChosen)

    function switchBy(delta: int) {
        Chat.switchSibling(messageId, delta)
    }

    isFooter: true
    topGap: 10
    contentHeight: line.height
    Accessible.name: [model.speedText ?? "", model.statsText ?? ""].filter(part => part !== "").join(", ")

    Flow {
        id: line
        x: row.isRunning ? 0 : -Theme.px(5)
        width: parent.width - x
        spacing: 2
        Row {
            visible: !row.isRunning
            opacity: row.showsActions ? 1 : 0
            spacing: 2
            IconButton {
                small: true
                glyph: "copy"
                text: qsTr("Copy the reply")
                activeFocusOnTab: row.hasTabStops || activeFocus
                onClicked: Chat.copyMessage(row.messageId)
            }
            IconButton {
                small: true
                glyph: "regenerate"
                text: qsTr("Regenerate")
                shortcutText: row.model.isLastReply ? qsTr("Ctrl+R", "key") : ""
                activeFocusOnTab: row.hasTabStops || activeFocus
                onClicked: {
                    row.view.showSent()
                    Chat.regenerate(row.messageId)
                }
            }
            BranchSwitch {
                siblingIndex: row.model.siblingIndex ?? 0
                siblingCount: row.model.siblingCount ?? 1
                tabStop: row.hasTabStops
                onMoved: delta => row.switchBy(delta)
            }
            Item { width: 8; height: 1 }
        }
        Row {
            height: Theme.iconButtonSmall
            spacing: 8
            Chip {
                visible: text !== ""
                text: row.model.speedText || (row.isRunning && Chat.tokensPerSecond > 0
                      ? qsTr("%1 tok/s").arg(Chat.tokensPerSecond.toFixed(1)) : "")
                anchors.verticalCenter: parent.verticalCenter
            }
            Words {
                visible: text !== "" && line.width >= Theme.px(480)
                text: row.model.statsText ?? ""
                font: Theme.fontMeta
                color: Theme.text3
                anchors.verticalCenter: parent.verticalCenter
            }
        }
    }
}
