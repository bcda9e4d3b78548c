// SPDX-License-Identifier: Apache-2.0
// FocusRing: 2 px around the parent, 2 px away from it, while the keyboard is there.
import QtQuick
import Agens

Rectangle {
    property bool shown: parent.visualFocus
    property int distance: 2

    anchors.fill: parent
    anchors.margins: -distance - border.width
    visible: shown
    color: "transparent"
    radius: Theme.radiusControl + distance + border.width
    border.width: 2
    border.color: Theme.accent
}
