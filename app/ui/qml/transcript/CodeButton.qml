// SPDX-License-Identifier: Apache-2.0
// CodeButton: a small button of a code block: icon and word.
import QtQuick
import QtQuick.Controls.Basic
import Agens

AbstractButton {
    id: button

    required property string glyph

    implicitHeight: Theme.iconButtonSmall
    implicitWidth: words.implicitWidth + Theme.px(16) + 24
    Accessible.role: Accessible.Button
    Accessible.name: text
    focusPolicy: Qt.TabFocus
    Keys.onReturnPressed: clicked()
    Keys.onEnterPressed: clicked()

    background: Rectangle {
        radius: Theme.radiusControl
        color: button.hovered || button.down || button.checked ? Theme.hover : "transparent"
        FocusRing { shown: button.visualFocus; distance: -1 }
    }
    contentItem: Item {
        Icon {
            id: mark
            x: 8
            anchors.verticalCenter: parent.verticalCenter
            name: button.glyph
            size: 15
        }
        Words {
            id: words
            anchors { left: mark.right; leftMargin: 6; verticalCenter: parent.verticalCenter }
            text: button.text
            font: Theme.fontMeta
            color: Theme.text2
            Accessible.ignored: true
        }
    }
}
