// SPDX-License-Identifier: Apache-2.0
// ModelButton: which model answers, and the popover that says what it is.
import QtQuick
import QtQuick.Controls.Basic
import Agens

AbstractButton {
    id: button

    property bool hasEdge: true
    readonly property int edgeGap: 12
    readonly property string stateText: Models.loading ? qsTr("loading", "state of the model")
        : Models.loaded ? Models.detail
        : Models.name !== "" ? qsTr("not loaded", "state of the model") : ""

    signal openModelWanted

    function openPopover() {
        popover.open()
    }

    text: Models.name || qsTr("Choose a model")
    implicitHeight: hasEdge ? Theme.controlHeight : Theme.px(32)
    implicitWidth: chip.width + nameWords.implicitWidth + expand.width + 2 * row.spacing + 2 * edgeGap
                   + (stateText ? detailWords.implicitWidth + row.spacing : 0)
    Accessible.role: Accessible.Button
    focusPolicy: Qt.TabFocus
    Accessible.name: stateText ? qsTr("Model %1, %2", "name, state").arg(text).arg(stateText) : text
    Accessible.description: Models.note
    Keys.onReturnPressed: clicked()
    Keys.onEnterPressed: clicked()
    onClicked: openPopover()

    background: Rectangle {
        radius: Theme.radiusControl
        color: button.hovered || button.down || popover.visible ? Theme.hover
             : button.hasEdge ? Theme.surface : "transparent"
        border.width: button.hasEdge ? 1 : 0
        border.color: Theme.borderStrong
        FocusRing { shown: button.visualFocus; distance: button.hasEdge ? 2 : 0 }
    }
    contentItem: Item {
        Row {
            id: row
            anchors.verticalCenter: parent.verticalCenter
            x: button.edgeGap
            spacing: 8
            Icon {
                id: chip
                name: "model"
                size: 17
                anchors.verticalCenter: parent.verticalCenter
            }
            Words {
                id: nameWords
                text: button.text
                font: button.hasEdge ? Theme.fontLabel : Theme.fontSecondary
                color: button.hasEdge ? Theme.text : Theme.text2
                elide: Text.ElideRight
                width: Math.min(implicitWidth, button.width - chip.width - expand.width - 2 * row.spacing - 2 * button.edgeGap)
                anchors.verticalCenter: parent.verticalCenter
                Accessible.ignored: true
            }
            Words {
                id: detailWords
                readonly property real room: button.width - chip.width - expand.width - nameWords.width
                                             - 3 * row.spacing - 2 * button.edgeGap
                text: button.stateText
                font: Theme.fontSecondary
                color: Theme.text2
                elide: Text.ElideRight
                visible: text !== "" && room >= Math.min(implicitWidth, Theme.px(48))
                width: Math.min(implicitWidth, room)
                anchors.verticalCenter: parent.verticalCenter
                Accessible.ignored: true
            }
            Icon {
                id: expand
                name: "expand"
                size: 16
                anchors.verticalCenter: parent.verticalCenter
            }
        }
    }

    ModelPopover {
        id: popover
        x: button.hasEdge ? button.width - width : 0
        y: button.height + 6
        onOpenModelWanted: {
            close()
            button.openModelWanted()
        }
    }
}
