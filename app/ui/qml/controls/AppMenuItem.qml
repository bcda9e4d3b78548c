// SPDX-License-Identifier: Apache-2.0
// AppMenuItem: icon, words and the key that does the same.
import QtQuick
import QtQuick.Controls.Basic
import Agens

MenuItem {
    id: item

    property string glyph
    property string keyText
    property color wordColor: Theme.text

    implicitHeight: Theme.controlHeight
    padding: 0
    Accessible.role: Accessible.MenuItem
    Accessible.name: text
    background: Rectangle {
        radius: Theme.radiusControl
        color: item.highlighted ? Theme.hover : "transparent"
    }
    contentItem: Item {
        implicitWidth: Theme.px(44) + words.implicitWidth + Theme.px(20) + key.implicitWidth
        Icon {
            x: 10
            anchors.verticalCenter: parent.verticalCenter
            name: item.glyph
            size: 17
            color: item.wordColor
        }
        Words {
            id: words
            x: Theme.px(34)
            anchors.verticalCenter: parent.verticalCenter
            text: item.text
            color: item.wordColor
            Accessible.ignored: true
        }
        Words {
            id: key
            anchors { right: parent.right; rightMargin: 10; verticalCenter: parent.verticalCenter }
            text: item.keyText
            font: Theme.fontMeta
            color: Theme.text3
            Accessible.ignored: true
        }
    }
}
