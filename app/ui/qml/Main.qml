// SPDX-License-Identifier: Apache-2.0
// Main: the window: chat list (beside, or in a drawer below 900 px), the open chat, keys, file dialog.
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Templates as T
import QtQuick.Dialogs
import Agens

ApplicationWindow {
    id: window

    readonly property bool isDrawerLayout: width / Theme.scale < Theme.drawerBelow
    property bool isSidebarOpen: true

    function toggleSidebar() {
        if (isDrawerLayout) drawer.visible ? drawer.close() : drawer.open()
        else isSidebarOpen = !isSidebarOpen
    }
    function openChat(id: string) {
        page.saveDraft()
        Chat.open(id)
        drawer.close()
        page.focusComposer()
    }
    function showModelDialog() {
        modelDialog.show()
    }
    function newChat() {
        page.saveDraft()
        Chat.newChat()
        drawer.close()
        page.focusComposer()
    }
    function renameChat() {
        if (Chat.conversationId === "") return
        if (isDrawerLayout) {
            drawer.open()
            drawerSidebar.renameCurrent()
        } else {
            isSidebarOpen = true
            sidebar.renameCurrent()
        }
    }
    function scaleText(percent: int) {
        App.setTextScale(Math.min(Theme.largestScale, Math.max(Theme.smallestScale, App.textScale + percent)))
    }
    function moveToRegion(isForward: bool) {
        if (sidebar.visible && page.holdsFocus(sidebar) && isForward) {
            page.nextRegion(true)
        } else if (!page.nextRegion(isForward)) {
            if (sidebar.visible) sidebar.nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
            else page.focusComposer()
        }
    }

    width: 1280
    height: 800
    minimumWidth: 360
    minimumHeight: 480
    visible: true
    title: Chat.title ? qsTr("%1 – Agens Desktop", "title of a chat").arg(Chat.title) : qsTr("Agens Desktop")
    color: Theme.window
    palette {
        window: Theme.window
        windowText: Theme.text
        base: Theme.surface
        alternateBase: Theme.code
        text: Theme.text
        button: Theme.surface
        buttonText: Theme.text
        brightText: Theme.danger
        highlight: Theme.accent
        highlightedText: Theme.accentText
        link: Theme.link
        placeholderText: Theme.text3
        light: Theme.surface
        midlight: Theme.hover
        mid: Theme.borderStrong
        dark: Theme.text3
        shadow: Theme.border
        toolTipBase: Theme.surface
        toolTipText: Theme.text
    }
    Component.onCompleted: page.focusComposer()
    onClosing: page.saveDraft()
    onIsDrawerLayoutChanged: if (!isDrawerLayout) drawer.close()

    Sidebar {
        id: sidebar
        visible: !window.isDrawerLayout && window.isSidebarOpen
        width: visible ? Theme.sidebarWidth(window.width) : 0
        height: parent.height
        onCollapseWanted: window.toggleSidebar()
        onNewChatWanted: window.newChat()
        onChatWanted: id => window.openChat(id)
    }
    ChatPage {
        id: page
        anchors { left: sidebar.right; right: parent.right; top: parent.top; bottom: parent.bottom }
        windowWidth: window.width
        showsDrawerButton: window.isDrawerLayout || !window.isSidebarOpen
        onDrawerWanted: window.toggleSidebar()
        onScaleWanted: percent => window.scaleText(percent)
        onOpenModelWanted: window.showModelDialog()
    }
    ModelDrop { anchors.fill: parent }

    Drawer {
        id: drawer
        width: Math.min(Theme.px(Theme.drawerWidth), window.width - 48)
        height: window.height
        interactive: window.isDrawerLayout
        background: Rectangle { color: Theme.sidebar }
        T.Overlay.modal: Rectangle { color: Theme.scrim }
        Sidebar {
            id: drawerSidebar
            anchors.fill: parent
            onCollapseWanted: drawer.close()
            onNewChatWanted: window.newChat()
            onChatWanted: id => window.openChat(id)
        }
    }

    Loader {
        id: modelDialog
        function show() {
            active = true
            item.open()
        }
        active: false
        sourceComponent: FileDialog {
            title: qsTr("Open a model")
            nameFilters: [qsTr("Model files (*.gguf)"), qsTr("All files (*)")]
            onAccepted: Models.openFile(selectedFile)
        }
    }

    Shortcut { sequences: ["Ctrl+N"]; onActivated: window.newChat() }
    Shortcut {
        sequences: ["Ctrl+R"]
        enabled: Chat.state === "idle" && !Chat.isEmpty
        onActivated: page.regenerateLastReply()
    }
    Shortcut { sequences: ["Ctrl+Shift+C"]; onActivated: page.copyLastReply() }
    Shortcut {
        sequences: ["Escape"]
        enabled: Chat.state !== "idle"
        onActivated: Chat.stop()
    }
    Shortcut { sequences: ["Ctrl+B", "F9"]; onActivated: window.toggleSidebar() }
    Shortcut { sequences: [StandardKey.ZoomIn, "Ctrl+="]; onActivated: window.scaleText(10) }
    Shortcut { sequences: [StandardKey.ZoomOut]; onActivated: window.scaleText(-10) }
    Shortcut { sequences: ["Ctrl+0"]; onActivated: App.setTextScale(100) }
    Shortcut { sequences: ["Ctrl+L"]; onActivated: page.focusComposer() }
    Shortcut { sequences: ["Ctrl+M"]; onActivated: page.openModelPopover() }
    Shortcut { sequences: ["Ctrl+O"]; onActivated: window.showModelDialog() }
    Shortcut { sequences: ["F2"]; onActivated: window.renameChat() }
    Shortcut { sequences: ["F6"]; onActivated: window.moveToRegion(true) }
    Shortcut { sequences: ["Shift+F6"]; onActivated: window.moveToRegion(false) }
    Shortcut {
        sequences: ["Ctrl+Z"]
        enabled: App.toast !== null && App.toast !== undefined && App.toast.undo === true
        onActivated: App.undoToast()
    }
    Shortcut {
        sequences: ["F11"]
        onActivated: window.visibility === Window.FullScreen ? window.showNormal() : window.showFullScreen()
    }
    Shortcut { sequences: ["Ctrl+W", "Ctrl+Q"]; onActivated: window.close() }
}
