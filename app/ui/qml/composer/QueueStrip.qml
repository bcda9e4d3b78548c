// SPDX-License-Identifier: Apache-2.0
// QueueStrip: the message that is sent when this reply ends. After a stop it waits for a word.
import QtQuick
import Agens

Rectangle {
    id: strip

    signal editWanted(string text)

    visible: Chat.queuedText !== ""
    implicitHeight: visible ? Theme.px(42) : 0
    radius: Theme.radiusPanel
    color: Theme.surface
    border.width: 1
    border.color: Theme.border
    Accessible.role: Accessible.Grouping
    Accessible.name: qsTr("Queued message")

    Chip {
        id: next
        x: 13
        anchors.verticalCenter: parent.verticalCenter
        text: qsTr("Next", "message in the queue")
    }
    Words {
        anchors { left: next.right; leftMargin: 10; right: buttons.left; rightMargin: 8; verticalCenter: parent.verticalCenter }
        text: Chat.queuedText.replace(/\s+/g, " ")
        elide: Text.ElideRight
    }
    Row {
        id: buttons
        anchors { right: parent.right; rightMargin: 6; verticalCenter: parent.verticalCenter }
        PushButton {
            visible: Chat.state === "idle" && Models.loaded
            quiet: true
            text: qsTr("Send next")
            wordColor: Theme.accent
            onClicked: Chat.sendQueued()
        }
        IconButton {
            glyph: "edit"
            text: qsTr("Edit the queued message")
            onClicked: {
                const text = Chat.queuedText
                Chat.clearQueue()
                strip.editWanted(text)
            }
        }
        IconButton {
            glyph: "close"
            text: qsTr("Remove the queued message")
            onClicked: Chat.clearQueue()
        }
    }
}
