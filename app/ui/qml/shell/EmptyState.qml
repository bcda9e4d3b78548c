// SPDX-License-Identifier: Apache-2.0
// EmptyState: a chat without messages.
import QtQuick
import Agens

Item {
    id: empty

    readonly property bool hasNoModel: !Models.loaded && !Models.loading
    // The starter model says what it is for, and the way to a better one stands beside it.
    readonly property bool isForTrying: Models.loaded && Models.note !== ""

    signal openModelWanted

    Column {
        anchors { centerIn: parent; verticalCenterOffset: -Theme.px(40) }
        width: Math.min(parent.width - 32, Theme.px(620))
        spacing: 12
        Words {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            wrapMode: Text.Wrap
            text: qsTr("What do you want to know?")
            font: Theme.fontPageTitle
            Accessible.role: Accessible.Heading
        }
        Words {
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            wrapMode: Text.Wrap
            lineHeightMode: Text.FixedHeight
            lineHeight: Theme.lineLabel
            visible: text !== ""
            text: Models.loading ? qsTr("You can write while the model loads. The message is sent when it is ready.")
                : empty.hasNoModel ? qsTr("Choose a model file (.gguf) on this computer, or drop one here.")
                : empty.isForTrying ? Models.name + " · " + Models.note : ""
            color: Theme.text2
        }
        PushButton {
            visible: empty.hasNoModel || empty.isForTrying
            anchors.horizontalCenter: parent.horizontalCenter
            implicitHeight: Theme.px(38)
            primary: empty.hasNoModel
            glyph: "open"
            text: qsTr("Open a model…")
            onClicked: empty.openModelWanted()
        }
    }
}
