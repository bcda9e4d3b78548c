// SPDX-License-Identifier: Apache-2.0
// Facts: below the composer: why nothing can be sent, or what the next message costs; right: how full
// the context is.
import QtQuick
import Agens

Item {
    id: facts

    property bool isBusy: false
    readonly property real fraction: Chat.contextTotal > 0 ? Chat.contextUsed / Chat.contextTotal : 0

    implicitHeight: Math.max(Theme.lineMeta, left.height)

    Words {
        id: left
        anchors { left: parent.left; right: gauge.visible ? gauge.left : parent.right; rightMargin: 12 }
        text: Chat.sendProblem || Chat.factsText
              || (facts.isBusy ? qsTr("Enter queues · Esc stops") : "")
        font: Theme.fontMeta
        color: Theme.text3
        wrapMode: Text.Wrap
        lineHeightMode: Text.FixedHeight
        lineHeight: Theme.lineMeta
        maximumLineCount: 3
        elide: Text.ElideRight
    }
    Row {
        id: gauge
        anchors { right: parent.right; top: parent.top }
        visible: Chat.contextTotal > 0
        spacing: 8
        Accessible.role: Accessible.Indicator
        Accessible.name: qsTr("Context: %1").arg(figures.text)
        Rectangle {
            anchors.verticalCenter: parent.verticalCenter
            width: Theme.px(72)
            height: Theme.px(6)
            radius: height / 2
            color: Theme.hover
            Rectangle {
                visible: Chat.contextUsed > 0
                width: Math.min(parent.width, Math.max(3, parent.width * facts.fraction))
                height: parent.height
                radius: parent.radius
                color: facts.fraction >= 1 ? Theme.danger : Theme.accent
            }
        }
        Words {
            id: figures
            text: qsTr("%1 of %2", "tokens used of the context").arg(Theme.grouped(Chat.contextUsed))
                .arg(Theme.grouped(Chat.contextTotal))
            font: Theme.fontMeta
            color: facts.fraction >= 1 ? Theme.danger : Theme.text3
            Accessible.ignored: true
        }
    }
}
