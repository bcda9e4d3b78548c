// SPDX-License-Identifier: Apache-2.0
// ModelDrop: a model file dropped anywhere on the window is opened. Other files are refused.
import QtQuick
import Agens

DropArea {
    id: drop

    function modelOf(event: var): string {
        const urls = event.urls.map(String).filter(url => /^file:.*\.gguf$/i.test(url))
        return urls.length === 1 && event.urls.length === 1 ? urls[0] : ""
    }

    keys: ["text/uri-list"]
    onEntered: event => event.accepted = modelOf(event) !== ""
    onDropped: event => {
        const url = modelOf(event)
        if (url === "") return
        event.accept(Qt.CopyAction)
        Models.openFile(url)
    }

    Rectangle {
        anchors { fill: parent; margins: 12 }
        visible: drop.containsDrag
        radius: Theme.radiusPanel
        color: Theme.accentSoft
        border.width: 2
        border.color: Theme.accent
        Words {
            anchors.centerIn: parent
            text: qsTr("Drop to open this model")
            font: Theme.fontPageTitle
        }
    }
}
