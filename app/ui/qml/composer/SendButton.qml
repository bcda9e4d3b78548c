// SPDX-License-Identifier: Apache-2.0
// SendButton: a round Send, or Stop with its key.
import QtQuick
import QtQuick.Controls.Basic
import Agens

AbstractButton {
    id: button

    property bool isStop: false
    property bool isCompact: false
    readonly property color wordColor: isStop ? Theme.window : Theme.accentText

    text: isStop ? qsTr("Stop") : qsTr("Send message")
    implicitHeight: Theme.px(36)
    implicitWidth: isStop ? words.width + 26 : implicitHeight
    Accessible.role: Accessible.Button
    focusPolicy: Qt.TabFocus
    opacity: enabled ? 1 : 0.45
    Accessible.name: isStop ? qsTr("Stop the reply") : text
    Keys.onReturnPressed: clicked()
    Keys.onEnterPressed: clicked()
    ToolTip.text: isStop ? qsTr("Stop the reply (Esc)") : qsTr("Send message (Enter)")
    ToolTip.visible: hovered
    ToolTip.delay: Theme.toolTipDelay

    background: Rectangle {
        radius: height / 2
        color: button.isStop ? Theme.text : Theme.accent
        FocusRing { shown: button.visualFocus; radius: height / 2 }
    }
    contentItem: Item {
        Icon {
            visible: !button.isStop
            anchors.centerIn: parent
            name: "send"
            size: 20
            color: button.wordColor
        }
        Row {
            id: words
            visible: button.isStop
            anchors.centerIn: parent
            spacing: 7
            Icon {
                name: "stop"
                size: 16
                color: button.wordColor
                anchors.verticalCenter: parent.verticalCenter
            }
            Words {
                text: qsTr("Stop")
                font: Theme.fontLabel
                color: button.wordColor
                anchors.verticalCenter: parent.verticalCenter
                Accessible.ignored: true
            }
            Words {
                visible: !button.isCompact
                text: qsTr("Esc", "key")
                font: Theme.fontMeta
                color: button.wordColor
                anchors.verticalCenter: parent.verticalCenter
                Accessible.ignored: true
            }
        }
    }
}
