// SPDX-License-Identifier: Apache-2.0
// ProgressLine: how much of a whole is done. Never goes back while it is visible.
import QtQuick
import Agens

Rectangle {
    id: line

    required property string name
    property real fraction: 0

    implicitHeight: 8
    radius: height / 2
    color: Theme.hover
    Accessible.role: Accessible.ProgressBar
    Accessible.name: qsTr("%1, %2 percent", "progress: what is done, how much of it")
        .arg(name).arg(Math.round(100 * fraction))

    Rectangle {
        width: Math.min(1, Math.max(0, line.fraction)) * parent.width
        height: parent.height
        radius: parent.radius
        visible: width > 0
        color: Theme.accent
    }
}
