// SPDX-License-Identifier: Apache-2.0
// Popover: a small panel beside the control that opened it. Focus moves in and comes back.
import QtQuick
import QtQuick.Controls.Basic
import Agens

Popup {
    id: popover

    required property string name

    padding: 16
    margins: 8
    focus: true
    closePolicy: Popup.CloseOnEscape | Popup.CloseOnPressOutsideParent

    background: Rectangle {
        radius: Theme.radiusPanel
        color: Theme.surface
        border.width: 1
        border.color: Theme.border
        Accessible.role: Accessible.Dialog
        Accessible.name: popover.name
    }
}
