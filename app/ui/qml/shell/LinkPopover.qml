// SPDX-License-Identifier: Apache-2.0
// LinkPopover: asks before a link of a reply leaves this program: host, whole address, Open, Copy.
// Nothing is opened without that click.
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Templates as T
import Agens

Popover {
    id: popover

    property string address
    readonly property string host: (/^[a-z]+:(?:\/\/)?(?:[^\/?#@]*@)?([^\/?#]*)/i.exec(address) ?? ["", ""])[1]

    function ask(wanted: string) {
        address = wanted
        if (wanted !== "") open()
    }

    name: qsTr("Open a link")
    modal: true
    width: Math.min(Theme.px(440), parent.width - 16)
    x: (parent.width - width) / 2
    y: (parent.height - height) / 2
    onOpened: copyButton.forceActiveFocus(Qt.TabFocusReason)

    contentItem: Column {
        spacing: 8
        Words {
            width: parent.width
            text: popover.host || popover.address
            font: Theme.fontTitle
            wrapMode: Text.WrapAnywhere
            Accessible.role: Accessible.Heading
        }
        Words {
            width: parent.width
            text: popover.address
            font: Theme.fontSecondary
            color: Theme.text2
            wrapMode: Text.WrapAnywhere
            maximumLineCount: 6
            elide: Text.ElideRight
        }
        Words {
            width: parent.width
            text: qsTr("Opening it starts another program, which may connect to the network.")
            font: Theme.fontMeta
            color: Theme.text3
            wrapMode: Text.Wrap
        }
        Row {
            spacing: 8
            PushButton {
                id: copyButton
                glyph: "copy"
                text: qsTr("Copy")
                onClicked: {
                    Chat.copyText(popover.address)
                    popover.close()
                }
            }
            PushButton {
                glyph: "link"
                text: qsTr("Open")
                onClicked: {
                    Qt.openUrlExternally(popover.address)
                    popover.close()
                }
            }
        }
    }
    T.Overlay.modal: Rectangle { color: Theme.scrim }
}
