// SPDX-License-Identifier: Apache-2.0
// The one window all tests of the views use: QML singletons are made once for a process.
// A warning of QML ends the program (QT_FATAL_WARNINGS), so every test also says "no warning".
#pragma once

#include <gtest/gtest.h>

#include <QQuickItem>
#include <QTest>

#include "tests/ui/qml/preview/scenes.h"

namespace agens::ui::test {

Window& sharedWindow();

// Every visible item below `root`, in the order of the tree.
QList<QQuickItem*> visibleItems(QQuickItem* root);

class ViewTest : public testing::Test {
 protected:
    // 1280x800, light, text of 100 %.
    void show(const QString& scene, const QSize& size = QSize(1280, 800), bool isDark = false);
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    void type(const QString& text);
    void press(const QString& name);  // the button of this accessible name
    void focus(const QString& name);
    QString focusName() const;
    QQuickItem* item(const QString& name) const;  // fails the test when it is not there

    Window& m_window = sharedWindow();
};

}  // namespace agens::ui::test
