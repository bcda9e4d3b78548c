// SPDX-License-Identifier: Apache-2.0
// qml_preview OUT.png SCENE [WIDTH HEIGHT] [dark] [scale=PERCENT] [from=FOLDER] [NAME OF A BUTTON
// TO CLICK]: a picture of a scene. FOLDER holds the module (Agens/qmldir and the files) when it is
// not the compiled-in one. For people who change the views; the same scenes are what the tests look
// at.
#include <QAccessible>
#include <QImage>
#include <QQuickItem>
#include <cstdio>

#include "tests/ui/qml/preview/scenes.h"

using namespace agens::ui::test;

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_QUICK_BACKEND", "software");
    QGuiApplication application(argc, argv);
    setFonts();
    QAccessible::setActive(true);  // otherwise controls have no names
    const QStringList words = QGuiApplication::arguments();
    if (words.size() < 3) {
        std::fprintf(stderr,
                     "usage: qml_preview OUT.png %s [WIDTH HEIGHT] [dark] [NAME OF A BUTTON]\n",
                     qPrintable(sceneNames().join(u'|')));
        return 2;
    }
    const bool hasSize = words.size() > 4 && words[3].toInt() > 0;
    Window window;
    window.app.setProperty("dark", words.contains("dark"));
    setScene(window, words[2]);
    for (const QString& word : words) {
        if (word.startsWith("scale=")) window.app.setProperty("textScale", word.mid(6).toInt());
        if (word.startsWith("from=")) window.setModuleFolder("file://" + word.mid(5));
    }
    window.show(hasSize ? QSize(words[3].toInt(), words[4].toInt()) : QSize(1280, 800));
    if (window.window() == nullptr) return 1;
    settle(400);
    if (QQuickItem* const button = words.last().isEmpty() ? nullptr : window.named(words.last())) {
        QMetaObject::invokeMethod(button, "clicked");
    }
    settle(500);
    return window.window()->grabWindow().convertToFormat(QImage::Format_RGB888).save(words[1]) ? 0
                                                                                               : 1;
}
