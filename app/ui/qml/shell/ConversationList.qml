// SPDX-License-Identifier: Apache-2.0
// ConversationList: groups and chats, paged by the model.
import QtQuick
import QtQuick.Controls.Basic
import Qt.labs.qmlmodels
import Agens

ListView {
    id: list

    property string renamedId  // the chat whose title is being typed; empty: none

    signal chatWanted(string conversationId)

    function renameOpenChat() {
        renamedId = Chat.conversationId
    }
    function finishRename(id: string, title: string) {
        renamedId = ""
        if (title.trim() !== "") Chat.rename(id, title.trim())
        forceActiveFocus()
    }
    function moveBy(step: int) {
        let row = currentIndex
        do row += step
        while (row >= 0 && row < count && !isChat(row))
        if (row >= 0 && row < count) currentIndex = row
    }
    function isChat(row: int): bool {
        positionViewAtIndex(row, ListView.Contain)  // a row outside the view has no item to ask
        const item = itemAtIndex(row)
        return item !== null && item.isChat
    }

    model: Chat.conversations
    clip: true
    reuseItems: true
    boundsBehavior: Flickable.StopAtBounds
    activeFocusOnTab: true
    keyNavigationEnabled: false
    currentIndex: -1
    Accessible.role: Accessible.List
    Accessible.name: qsTr("Chat list")

    ScrollBar.vertical: ScrollBar { focusPolicy: Qt.NoFocus }

    onActiveFocusChanged: if (activeFocus && currentIndex < 0) moveBy(1)
    Keys.onShortcutOverride: event => event.accepted = event.key === Qt.Key_F2  // not the open chat's title
    Keys.onUpPressed: moveBy(-1)
    Keys.onDownPressed: moveBy(1)
    Keys.onPressed: event => {
        if (currentItem === null || !currentItem.isChat) return
        event.accepted = true
        switch (event.key) {
        case Qt.Key_Return:
        case Qt.Key_Enter:
        case Qt.Key_Space: list.chatWanted(currentItem.conversationId); break
        case Qt.Key_F2: list.renamedId = currentItem.conversationId; break
        case Qt.Key_Delete: Chat.remove(currentItem.conversationId); break
        case Qt.Key_Menu: currentItem.showMenu(); break
        default: event.accepted = false
        }
    }

    delegate: DelegateChooser {
        role: "kind"
        DelegateChoice {
            roleValue: "group"
            Item {
                required property var model
                readonly property bool isChat: false
                width: list.width
                height: Theme.px(34)
                Words {
                    x: 20
                    anchors { bottom: parent.bottom; bottomMargin: 6 }
                    width: parent.width - 32
                    text: parent.model.group
                    font: Theme.fontGroup
                    color: Theme.text3
                    elide: Text.ElideRight
                    Accessible.role: Accessible.Heading
                }
            }
        }
        DelegateChoice {
            roleValue: "chat"
            ConversationRow {
                width: list.width
                isRenamed: list.renamedId !== "" && list.renamedId === conversationId
                hasKeyboard: list.activeFocus && ListView.isCurrentItem
                onOpened: {
                    list.currentIndex = index
                    list.chatWanted(conversationId)
                }
                onRenameWanted: list.renamedId = conversationId
                onRenameFinished: title => list.finishRename(conversationId, title)
            }
        }
    }
}
