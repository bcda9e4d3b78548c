// SPDX-License-Identifier: Apache-2.0
// PushButton: a button with words: plain (edge), primary (filled) or quiet (no edge until hovered).
import QtQuick
import QtQuick.Controls.Basic
import Agens

AbstractButton {
    id: button

    property string glyph
    property bool primary: false
    property bool quiet: false
    property color wordColor: primary ? Theme.accentText : Theme.text

    implicitHeight: Theme.controlHeight
    implicitWidth: words.implicitWidth + leftPadding + rightPadding + (glyph ? mark.width + row.spacing : 0)
    leftPadding: 14
    rightPadding: 14
    Accessible.role: Accessible.Button
    Accessible.name: text
    focusPolicy: Qt.TabFocus
    opacity: enabled ? 1 : 0.55
    Keys.onReturnPressed: clicked()
    Keys.onEnterPressed: clicked()

    background: Rectangle {
        radius: Theme.radiusControl
        color: button.primary ? Theme.accent
             : button.hovered || button.down ? Theme.hover
             : button.quiet ? "transparent" : Theme.surface
        border.width: button.primary || button.quiet ? 0 : 1
        border.color: Theme.borderStrong
        FocusRing { shown: button.visualFocus }
    }
    contentItem: Item {
        Row {
            id: row
            anchors.centerIn: parent
            spacing: 8
            Icon {
                id: mark
                visible: button.glyph !== ""
                name: button.glyph
                size: 17
                color: button.wordColor
                anchors.verticalCenter: parent.verticalCenter
            }
            Words {
                id: words
                text: button.text
                font: Theme.fontLabel
                color: button.wordColor
                elide: Text.ElideRight
                width: Math.min(implicitWidth, button.availableWidth - (button.glyph ? mark.width + row.spacing : 0))
                anchors.verticalCenter: parent.verticalCenter
                Accessible.ignored: true
            }
        }
    }
}
