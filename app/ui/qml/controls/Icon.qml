// SPDX-License-Identifier: Apache-2.0
// Icon: a drawing of resources/icons in a colour of the theme. Decoration: the control that shows it
// carries the name.
import QtQuick
import Agens

Image {
    property string name
    property color color: Theme.text2
    property real size: 18

    width: Theme.px(size)
    height: width
    sourceSize: Qt.size(width, height)
    source: name ? "image://icon/" + name + "?" + String(color).substring(1) : ""
    Accessible.ignored: true
}
