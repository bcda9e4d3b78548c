// SPDX-License-Identifier: Apache-2.0
// MessageEditor: a user message being changed in place. Its text lives in the transcript, so that a
// row that leaves the view loses nothing.
import QtQuick
import QtQuick.Controls.Basic
import Agens

Column {
    id: editor

    required property Item view

    spacing: 8
    TextArea {
        id: area
        width: parent.width
        text: editor.view.editedText
        textFormat: TextEdit.PlainText
        wrapMode: TextArea.Wrap
        font: Theme.fontProse
        color: Theme.text
        selectionColor: Theme.accent
        selectedTextColor: Theme.accentText
        leftPadding: 15
        rightPadding: 15
        topPadding: 11
        bottomPadding: 11
        selectByMouse: true
        Keys.onTabPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)  // no tab character
        Accessible.name: qsTr("Change the message")
        Component.onCompleted: {
            forceActiveFocus()
            cursorPosition = length
        }
        onTextChanged: if (text !== editor.view.editedText) editor.view.editedText = text
        Keys.onShortcutOverride: event => event.accepted = event.key === Qt.Key_Escape
        Keys.onEscapePressed: editor.view.finishEdit(false)
        Keys.onPressed: event => {
            const isReturn = event.key === Qt.Key_Return || event.key === Qt.Key_Enter
            if (!isReturn || !(event.modifiers & Qt.ControlModifier) || area.inputMethodComposing) return
            event.accepted = true
            editor.view.finishEdit(true)
        }
        background: Rectangle {
            radius: Theme.radiusBubble
            color: Theme.surface
            border.width: area.activeFocus ? 2 : 1
            border.color: area.activeFocus ? Theme.accent : Theme.borderStrong
        }
    }
    Flow {
        width: parent.width
        spacing: 8
        layoutDirection: Qt.RightToLeft
        PushButton {
            id: save
            primary: true
            enabled: area.text.trim() !== ""
            text: qsTr("Save as new version")
            onClicked: editor.view.finishEdit(true)
        }
        PushButton {
            text: qsTr("Cancel")
            Accessible.description: qsTr("Leaves the message as it is")
            onClicked: editor.view.finishEdit(false)
        }
    }
}
