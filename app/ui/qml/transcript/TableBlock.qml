// SPDX-License-Identifier: Apache-2.0
// TableBlock: a table of a reply. Columns are as wide as their words (48 to 360 px); what is left of
// the column goes to the first one; a wider table scrolls sideways.
import QtQuick
import QtQuick.Controls.Basic
import Agens

TranscriptRow {
    id: row

    readonly property var cells: model.tableRows ?? []
    readonly property int columns: cells.length > 0 ? cells[0].length : 0
    readonly property var widths: columnWidths(cells, frame.width - 2, headMetrics, bodyMetrics)

    function columnWidths(rows: var, room: real, head: var, body: var): var {
        const found = []
        for (let column = 0; column < columns; ++column) {
            let widest = head.advanceWidth(rows[0][column] ?? "")
            for (let at = 1; at < rows.length; ++at)
                widest = Math.max(widest, body.advanceWidth(rows[at][column] ?? ""))
            found.push(Math.min(Theme.px(360), Math.max(Theme.px(48), Math.ceil(widest) + 2 * 14)))
        }
        const sum = found.reduce((total, width) => total + width, 0)
        if (found.length > 0 && sum < room) found[0] += room - sum
        return found
    }
    function horizontal(column: int): int {
        const align = (model.tableAligns ?? [])[column]
        return align === "right" ? TextEdit.AlignRight : align === "center" ? TextEdit.AlignHCenter : TextEdit.AlignLeft
    }

    topGap: model.firstOfMessage ? 16 : 12
    contentHeight: frame.height
    Accessible.role: Accessible.Table

    FontMetrics { id: bodyMetrics; font: Theme.fontRow }
    FontMetrics { id: headMetrics; font: headFont.font }
    Words {
        id: headFont
        visible: false
        font { pixelSize: Theme.px(14); weight: Font.DemiBold }
    }

    Rectangle {
        id: frame
        width: parent.width
        height: grid.height + 2
        radius: Theme.radiusBlock
        color: Theme.surface
        border.width: 1
        border.color: Theme.border

        Flickable {
            x: 1
            y: 1
            width: parent.width - 2
            height: grid.height
            contentWidth: grid.width
            contentHeight: grid.height
            clip: true
            interactive: contentWidth > width
            flickableDirection: Flickable.HorizontalFlick
            boundsBehavior: Flickable.StopAtBounds
            ScrollBar.horizontal: ScrollBar { focusPolicy: Qt.NoFocus }

            Column {
                id: grid
                Repeater {
                    model: row.cells.length
                    Rectangle {
                        id: line
                        required property int index
                        readonly property bool isHead: index === 0
                        width: lineCells.width
                        height: lineCells.height + (isHead ? 0 : 1)
                        radius: isHead || index === row.cells.length - 1 ? Theme.radiusBlock - 1 : 0
                        color: isHead ? Theme.code : Theme.surface
                        Rectangle {  // square lower corners below the head's round ones
                            visible: line.isHead
                            anchors.bottom: parent.bottom
                            width: parent.width
                            height: Theme.radiusBlock
                            color: Theme.code
                        }
                        Rectangle {
                            visible: !line.isHead
                            width: parent.width
                            height: 1
                            color: Theme.border
                        }
                        Row {
                            id: lineCells
                            y: line.isHead ? 0 : 1
                            Repeater {
                                model: row.columns
                                Item {
                                    required property int index
                                    width: row.widths[index] ?? 0
                                    height: cell.implicitHeight + 13
                                    BlockEdit {
                                        id: cell
                                        x: 13
                                        y: 5
                                        width: parent.width - 26
                                        block: row.model.block
                                        cell: line.index * row.columns + parent.index
                                        font: line.isHead ? headFont.font : Theme.fontRow
                                        lineHeight: Theme.lineLabel
                                        horizontalAlignment: row.horizontal(parent.index)
                                        Accessible.role: line.isHead ? Accessible.ColumnHeader : Accessible.Cell
                                        onLinkWanted: address => row.view.linkActivated(address)
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
