// SPDX-License-Identifier: Apache-2.0
// Composer: the next message. Enter sends, Shift+Enter begins a line; keys of an input method never
// send. While a reply is written, Send becomes Stop and Enter queues.
import QtQuick
import QtQuick.Controls.Basic
import Agens

Item {
    id: composer

    readonly property bool isBusy: Chat.state === "prefill" || Chat.state === "streaming"
                                   || Chat.state === "queued"
    readonly property bool isCompact: width < Theme.px(480)
    readonly property bool hasText: area.text.trim() !== ""
    readonly property int mostLines: 12
    readonly property string draft: Chat.draft

    signal sent
    signal editLastWanted

    function focusText() {
        area.forceActiveFocus()
    }
    // Takes a text in, below what is being written.
    function takeText(text: string) {
        area.text = area.text.trim() === "" ? text : area.text + "\n" + text
        area.cursorPosition = area.length
        focusText()
    }
    function saveDraft() {
        if (!draftTimer.running) return
        draftTimer.stop()
        Chat.saveDraft(area.text)
    }
    function send() {
        if (!hasText || !Chat.canSend) return
        const text = area.text
        area.clear()
        draftTimer.stop()
        Chat.send(text)
        composer.sent()
    }

    implicitHeight: box.height + facts.height + 8

    onDraftChanged: {
        if (area.text === draft) return
        draftTimer.stop()  // what stood here was saved or sent; this text is another chat's
        area.text = draft
        area.cursorPosition = area.length
    }
    Timer {
        id: draftTimer
        interval: 500  // a draft is at most a second behind
        onTriggered: Chat.saveDraft(area.text)
    }

    Rectangle {
        id: box
        width: parent.width
        height: scroller.height + Theme.px(50) + 6
        radius: Theme.radiusBubble
        color: Theme.surface
        border.width: area.activeFocus ? 2 : 1
        border.color: area.activeFocus ? Theme.accent : Theme.borderStrong

        TapHandler { onTapped: composer.focusText() }
        ScrollView {
            id: scroller
            readonly property real lineHeight: metrics.height
            y: 2
            width: parent.width
            height: Math.min(area.implicitHeight, composer.mostLines * lineHeight + area.topPadding + area.bottomPadding)
            contentWidth: availableWidth
            focusPolicy: Qt.NoFocus

            FontMetrics { id: metrics; font: area.font }
            TextArea {
                id: area
                text: composer.draft
                placeholderText: !composer.isBusy ? qsTr("Write a message")
                    : composer.isCompact ? qsTr("Sent when this reply ends")
                    : qsTr("Write the next message. It is sent when this reply ends.")
                placeholderTextColor: Theme.text3
                textFormat: TextEdit.PlainText
                wrapMode: TextArea.Wrap
                font: Theme.fontProse
                color: Theme.text
                selectionColor: Theme.accent
                selectedTextColor: Theme.accentText
                leftPadding: 16
                rightPadding: 16
                topPadding: 12
                bottomPadding: 4
                background: null
                selectByMouse: true
                inputMethodHints: Qt.ImhMultiLine
                Keys.onTabPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)  // no tab character
                Accessible.name: qsTr("Message")
                Accessible.description: placeholderText
                Component.onCompleted: cursorPosition = length

                onTextChanged: {
                    if (text === Chat.draft) return
                    Chat.draft = text
                    draftTimer.restart()
                }
                Keys.onPressed: event => {
                    const isReturn = event.key === Qt.Key_Return || event.key === Qt.Key_Enter
                    if (isReturn && !(event.modifiers & Qt.ShiftModifier)) {
                        event.accepted = true
                        if (!area.inputMethodComposing) composer.send()
                    } else if (event.key === Qt.Key_Up && area.length === 0) {
                        event.accepted = true
                        composer.editLastWanted()
                    }
                }
            }
        }
        SendButton {
            id: action
            anchors { right: parent.right; rightMargin: 10; bottom: parent.bottom; bottomMargin: 8 }
            isStop: composer.isBusy
            isCompact: composer.isCompact
            enabled: isStop || (Chat.canSend && composer.hasText)
            Accessible.description: enabled ? "" : Chat.sendProblem
            onClicked: isStop ? Chat.stop() : composer.send()
        }
    }
    Facts {
        id: facts
        anchors { top: box.bottom; topMargin: 8; left: parent.left; leftMargin: 4; right: parent.right; rightMargin: 4 }
        isBusy: composer.isBusy
    }
}
