// SPDX-License-Identifier: Apache-2.0
// AppMenu: a menu in the colours of the theme, for items of type AppMenuItem.
import QtQuick
import QtQuick.Controls.Basic
import Agens

Menu {
    padding: 6
    margins: 8
    delegate: AppMenuItem {}
    background: Rectangle {
        implicitWidth: Theme.px(200)
        radius: Theme.radiusPanel
        color: Theme.surface
        border.width: 1
        border.color: Theme.border
    }
}
