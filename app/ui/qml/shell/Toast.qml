// SPDX-License-Identifier: Apache-2.0
// Toast: what was just done, with the way back while it is shown (10 s, longer under the pointer or
// the keyboard).
import QtQuick
import Agens

Rectangle {
    id: toast

    readonly property var shown: App.toast

    visible: shown !== null && shown !== undefined
    implicitWidth: content.implicitWidth + 24
    implicitHeight: Theme.px(46)
    radius: Theme.radiusPanel
    color: Theme.surface
    border.width: 1
    border.color: Theme.borderStrong
    Accessible.role: Accessible.AlertMessage
    Accessible.name: shown?.text ?? ""
    onShownChanged: countdown.restart()

    HoverHandler { id: hover }
    Timer {
        id: countdown
        interval: 10000
        running: toast.visible && !hover.hovered && !undo.activeFocus && !close.activeFocus
        onTriggered: App.dismissToast()
    }
    Row {
        id: content
        anchors.centerIn: parent
        spacing: 8
        Words {
            anchors.verticalCenter: parent.verticalCenter
            text: toast.shown?.text ?? ""
            leftPadding: 6
            elide: Text.ElideRight
            width: Math.min(implicitWidth, toast.Window.width - Theme.px(180))
        }
        PushButton {
            id: undo
            visible: toast.shown?.undo === true
            quiet: true
            glyph: "undo"
            text: qsTr("Undo")
            wordColor: Theme.accent
            onClicked: App.undoToast()
        }
        IconButton {
            id: close
            anchors.verticalCenter: parent.verticalCenter
            glyph: "close"
            text: qsTr("Close this note")
            onClicked: App.dismissToast()
        }
    }
}
