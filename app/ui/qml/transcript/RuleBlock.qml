// SPDX-License-Identifier: Apache-2.0
// RuleBlock: a line across the column.
import QtQuick
import Agens

TranscriptRow {
    contentHeight: 9
    Accessible.role: Accessible.Separator
    Accessible.name: qsTr("Separator")
    Rectangle {
        y: 4
        width: parent.width
        height: 1
        color: Theme.border
    }
}
