// SPDX-License-Identifier: Apache-2.0
// AppearancePopover: light, dark or as the desktop says.
import QtQuick
import QtQuick.Controls.Basic
import Agens

Popover {
    id: popover

    name: qsTr("Appearance")
    onOpened: choices.itemAt(Math.max(0, choices.values.indexOf(App.theme))).forceActiveFocus()

    contentItem: Column {
        spacing: 10
        Words {
            text: popover.name
            font: Theme.fontTitle
            Accessible.role: Accessible.Heading
        }
        Row {
            spacing: 6
            Repeater {
                id: choices
                readonly property var values: ["system", "light", "dark"]
                model: [qsTr("System"), qsTr("Light"), qsTr("Dark")]
                ChoiceButton {
                    required property int index
                    required property string modelData
                    text: modelData
                    checked: App.theme === choices.values[index]
                    onChosen: App.setTheme(choices.values[index])
                }
            }
        }
        Row {
            id: sizes
            spacing: 4
            function change(percent: int) {
                App.setTextScale(Math.min(Theme.largestScale, Math.max(Theme.smallestScale, App.textScale + percent)))
            }
            Words {
                anchors.verticalCenter: parent.verticalCenter
                text: qsTr("Text size")
                rightPadding: 8
            }
            IconButton {
                glyph: "remove"
                text: qsTr("Smaller text")
                shortcutText: qsTr("Ctrl+−", "key")
                enabled: App.textScale > Theme.smallestScale
                onClicked: sizes.change(-10)
            }
            Words {
                anchors.verticalCenter: parent.verticalCenter
                width: Theme.px(48)
                horizontalAlignment: Text.AlignHCenter
                text: qsTr("%1 %", "percent").arg(App.textScale)
                font: Theme.fontLabel
            }
            IconButton {
                glyph: "add"
                text: qsTr("Larger text")
                shortcutText: qsTr("Ctrl++", "key")
                enabled: App.textScale < Theme.largestScale
                onClicked: sizes.change(10)
            }
        }
        Words {
            width: Math.min(implicitWidth, Theme.px(280))
            wrapMode: Text.Wrap
            lineHeightMode: Text.FixedHeight
            lineHeight: Theme.lineMeta
            text: App.blockedAttempts > 0
                ? qsTr("Attempts to reach the network that were refused: %1").arg(App.blockedAttempts)
                : qsTr("This program makes no connections.")
            font: Theme.fontMeta
            color: Theme.text3
        }
    }
}
