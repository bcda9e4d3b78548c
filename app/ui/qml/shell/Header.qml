// SPDX-License-Identifier: Apache-2.0
// Header: title of the chat and the model that answers in it. Below 600 px the model has its own line.
import QtQuick
import Agens

Item {
    id: header

    property bool showsDrawerButton: false
    property bool isTwoLines: false

    signal drawerWanted
    signal openModelWanted

    function openModelPopover() {
        (isTwoLines ? modelBelow : modelBeside).openPopover()
    }

    implicitHeight: Theme.headerHeight + (isTwoLines ? Theme.secondLineHeight : 0)

    Item {
        id: firstLine
        width: parent.width
        height: Theme.headerHeight
        IconButton {
            id: drawerButton
            x: 10
            anchors.verticalCenter: parent.verticalCenter
            visible: header.showsDrawerButton
            glyph: "menu"
            text: qsTr("Show the chat list")
            shortcutText: qsTr("Ctrl+B", "key")
            onClicked: header.drawerWanted()
        }
        Words {
            anchors {
                left: header.showsDrawerButton ? drawerButton.right : parent.left
                leftMargin: header.showsDrawerButton ? 8 : 24
                right: modelBeside.visible ? modelBeside.left : parent.right
                rightMargin: 16
                verticalCenter: parent.verticalCenter
            }
            text: Chat.title || qsTr("New chat")
            font: Theme.fontTitle
            elide: Text.ElideRight
            Accessible.role: Accessible.Heading
        }
        ModelButton {
            id: modelBeside
            visible: !header.isTwoLines
            anchors { right: parent.right; rightMargin: 16; verticalCenter: parent.verticalCenter }
            width: Math.min(implicitWidth, header.width * 0.6)
            onOpenModelWanted: header.openModelWanted()
        }
        Rectangle { anchors.bottom: parent.bottom; width: parent.width; height: 1; color: Theme.border }
    }
    Rectangle {
        visible: header.isTwoLines
        anchors { top: firstLine.bottom; bottom: parent.bottom; left: parent.left; right: parent.right }
        color: Theme.surface
        ModelButton {
            id: modelBelow
            x: 8
            anchors.verticalCenter: parent.verticalCenter
            width: Math.min(implicitWidth, parent.width - 16)
            hasEdge: false
            onOpenModelWanted: header.openModelWanted()
        }
        Rectangle { anchors.bottom: parent.bottom; width: parent.width; height: 1; color: Theme.border }
    }
}
