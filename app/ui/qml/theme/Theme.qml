// SPDX-License-Identifier: Apache-2.0
// Theme: every colour, size and font of the window. No other file holds a colour.
//
// Names never start with "on" + capital: QML would read them as signal handlers.
// The contrast of all pairs is checked by tests/ui/qml/theme_test.cpp.
pragma Singleton

import QtQuick
import Agens

QtObject {
    readonly property bool dark: App.dark
    readonly property real scale: App.textScale / 100

    // Surfaces
    readonly property color window: dark ? "#16181A" : "#F7F7F5"
    readonly property color sidebar: dark ? "#111315" : "#EFEFEC"
    readonly property color surface: dark ? "#1D2022" : "#FFFFFF"
    readonly property color hover: dark ? "#2A2F32" : "#E5E5E1"
    readonly property color selected: dark ? "#23393A" : "#DCE8E6"
    readonly property color code: dark ? "#111315" : "#F2F2EF"
    readonly property color user: dark ? "#26312F" : "#E8EFEE"
    readonly property color border: dark ? "#34393C" : "#DADAD5"              // decoration only
    readonly property color borderStrong: dark ? "#7C8388" : "#85857F"        // edges of controls
    readonly property color scrim: dark ? "#99000000" : "#59000000"           // behind a drawer

    // Text and actions
    readonly property color text: dark ? "#ECEDEE" : "#1D1F20"
    readonly property color text2: dark ? "#B8BDC1" : "#4E5255"
    readonly property color text3: dark ? "#9AA0A5" : "#5F6467"
    readonly property color accent: dark ? "#5AD1C2" : "#0B6E66"
    readonly property color accentText: dark ? "#06201D" : "#FFFFFF"
    readonly property color accentSoft: dark ? "#1C3835" : "#DCEDEA"
    readonly property color link: dark ? "#86C3FF" : "#0A5AA6"

    // States
    readonly property color danger: dark ? "#FF9389" : "#B3261E"
    readonly property color dangerBg: dark ? "#3A1D1B" : "#FCEBEA"
    readonly property color warn: dark ? "#F2BE5C" : "#7A4A00"
    readonly property color warnBg: dark ? "#352A14" : "#FFF3DC"
    readonly property color ok: dark ? "#7BD497" : "#1A6B3A"
    readonly property color okBg: dark ? "#17301F" : "#E4F3E9"

    // Code
    readonly property color syntaxKeyword: dark ? "#D3A6F2" : "#7A3E9D"
    readonly property color syntaxString: dark ? "#8FD6A4" : "#1A6B3A"
    readonly property color syntaxNumber: dark ? "#F0B27A" : "#9A4A00"
    readonly property color syntaxComment: dark ? "#9AA0A5" : "#666A6D"
    readonly property color syntaxType: dark ? "#86C3FF" : "#0A5AA6"
    readonly property color syntaxFunction: dark ? "#5AD1C2" : "#0B6E66"

    // Parts of a memory plan
    readonly property color pWeights: dark ? "#7EA8F0" : "#2F5AA8"
    readonly property color pKv: dark ? "#4CC7B8" : "#0B7A70"
    readonly property color pDraft: dark ? "#BE97EA" : "#7B4BB0"
    readonly property color pVision: dark ? "#F0A35E" : "#B05A10"
    readonly property color pCompute: dark ? "#9AA0A5" : "#666C70"
    readonly property color pOther: dark ? "#F08CA8" : "#A8365C"

    // Type. The family of all but code is the application's font.
    readonly property font fontPageTitle: Qt.font({pixelSize: px(22), weight: Font.DemiBold})
    readonly property font fontTitle: Qt.font({pixelSize: px(15), weight: Font.DemiBold})
    readonly property font fontProse: Qt.font({pixelSize: px(15)})
    readonly property font fontLabel: Qt.font({pixelSize: px(14), weight: Font.Medium})
    readonly property font fontRow: Qt.font({pixelSize: px(14)})
    readonly property font fontSecondary: Qt.font({pixelSize: px(13)})
    readonly property font fontMeta: Qt.font({pixelSize: px(12)})
    readonly property font fontGroup: Qt.font({pixelSize: px(12), weight: Font.DemiBold})
    readonly property font fontCode: Qt.font({family: "Noto Sans Mono", pixelSize: px(13)})
    readonly property var headingSizes: [20, 18, 16, 15, 15, 15]

    readonly property int linePageTitle: px(30)
    readonly property int lineTitle: px(22)
    readonly property int lineProse: px(24)
    readonly property int lineLabel: px(20)
    readonly property int lineSecondary: px(18)
    readonly property int lineMeta: px(16)
    readonly property int lineCode: px(20)

    // Radii do not grow with the text.
    readonly property int radiusControl: 8
    readonly property int radiusBlock: 10
    readonly property int radiusPanel: 12
    readonly property int radiusBubble: 14

    readonly property int controlHeight: px(34)
    readonly property int rowHeight: px(36)
    readonly property int headerHeight: px(52)
    readonly property int secondLineHeight: px(40)
    readonly property int chipHeight: px(24)
    readonly property int iconButton: px(32)
    readonly property int iconButtonSmall: px(28)

    // Widths at which the layout changes, and what it uses then (widths divided by the scale).
    readonly property int drawerBelow: 900
    readonly property int secondLineBelow: 600
    readonly property int drawerWidth: 300

    // Text scale, percent.
    readonly property int smallestScale: 80
    readonly property int largestScale: 200

    readonly property int toolTipDelay: 600

    // Sizes that grow with the text.
    function px(size: real): int {
        return Math.round(size * scale)
    }
    function headingSize(level: int): int {
        return px(headingSizes[Math.min(Math.max(level, 1), 6) - 1])
    }
    function sidebarWidth(width: real): int {
        const scaled = width / scale
        return px(scaled >= 2560 ? 320 : scaled >= 1600 ? 288 : 272)
    }
    // The transcript's column in a content area of this width, in a window of that width.
    function columnWidth(content: real, window: real): int {
        const scaled = window / scale
        const wanted = px(scaled >= 2560 ? 860 : scaled >= 1600 ? 820 : 760)
        return Math.min(wanted, content - (scaled < secondLineBelow ? 32 : 48))
    }
    // 258052 -> 258 052 with narrow no-break spaces.
    function grouped(number: int): string {
        return String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f")
    }
}
