// SPDX-License-Identifier: Apache-2.0
// BranchSwitch: ‹ 1 / 2 › between versions of one message.
import QtQuick
import Agens

Row {
    id: branches

    required property int siblingIndex
    required property int siblingCount
    property bool tabStop: true

    signal moved(int delta)

    visible: siblingCount > 1
    IconButton {
        small: true
        glyph: "back"
        text: qsTr("Previous version")
        enabled: branches.siblingIndex > 0
        activeFocusOnTab: branches.tabStop || activeFocus
        onClicked: branches.moved(-1)
    }
    Words {
        anchors.verticalCenter: parent.verticalCenter
        text: qsTr("%1 / %2", "version n of m").arg(branches.siblingIndex + 1).arg(branches.siblingCount)
        font: Theme.fontMeta
        color: Theme.text2
        Accessible.name: qsTr("Version %1 of %2").arg(branches.siblingIndex + 1).arg(branches.siblingCount)
    }
    IconButton {
        small: true
        glyph: "forward"
        text: qsTr("Next version")
        enabled: branches.siblingIndex + 1 < branches.siblingCount
        activeFocusOnTab: branches.tabStop || activeFocus
        onClicked: branches.moved(1)
    }
}
