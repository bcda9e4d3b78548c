// SPDX-License-Identifier: Apache-2.0
// ModelPopover: what the chosen model is, where its file lies, and how to choose another.
import QtQuick
import QtQuick.Controls.Basic
import Agens

Popover {
    id: popover

    signal openModelWanted

    name: qsTr("Model")
    width: Math.min(Theme.px(420), parent.Window.width - 16)
    onOpened: openButton.forceActiveFocus(Qt.TabFocusReason)

    contentItem: Column {
        spacing: 6
        Words {
            width: parent.width
            text: Models.name || qsTr("No model is chosen")
            font: Theme.fontTitle
            wrapMode: Text.Wrap
            Accessible.role: Accessible.Heading
        }
        Words {
            width: parent.width
            visible: text !== ""
            text: Models.detail
            font: Theme.fontSecondary
            color: Theme.text2
            wrapMode: Text.Wrap
        }
        Chip {
            visible: Models.note !== ""
            text: Models.note
            color: Theme.warnBg
            wordColor: Theme.warn
        }
        Words {
            width: parent.width
            visible: text !== ""
            text: Models.path
            font: Theme.fontMeta
            color: Theme.text3
            wrapMode: Text.WrapAnywhere
        }
        Item { width: 1; height: 4 }
        Flow {
            width: parent.width
            spacing: 8
            PushButton {
                id: openButton
                glyph: "open"
                text: qsTr("Open a model…")
                primary: !Models.loaded && !Models.loading
                onClicked: popover.openModelWanted()
            }
            PushButton {
                visible: Models.path !== "" && !Models.loaded && !Models.loading
                glyph: "regenerate"
                text: qsTr("Load again")
                onClicked: {
                    popover.close()
                    Models.reload()
                }
            }
        }
    }
}
