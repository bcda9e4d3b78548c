// SPDX-License-Identifier: Apache-2.0
// Field: one line of text. Esc takes the change back.
import QtQuick
import QtQuick.Controls.Basic
import Agens

TextField {
    id: field

    required property string name

    signal cancelled

    font: Theme.fontRow
    color: Theme.text
    placeholderTextColor: Theme.text3
    selectionColor: Theme.accent
    selectedTextColor: Theme.accentText
    leftPadding: 10
    rightPadding: 10
    topPadding: 0
    bottomPadding: 0
    implicitHeight: Theme.controlHeight
    verticalAlignment: TextInput.AlignVCenter
    selectByMouse: true
    Accessible.name: name
    Keys.onShortcutOverride: event => event.accepted = event.key === Qt.Key_Escape
    Keys.onEscapePressed: cancelled()

    background: Rectangle {
        radius: Theme.radiusControl
        color: Theme.surface
        border.width: field.activeFocus ? 2 : 1
        border.color: field.activeFocus ? Theme.accent : Theme.borderStrong
    }
}
