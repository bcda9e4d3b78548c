// SPDX-License-Identifier: Apache-2.0
// ChoiceButton: one of a few values of which exactly one holds. The value is not kept here: `checked`
// is bound to where it lives, `chosen` asks for the change.
import QtQuick
import QtQuick.Controls.Basic
import Agens

AbstractButton {
    id: choice

    signal chosen

    implicitHeight: Theme.controlHeight
    implicitWidth: words.implicitWidth + 2 * 14
    Accessible.name: text
    focusPolicy: Qt.TabFocus
    Accessible.role: Accessible.RadioButton
    Accessible.checkable: true
    Accessible.checked: checked
    Keys.onReturnPressed: clicked()
    Keys.onEnterPressed: clicked()
    onClicked: chosen()

    background: Rectangle {
        radius: Theme.radiusControl
        color: choice.checked ? Theme.selected : choice.hovered ? Theme.hover : Theme.surface
        border.width: choice.checked ? 2 : 1
        border.color: choice.checked ? Theme.accent : Theme.borderStrong
        FocusRing { shown: choice.visualFocus }
    }
    contentItem: Item {
        Words {
            id: words
            anchors.centerIn: parent
            text: choice.text
            font: Theme.fontLabel
            Accessible.ignored: true
        }
    }
}
