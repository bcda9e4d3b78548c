// SPDX-License-Identifier: Apache-2.0
// Banner: what went wrong, with figures, what did not happen, and the best way out. It stays until it
// is solved or closed. An item with this role that becomes visible is read out with its name.
import QtQuick
import Agens

Rectangle {
    id: banner

    readonly property var shown: App.banner

    visible: shown !== null && shown !== undefined
    implicitHeight: visible ? content.height + 28 : 0
    radius: Theme.radiusPanel
    color: Theme.dangerBg
    border.width: 1
    border.color: Theme.danger
    Accessible.role: Accessible.AlertMessage
    Accessible.name: banner.shown?.title ?? ""
    Accessible.description: banner.shown?.text ?? ""

    Icon {
        x: 16
        y: 15
        name: "warning"
        size: 19
        color: Theme.danger
    }
    Column {
        id: content
        x: 48
        y: 14
        width: parent.width - x - 48
        spacing: 4
        Words {
            width: parent.width
            text: banner.shown?.title ?? ""
            font: Theme.fontTitle
            wrapMode: Text.Wrap
            Accessible.role: Accessible.Heading
        }
        Words {
            width: parent.width
            visible: text !== ""
            text: [banner.shown?.text ?? "", banner.shown?.remedy ?? ""].filter(part => part !== "").join(" ")
            wrapMode: Text.Wrap
            lineHeightMode: Text.FixedHeight
            lineHeight: Theme.px(22)
        }
        Item { width: 1; height: 4; visible: action.visible }
        PushButton {
            id: action
            visible: text !== ""
            primary: true
            text: banner.shown?.actionText ?? ""
            width: Math.min(implicitWidth, parent.width)
            onClicked: App.bannerAction(banner.shown.actionId)
        }
    }
    IconButton {
        anchors { right: parent.right; top: parent.top; margins: 8 }
        glyph: "close"
        text: qsTr("Close this message")
        onClicked: App.dismissBanner()
    }
}
