// SPDX-License-Identifier: Apache-2.0
// ChatPage: header, banner, transcript and composer of the open chat.
import QtQuick
import Agens

Item {
    id: page

    property real windowWidth: width
    property bool showsDrawerButton: false
    readonly property bool isNarrow: windowWidth / Theme.scale < Theme.secondLineBelow
    readonly property real column: Theme.columnWidth(width, windowWidth)
    readonly property alias isEditing: transcript.isEditing

    signal drawerWanted
    signal openModelWanted
    signal scaleWanted(int percent)

    function focusComposer() {
        composer.focusText()
    }
    function saveDraft() {
        composer.saveDraft()
    }
    function openModelPopover() {
        header.openModelPopover()
    }
    function regenerateLastReply() {
        transcript.regenerateLastReply()
    }
    function copyLastReply() {
        transcript.copyLastReply()
    }
    // The regions F6 goes through.
    function nextRegion(isForward: bool): bool {
        const regions = [header, transcript, composer]
        const at = regions.findIndex(region => region.activeFocus || holdsFocus(region))
        const to = at < 0 ? (isForward ? 0 : 2) : at + (isForward ? 1 : -1)
        if (to < 0 || to > 2) return false
        if (to === 0) header.nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
        else if (to === 1 && transcript.visible) transcript.forceActiveFocus(Qt.TabFocusReason)
        else if (to === 1) return nextFrom(isForward)
        else focusComposer()
        return true
    }
    function nextFrom(isForward: bool): bool {
        if (isForward) focusComposer()
        else header.nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
        return true
    }
    function holdsFocus(region: Item): bool {
        for (let item = Window.activeFocusItem; item !== null; item = item.parent)
            if (item === region) return true
        return false
    }

    Rectangle { anchors.fill: parent; color: Theme.window }

    Header {
        id: header
        width: parent.width
        height: implicitHeight
        isTwoLines: page.isNarrow
        showsDrawerButton: page.showsDrawerButton
        onDrawerWanted: page.drawerWanted()
        onOpenModelWanted: page.openModelWanted()
    }
    Banner {
        id: banner
        anchors { top: header.bottom; topMargin: visible ? 16 : 0; horizontalCenter: parent.horizontalCenter }
        width: page.column
        height: implicitHeight
    }
    Transcript {
        id: transcript
        anchors {
            top: banner.bottom; topMargin: banner.visible ? 8 : 0
            bottom: bottomArea.top; bottomMargin: 8
            left: parent.left; right: parent.right
        }
        visible: !Chat.isEmpty
        columnWidth: page.column
        onLinkActivated: address => linkPopover.ask(address)
        onEditFinished: page.focusComposer()
        onScaleWanted: percent => page.scaleWanted(percent)
    }
    EmptyState {
        anchors { top: banner.bottom; left: parent.left; right: parent.right; bottom: bottomArea.top }
        visible: Chat.isEmpty
        onOpenModelWanted: page.openModelWanted()
    }
    Column {
        id: bottomArea
        anchors { bottom: parent.bottom; bottomMargin: 11; horizontalCenter: parent.horizontalCenter }
        width: page.isNarrow ? page.width - 24 : page.column + 16
        spacing: 10
        LoadStrip { width: parent.width; height: implicitHeight }
        QueueStrip {
            width: parent.width
            height: implicitHeight
            onEditWanted: text => composer.takeText(text)
        }
        Composer {
            id: composer
            width: parent.width
            height: implicitHeight
            onSent: transcript.showSent()
            onEditLastWanted: transcript.editLastQuestion()
        }
    }
    Toast {
        anchors { bottom: bottomArea.top; bottomMargin: 12; horizontalCenter: parent.horizontalCenter }
        width: Math.min(implicitWidth, page.width - 24)
        height: implicitHeight
        z: 3
    }
    LinkPopover {
        id: linkPopover
        parent: page
    }
}
