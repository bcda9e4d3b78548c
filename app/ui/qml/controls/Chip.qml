// SPDX-License-Identifier: Apache-2.0
// Chip: a short fact on a rounded ground.
import QtQuick
import Agens

Rectangle {
    id: chip

    required property string text
    property color wordColor: Theme.text2

    implicitWidth: words.implicitWidth + 2 * Theme.px(9)
    implicitHeight: Theme.chipHeight
    radius: height / 2
    color: Theme.hover

    Words {
        id: words
        anchors.centerIn: parent
        text: chip.text
        font: Theme.fontMeta
        color: chip.wordColor
    }
}
