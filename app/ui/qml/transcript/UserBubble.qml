// SPDX-License-Identifier: Apache-2.0
// UserBubble: a message of the user, right-aligned, with versions, edit and copy below; edited in place.
import QtQuick
import QtQuick.Controls.Basic
import Agens

TranscriptRow {
    id: row

    readonly property string questionText: model.text
    readonly property bool isEdited: view !== null && view.editedId !== "" && view.editedId === messageId
    readonly property bool showsActions: isHovered || isChosen || (view !== null && index === view.lastQuestion)
                                         || model.siblingCount > 1

    function switchBy(delta: int) {
        Chat.switchSibling(messageId, delta)
    }

    isQuestion: true
    onIndexChanged: if (view !== null) view.noteQuestion(index)
    Component.onCompleted: if (view !== null) view.noteQuestion(index)
    topGap: 20
    contentHeight: isEdited ? editor.height + 8 : bubble.height + actions.height + 4
    Accessible.name: model.accessibleText || qsTr("You: %1").arg(model.text)

    Rectangle {
        id: bubble
        readonly property real widest: Math.floor(0.85 * parent.width)
        visible: !row.isEdited
        anchors.right: parent.right
        width: Math.min(widest, Math.ceil(words.implicitWidth) + 32)
        height: words.height + 22
        radius: Theme.radiusBubble
        color: Theme.user
        TextEdit {
            id: words
            x: 16
            y: 8
            width: Math.min(Math.ceil(implicitWidth), bubble.widest - 32)
            text: row.model.text
            readOnly: true
            selectByMouse: true
            textFormat: TextEdit.PlainText
            wrapMode: TextEdit.Wrap
            font: Theme.fontProse
            color: Theme.text
            selectionColor: Theme.accent
            selectedTextColor: Theme.accentText
            Accessible.role: Accessible.Paragraph
            Accessible.name: text
            LineSpacing {
                document: words.textDocument
                lineHeight: Theme.lineProse
            }
        }
    }
    Row {
        id: actions
        visible: !row.isEdited
        opacity: row.showsActions ? 1 : 0
        anchors { right: parent.right; top: bubble.bottom; topMargin: 2 }
        BranchSwitch {
            siblingIndex: row.model.siblingIndex ?? 0
            siblingCount: row.model.siblingCount ?? 1
            tabStop: row.hasTabStops
            onMoved: delta => row.switchBy(delta)
        }
        Item { width: 6; height: 1 }
        IconButton {
            small: true
            glyph: "edit"
            text: qsTr("Edit")
            activeFocusOnTab: row.hasTabStops || activeFocus
            onClicked: row.view.startEdit(row.messageId, row.model.text)
        }
        IconButton {
            small: true
            glyph: "copy"
            text: qsTr("Copy the message")
            activeFocusOnTab: row.hasTabStops || activeFocus
            onClicked: Chat.copyMessage(row.messageId)
        }
    }
    Loader {
        id: editor
        active: row.isEdited
        visible: active
        anchors.right: parent.right
        width: bubble.widest
        sourceComponent: MessageEditor { view: row.view }
    }
}
