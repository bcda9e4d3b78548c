// SPDX-License-Identifier: Apache-2.0
// IconButton: a button that shows only an icon; `text` is its name for screen readers and its tip.
import QtQuick
import QtQuick.Controls.Basic
import Agens

AbstractButton {
    id: button

    required property string glyph
    property bool small: false
    property color iconColor: Theme.text2
    property string shortcutText

    implicitWidth: small ? Theme.iconButtonSmall : Theme.iconButton
    implicitHeight: implicitWidth
    Accessible.role: Accessible.Button
    Accessible.name: text
    focusPolicy: Qt.TabFocus
    opacity: enabled ? 1 : 0.45
    Keys.onReturnPressed: clicked()
    Keys.onEnterPressed: clicked()

    ToolTip.text: shortcutText ? qsTr("%1 (%2)", "tip: what a button does, its key").arg(text).arg(shortcutText)
                               : text
    ToolTip.visible: (hovered || visualFocus) && text !== ""
    ToolTip.delay: Theme.toolTipDelay

    background: Rectangle {
        radius: Theme.radiusControl
        color: button.hovered || button.down || button.checked ? Theme.hover : "transparent"
        FocusRing { shown: button.visualFocus; distance: 0 }
    }
    contentItem: Item {
        Icon {
            anchors.centerIn: parent
            name: button.glyph
            color: button.iconColor
            size: button.small ? 17 : 18
        }
    }
}
