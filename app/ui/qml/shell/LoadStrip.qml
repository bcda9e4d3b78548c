// SPDX-License-Identifier: Apache-2.0
// LoadStrip: how far loading the model is, above the composer.
import QtQuick
import Agens

Rectangle {
    visible: Models.loading
    implicitHeight: visible ? Math.max(content.height, cancel.height) + 38 : 0
    radius: Theme.radiusPanel
    color: Theme.surface
    border.width: 1
    border.color: Theme.border
    Accessible.role: Accessible.Grouping
    Accessible.name: qsTr("Loading the model")

    Column {
        id: content
        anchors { left: parent.left; leftMargin: 18; right: cancel.left; rightMargin: 26; verticalCenter: parent.verticalCenter }
        spacing: 10
        Flow {
            width: parent.width
            spacing: 14
            Words {
                text: Models.loadStep
                font: Theme.fontLabel
            }
            Words {
                visible: text !== ""
                width: Math.min(implicitWidth, parent.width)
                text: Models.loadText
                font: Theme.fontSecondary
                color: Theme.text2
                wrapMode: Text.Wrap
                topPadding: 1
            }
        }
        ProgressLine {
            width: parent.width
            name: Models.loadStep
            fraction: Models.loadTotal > 0 ? Models.loadDone / Models.loadTotal : 0
        }
    }
    PushButton {
        id: cancel
        anchors { right: parent.right; rightMargin: 14; verticalCenter: parent.verticalCenter }
        text: qsTr("Cancel")
        Accessible.description: qsTr("Stops loading the model")
        onClicked: Models.cancelLoad()
    }
}
