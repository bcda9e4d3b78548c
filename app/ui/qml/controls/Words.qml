// SPDX-License-Identifier: Apache-2.0
// Words: a text of the window. Always plain: what a file or a model wrote is never read as markup.
import QtQuick
import Agens

Text {
    textFormat: Text.PlainText
    font: Theme.fontRow
    color: Theme.text
    Accessible.role: Accessible.StaticText
    Accessible.name: text
}
