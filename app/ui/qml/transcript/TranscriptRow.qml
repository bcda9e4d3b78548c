// SPDX-License-Identifier: Apache-2.0
// TranscriptRow: what all rows share: place in the column, distance to the row above, the mark of a
// message chosen with the keyboard. A row is reused for other blocks, so everything is bound to `model`.
import QtQuick
import Agens

Item {
    id: row

    required property var model
    required property int index
    default property alias content: column.data
    readonly property Item view: ListView.view
    readonly property string messageId: model.messageId
    readonly property bool isChosen: view !== null && view.chosenId === messageId
    // Buttons of other messages than the chosen one are no stops of the Tab key.
    readonly property bool hasTabStops: isChosen || (view !== null && view.chosenId === "" && model.isLastReply === true)
    readonly property bool isHovered: hover.hovered
    property bool isQuestion: false
    property bool isFooter: false
    property bool isPooled: false  // waits for another block; not to be seen, read or focused
    property real topGap: 12
    property real contentHeight: 0

    width: view !== null ? view.width : 0
    height: topGap + contentHeight
    visible: !isPooled
    ListView.onPooled: isPooled = true
    ListView.onReused: isPooled = false
    Accessible.role: Accessible.ListItem
    Accessible.name: model.accessibleText || model.text || ""
    Keys.onEscapePressed: if (view !== null) view.takeKeyboard()

    HoverHandler { id: hover }
    Item {
        id: column
        anchors.horizontalCenter: parent.horizontalCenter
        y: row.topGap
        width: row.view !== null ? row.view.columnWidth : 0
        height: row.contentHeight
    }
    Rectangle {
        anchors { right: column.left; rightMargin: 8; top: parent.top; topMargin: row.model.firstOfMessage ? row.topGap : 0; bottom: parent.bottom }
        width: 2
        color: Theme.accent
        visible: row.isChosen && row.view.hasKeyboard
    }
}
