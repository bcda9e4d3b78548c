// SPDX-License-Identifier: Apache-2.0
// ConversationRow: one chat of the list: title, state mark, menu; its title can be typed in place.
import QtQuick
import QtQuick.Controls.Basic
import Agens

Item {
    id: row

    required property var model
    required property int index
    readonly property bool isChat: true
    readonly property string conversationId: model.conversationId
    readonly property bool isCurrent: model.current === true
    property bool isRenamed: false
    property bool hasKeyboard: false

    signal opened
    signal renameWanted
    signal renameFinished(string title)  // empty: keep the title

    height: Theme.rowHeight
    Accessible.role: Accessible.ListItem
    Accessible.name: model.running ? qsTr("%1, a reply is being written").arg(model.title) : model.title
    Accessible.focusable: true
    Accessible.focused: hasKeyboard
    Accessible.selected: isCurrent
    Accessible.onPressAction: opened()

    function showMenu() {
        menu.popup(more, 0, more.height)
    }

    HoverHandler { id: hover }
    TapHandler {
        onTapped: row.opened()
        onDoubleTapped: row.renameWanted()
    }
    TapHandler {
        acceptedButtons: Qt.RightButton
        onTapped: row.showMenu()
    }

    Rectangle {
        anchors { fill: parent; leftMargin: 8; rightMargin: 8; topMargin: 1; bottomMargin: 1 }
        radius: Theme.radiusControl
        color: row.isCurrent ? Theme.selected : hover.hovered ? Theme.hover : "transparent"
        FocusRing { shown: row.hasKeyboard; distance: -2 }

        Words {
            id: title
            visible: !row.isRenamed
            anchors { left: parent.left; leftMargin: 12; right: marks.left; rightMargin: 6; verticalCenter: parent.verticalCenter }
            text: row.model.title
            color: row.isCurrent ? Theme.text : Theme.text2
            font: row.isCurrent ? Theme.fontLabel : Theme.fontRow
            elide: Text.ElideRight
            Accessible.ignored: true
        }
        Row {
            id: marks
            anchors { right: parent.right; rightMargin: 4; verticalCenter: parent.verticalCenter }
            visible: !row.isRenamed
            Icon {
                visible: row.model.running === true
                name: "running"
                size: 16
                color: Theme.accent
                anchors.verticalCenter: parent.verticalCenter
            }
            Icon {
                visible: row.model.pinned === true && !more.visible
                name: "pin"
                size: 15
                color: Theme.text3
                anchors.verticalCenter: parent.verticalCenter
            }
            Item { width: 6; height: 1; visible: !more.visible }
            IconButton {
                id: more
                visible: hover.hovered || row.isCurrent || row.hasKeyboard || menu.visible
                small: true
                glyph: "more"
                text: qsTr("Menu of %1").arg(row.model.title)
                focusPolicy: Qt.NoFocus
                ToolTip.visible: false
                onClicked: row.showMenu()
            }
        }
        Loader {
            anchors { fill: parent; margins: 2 }
            active: row.isRenamed
            sourceComponent: Field {
                name: qsTr("Title of the chat")
                text: row.model.title
                Component.onCompleted: {
                    selectAll()
                    forceActiveFocus()
                }
                onAccepted: row.renameFinished(text)
                onActiveFocusChanged: if (!activeFocus && row.isRenamed) row.renameFinished(text)
                onCancelled: row.renameFinished("")
            }
        }
    }

    AppMenu {
        id: menu
        AppMenuItem {
            glyph: "edit"
            text: qsTr("Rename")
            keyText: qsTr("F2", "key")
            onTriggered: row.renameWanted()
        }
        AppMenuItem {
            glyph: "delete"
            text: qsTr("Delete")
            keyText: qsTr("Del", "key")
            wordColor: Theme.danger
            onTriggered: Chat.remove(row.conversationId)
        }
    }
}
