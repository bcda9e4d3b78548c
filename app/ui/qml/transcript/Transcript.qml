// SPDX-License-Identifier: Apache-2.0
// Transcript: the messages of the open chat, one row per Markdown block.
//
// `follow` is a flag of its own: the user's wheel, drag and keys clear it; sending, End and "Jump to
// latest" set it. It is never derived from the position. While it is set the end stays in view; after
// sending, a spacer below the last row lets the question stand at the top until the reply is longer
// than the view.
// The whole list is one stop of the keyboard: arrows choose a message, Tab enters its actions, Esc
// comes back.
import QtQuick
import QtQuick.Controls.Basic
import Qt.labs.qmlmodels
import Agens

ListView {
    id: list

    readonly property string conversationId: Chat.conversationId
    property real columnWidth: Theme.px(760)
    property bool follow: true
    property bool pinsQuestion: false        // the last question was sent just now
    property string chosenId                 // message chosen with the arrow keys
    property string editedId                 // user message that is being edited
    property string editedText
    property var wrappedRows: ({})           // rowId -> true: code with wrapped lines
    readonly property bool isEditing: editedId !== ""
    readonly property Item focusedItem: Window.activeFocusItem
    readonly property bool hasKeyboard: focusedItem === list  // not an item inside it
    // A list hands the focus on to the item inside it that had it last; it shall come to the list itself.
    property Item lastInside: null
    readonly property real distanceToEnd: originY + contentHeight - height - contentY
    readonly property int leastTail: Theme.px(28)
    property real tail: leastTail
    property int lastQuestion: -1            // row of the last user message that was ever in view

    signal linkActivated(string address)
    signal editFinished
    signal scaleWanted(int percent)

    function showSent() {
        pinsQuestion = true
        jumpToLatest()
    }
    function jumpToLatest() {
        follow = true
        positionViewAtEnd()
        settle()
    }
    function startEdit(id: string, text: string) {
        editedText = text
        editedId = id
    }
    function finishEdit(isSaved: bool) {
        const id = editedId
        const text = editedText
        editedId = ""
        editFinished()
        if (!isSaved || text.trim() === "") return
        showSent()
        Chat.edit(id, text)
    }
    function editLastQuestion() {
        jumpToLatest()
        for (let row = count - 1; row >= 0; --row) {
            const item = rowAt(row)
            if (item !== null && item.isQuestion) {
                startEdit(item.messageId, item.questionText)
                positionViewAtIndex(row, ListView.Contain)
                follow = false
                return
            }
        }
    }
    function lastReplyId(): string {
        const last = count > 0 ? rowAt(count - 1) : null
        return last !== null && !last.isQuestion ? last.messageId : ""
    }
    function regenerateLastReply() {
        jumpToLatest()
        const id = lastReplyId()
        if (id === "") return
        showSent()
        Chat.regenerate(id)
    }
    function copyLastReply() {
        const place = contentY
        const id = lastReplyId()
        contentY = place  // looking for the last row may have moved the view
        if (id !== "") Chat.copyMessage(id)
    }
    // From an item inside the list back to the list.
    function takeKeyboard() {
        forgetInside()
        forceActiveFocus()
    }
    function reveal(inside: Item) {
        const top = inside.mapToItem(contentItem, 0, 0).y
        if (top < contentY) scrollBy(top - contentY - 8)
        else if (top + inside.height > contentY + height) scrollBy(top + inside.height - contentY - height + 8)
    }
    function forgetInside() {
        if (lastInside !== null) lastInside.focus = false
        lastInside = null
    }
    function setWrapped(rowId: string, isWrapped: bool) {
        const rows = Object.assign({}, wrappedRows)
        if (isWrapped) rows[rowId] = true
        else delete rows[rowId]
        wrappedRows = rows
    }

    // A row outside the view has no item until it is asked for.
    function rowAt(row: int): var {
        if (itemAtIndex(row) === null) positionViewAtIndex(row, ListView.Contain)
        return itemAtIndex(row)
    }
    // Keeps the end in view while the user follows, and the spacer as high as the question needs.
    function settle() {
        if (count === 0) {
            tail = leastTail
            return
        }
        tail = pinsQuestion ? Math.max(leastTail, height - heightSinceQuestion()) : leastTail
        if (follow) contentY = Math.max(originY, originY + contentHeight - height)
    }
    function heightSinceQuestion(): real {
        const last = itemAtIndex(count - 1)
        const question = itemAtIndex(lastQuestion)
        return last !== null && question !== null ? last.y + last.height - question.y : height
    }
    function noteQuestion(row: int) {
        if (row > lastQuestion) lastQuestion = row
    }
    function scrollBy(distance: real) {
        const end = Math.max(originY, originY + contentHeight - height)
        if (distance < 0 || contentY < end) follow = follow && distance > 0
        contentY = Math.min(end, Math.max(originY, contentY + distance))
    }
    function chooseVisible() {
        for (let y = contentY + height - 1; y > contentY; y -= Theme.lineProse) {
            const item = itemAt(width / 2, y)
            if (item !== null) {
                chosenId = item.messageId
                return
            }
        }
    }
    function chooseBy(step: int) {
        let row = step > 0 ? count - 1 : 0
        for (let at = 0; at < count; ++at) {
            const item = itemAtIndex(at)
            if (item !== null && item.messageId === chosenId) {
                row = at
                if (step < 0) break
            }
        }
        for (row += step; row >= 0 && row < count; row += step) {
            const item = rowAt(row)
            if (item === null || item.messageId === chosenId) continue
            chosenId = item.messageId
            follow = false
            return
        }
    }
    function chosenRow(): var {
        for (let row = count - 1; row >= 0; --row) {
            const item = itemAtIndex(row)
            if (item !== null && item.messageId === chosenId && (item.isQuestion || item.isFooter)) return item
        }
        return null
    }

    model: Chat.transcript
    clip: true
    reuseItems: true
    cacheBuffer: 600
    interactive: false  // a drag with the mouse selects text; wheel, touch and keys are below
    activeFocusOnTab: true
    keyNavigationEnabled: false
    highlightFollowsCurrentItem: false
    currentIndex: -1
    footer: Item { width: 1; height: list.tail }
    Accessible.role: Accessible.List
    Accessible.name: qsTr("Messages")

    onContentHeightChanged: Qt.callLater(settle)
    onHeightChanged: Qt.callLater(settle)
    onCountChanged: {
        if (lastQuestion >= count) lastQuestion = -1
        Qt.callLater(settle)
    }
    onFocusedItemChanged: {
        if (!activeFocus) {
            forgetInside()
        } else if (!hasKeyboard) {
            lastInside = focusedItem
            if (focusedItem.activeFocusOnTab) reveal(focusedItem)
        }
    }
    onHasKeyboardChanged: if (hasKeyboard && chosenId === "") chooseVisible()

    onConversationIdChanged: {
        pinsQuestion = false
        lastQuestion = -1
        chosenId = ""
        editedId = ""
        wrappedRows = {}
        jumpToLatest()
    }

    WheelHandler {
        acceptedDevices: PointerDevice.Mouse | PointerDevice.TouchPad
        target: null
        onWheel: event => {
            if (event.modifiers & Qt.ControlModifier) {
                list.scaleWanted(event.angleDelta.y > 0 ? 10 : -10)
                return
            }
            list.scrollBy(event.pixelDelta.y !== 0 ? -event.pixelDelta.y
                                                   : -event.angleDelta.y / 120 * 3 * Theme.lineProse)
        }
    }
    DragHandler {
        acceptedDevices: PointerDevice.TouchScreen | PointerDevice.Stylus
        target: null
        xAxis.enabled: false
        property real before: 0
        onActiveChanged: before = 0
        onActiveTranslationChanged: {
            list.scrollBy(before - activeTranslation.y)
            before = activeTranslation.y
        }
    }
    ScrollBar.vertical: ScrollBar {
        focusPolicy: Qt.NoFocus
        onPressedChanged: if (pressed) list.follow = false
    }

    Keys.onPressed: event => {
        const row = list.chosenRow()
        event.accepted = true
        switch (event.key) {
        case Qt.Key_PageUp: list.scrollBy(-0.9 * list.height); return
        case Qt.Key_PageDown: list.scrollBy(0.9 * list.height); return
        case Qt.Key_Home:
            list.follow = false
            list.positionViewAtBeginning()
            return
        case Qt.Key_End: list.jumpToLatest(); return
        case Qt.Key_Up: list.chooseBy(-1); return
        case Qt.Key_Down: list.chooseBy(1); return
        case Qt.Key_Left:
        case Qt.Key_Right:
            if ((event.modifiers & Qt.AltModifier) && row !== null) {
                row.switchBy(event.key === Qt.Key_Left ? -1 : 1)
                return
            }
            break
        case Qt.Key_C:
            if (list.chosenId !== "" && !(event.modifiers & Qt.ShiftModifier)) {
                Chat.copyMessage(list.chosenId)
                return
            }
            break
        case Qt.Key_E:
            if (event.modifiers === Qt.NoModifier && row !== null && row.isQuestion) {
                list.startEdit(row.messageId, row.questionText)
                return
            }
            break
        case Qt.Key_R:
            if (event.modifiers === Qt.NoModifier && row !== null && row.isFooter) {
                Chat.regenerate(row.messageId)
                return
            }
            break
        }
        event.accepted = false
    }

    PushButton {
        parent: list
        anchors { bottom: parent.bottom; bottomMargin: 12; horizontalCenter: parent.horizontalCenter }
        z: 2
        visible: !list.follow && list.distanceToEnd > 2 * Theme.lineProse
        glyph: "latest"
        text: qsTr("Jump to latest")
        onClicked: list.jumpToLatest()
    }

    delegate: DelegateChooser {
        role: "rowKind"
        DelegateChoice { roleValue: "user"; UserBubble {} }
        DelegateChoice { roleValue: "code"; CodeBlock {} }
        DelegateChoice { roleValue: "table"; TableBlock {} }
        DelegateChoice { roleValue: "rule"; RuleBlock {} }
        DelegateChoice { roleValue: "notice"; NoticeRow {} }
        DelegateChoice { roleValue: "prefill"; PrefillRow {} }
        DelegateChoice { roleValue: "footer"; FooterRow {} }
        DelegateChoice { TextBlock {} }
    }
}
