// SPDX-License-Identifier: Apache-2.0
// CodeBlock: code of a reply: language, Wrap, Copy; long lines scroll sideways. Only the first 400
// lines are laid out until more is asked for.
import QtQuick
import QtQuick.Controls.Basic
import Agens
import "language_names.js" as LanguageNames

TranscriptRow {
    id: row

    readonly property bool isWrapped: view !== null && view.wrappedRows[model.rowId] === true
    readonly property string languageName: LanguageNames.shown(model.language ?? "") || qsTr("Code")
    readonly property int lineCount: (model.text.match(/\n/g) ?? []).length + 1
    readonly property int foldedLines: 400
    readonly property bool isFolded: lineCount > foldedLines && model.isStreaming !== true && unfoldedId !== model.rowId
    property string unfoldedId

    topGap: model.firstOfMessage ? 16 : 12
    contentHeight: frame.height

    Rectangle {
        id: frame
        width: parent.width
        height: head.height + scroller.height + (unfold.visible ? unfold.height + 8 : 0) + 2
        radius: Theme.radiusBlock
        color: Theme.code
        border.width: 1
        border.color: Theme.border
        Accessible.role: Accessible.Grouping
        Accessible.name: row.lineCount === 1 ? qsTr("code, %1, one line").arg(row.languageName)
                                             : qsTr("code, %1, %2 lines").arg(row.languageName).arg(row.lineCount)

        Item {
            id: head
            x: 1
            y: 1
            width: parent.width - 2
            height: Theme.px(35)
            Words {
                anchors { left: parent.left; leftMargin: 13; right: buttons.left; rightMargin: 8; verticalCenter: parent.verticalCenter }
                text: row.languageName
                font: Theme.fontMeta
                color: Theme.text2
                elide: Text.ElideRight
                Accessible.ignored: true
            }
            Row {
                id: buttons
                anchors { right: parent.right; rightMargin: 3; verticalCenter: parent.verticalCenter }
                CodeButton {
                    glyph: "wrap"
                    text: qsTr("Wrap", "long lines")
                    checked: row.isWrapped
                    Accessible.name: qsTr("Wrap the lines of %1").arg(frame.Accessible.name)
                    Accessible.checkable: true
                    activeFocusOnTab: row.hasTabStops || activeFocus
                    onClicked: row.view.setWrapped(row.model.rowId, !row.isWrapped)
                }
                CodeButton {
                    glyph: "copy"
                    text: qsTr("Copy")
                    Accessible.name: qsTr("Copy %1").arg(frame.Accessible.name)
                    activeFocusOnTab: row.hasTabStops || activeFocus
                    onClicked: Chat.copyText(row.model.text)
                }
            }
            Rectangle { anchors.bottom: parent.bottom; width: parent.width; height: 1; color: Theme.border }
        }
        Flickable {
            id: scroller
            x: 1
            anchors.top: head.bottom
            width: parent.width - 2
            height: edit.implicitHeight + 22
            contentWidth: row.isWrapped ? width : edit.width + 28
            contentHeight: height
            clip: true
            interactive: contentWidth > width
            flickableDirection: Flickable.HorizontalFlick
            boundsBehavior: Flickable.StopAtBounds
            ScrollBar.horizontal: ScrollBar { focusPolicy: Qt.NoFocus }
            BlockEdit {
                id: edit
                x: 13
                y: 9
                width: row.isWrapped ? scroller.width - 27 : Math.max(implicitWidth, scroller.width - 28)
                block: row.model.block
                maximumLines: row.isFolded ? row.foldedLines : 0
                font: Theme.fontCode
                lineHeight: Theme.lineCode
                wrapMode: row.isWrapped ? TextEdit.WrapAnywhere : TextEdit.NoWrap
                showsCaret: row.model.isStreaming === true
                Accessible.role: Accessible.StaticText
            }
        }
        PushButton {
            id: unfold
            anchors { top: scroller.bottom; left: parent.left; leftMargin: 8 }
            visible: row.isFolded
            quiet: true
            text: qsTr("Show all %1 lines").arg(Theme.grouped(row.lineCount))
            activeFocusOnTab: row.hasTabStops || activeFocus
            onClicked: row.unfoldedId = row.model.rowId
        }
    }
}
