// SPDX-License-Identifier: Apache-2.0
// Sidebar: the chats of this computer, and what the program may reach (nothing).
// The list is one stop of the keyboard; arrows move in it, Enter opens, F2 renames, Delete removes.
import QtQuick
import QtQuick.Controls.Basic
import Agens

Rectangle {
    id: sidebar

    signal collapseWanted
    signal newChatWanted
    signal chatWanted(string conversationId)

    color: Theme.sidebar
    Accessible.role: Accessible.Pane
    Accessible.name: qsTr("Chats")

    function renameCurrent() {
        chats.renameOpenChat()
    }

    Item {
        id: top
        width: parent.width
        height: Theme.headerHeight
        Rectangle {
            id: mark
            x: 16
            anchors.verticalCenter: parent.verticalCenter
            width: Theme.px(26)
            height: width
            radius: 7
            color: Theme.accent
            Words {
                anchors.centerIn: parent
                text: "A"
                font: Theme.fontTitle
                color: Theme.accentText
                Accessible.ignored: true
            }
        }
        Words {
            anchors { left: mark.right; leftMargin: 10; right: collapse.left; verticalCenter: parent.verticalCenter }
            text: qsTr("Agens Desktop")
            font: Theme.fontTitle
            elide: Text.ElideRight
        }
        IconButton {
            id: collapse
            anchors { right: parent.right; rightMargin: 12; verticalCenter: parent.verticalCenter }
            glyph: "sidebar"
            text: qsTr("Hide the chat list")
            shortcutText: qsTr("Ctrl+B", "key")
            onClicked: sidebar.collapseWanted()
        }
    }

    PushButton {
        id: newChat
        anchors { top: top.bottom; topMargin: 4; left: parent.left; right: parent.right; margins: 12 }
        glyph: "add"
        text: qsTr("New chat")
        onClicked: sidebar.newChatWanted()
    }

    ConversationList {
        id: chats
        anchors { top: newChat.bottom; topMargin: 8; left: parent.left; right: parent.right; bottom: foot.top }
        onChatWanted: id => sidebar.chatWanted(id)
    }

    Item {
        id: foot
        anchors { left: parent.left; right: parent.right; bottom: parent.bottom }
        height: Theme.px(48)
        Rectangle { width: parent.width; height: 1; color: Theme.border }
        Icon {
            id: shield
            x: 18
            anchors.verticalCenter: parent.verticalCenter
            name: "offline"
            size: 16
            color: Theme.ok
        }
        Words {
            anchors { left: shield.right; leftMargin: 8; right: settings.left; verticalCenter: parent.verticalCenter }
            text: qsTr("Offline · %1 connections", "network status").arg(App.connections)
            font: Theme.fontMeta
            color: Theme.text2
            elide: Text.ElideRight
        }
        IconButton {
            id: settings
            anchors { right: parent.right; rightMargin: 12; verticalCenter: parent.verticalCenter }
            glyph: "settings"
            text: qsTr("Appearance")
            onClicked: appearance.open()
            AppearancePopover {
                id: appearance
                x: settings.width - width
                y: -height - 16
            }
        }
    }
    Rectangle {
        anchors.right: parent.right
        width: 1
        height: parent.height
        color: Theme.border
    }
}
