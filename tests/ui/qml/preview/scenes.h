// SPDX-License-Identifier: Apache-2.0
// Scenes: the window over made-up data, one scene for each state worth looking at.
// Thread: UI.
#pragma once

#include <QGuiApplication>
#include <QQmlApplicationEngine>
#include <QQuickWindow>

#include "tests/ui/qml/preview/fakes.h"

namespace agens::ui::test {

// The window and the fakes behind it; singletons of QML are per engine, so one Window at a time.
class Window {
 public:
    Window();

    QQuickWindow* window() const { return m_window; }
    QQmlApplicationEngine& engine() { return m_engine; }
    void setModuleFolder(const QString& url) { m_folder = url; }  // before show()
    void show(const QSize& size);
    // The first visible item with this accessible name; null if there is none.
    QQuickItem* named(const QString& name) const;

    FakeApp app;
    FakeChat chat;
    FakeModels models;

 private:
    QQmlApplicationEngine m_engine;
    QString m_folder = QStringLiteral("qrc:");
    QQuickWindow* m_window = nullptr;
};

QStringList sceneNames();
void setScene(Window& window, const QString& name);

// A reply as rows of the transcript; the last one is a footer.
QList<QVariantMap> replyRows(const QString& id, const QString& markdown,
                             const QVariantMap& facts = {});
QVariantMap userRow(const QString& id, const QString& text, int version = 1, int versions = 1);

// What a screen reader calls an item; empty for one it does not see.
QString accessibleName(QQuickItem* item);

// Fonts as the program sets them.
void setFonts();
// Lets events, timers of zero and a frame pass.
void settle(int milliseconds = 50);

}  // namespace agens::ui::test
