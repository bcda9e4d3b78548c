// SPDX-License-Identifier: Apache-2.0
// What holds in every scene, in light and dark, wide and narrow, at every text size: no warning, a
// name and a role for all that can have focus, no control outside the window, Tab reaches every
// control.
#include <QAccessible>
#include <QSet>

#include "tests/ui/qml/shared_window.h"

namespace agens::ui::test {
namespace {

using SceneTest = ViewTest;

const QSize kSizes[] = {{1280, 800}, {700, 600}, {420, 800}, {360, 480}};

bool isFocusable(QQuickItem* item) {
    return item->isEnabled() && item->activeFocusOnTab();
}

std::string describe(QQuickItem* item) {
    return std::string(item->metaObject()->className()) + " '" +
           accessibleName(item).toStdString() + "'";
}

TEST_F(SceneTest, EverySceneIsDrawnWithoutWarning) {
    for (const QString& scene : sceneNames()) {
        for (const QSize& size : kSizes) {
            for (const bool isDark : {false, true}) {
                show(scene, size, isDark);
                EXPECT_FALSE(m_window.window()->grabWindow().isNull()) << scene.toStdString();
            }
        }
    }
}

TEST_F(SceneTest, EveryFocusableItemHasANameAndARole) {
    for (const QString& scene : sceneNames()) {
        for (const QSize& size : kSizes) {
            show(scene, size);
            for (QQuickItem* const item : visibleItems(m_window.window()->contentItem())) {
                if (!isFocusable(item)) continue;
                const QAccessibleInterface* const seen =
                    QAccessible::queryAccessibleInterface(item);
                ASSERT_NE(seen, nullptr) << describe(item);
                EXPECT_FALSE(accessibleName(item).isEmpty())
                    << describe(item) << " in " << scene.toStdString();
                EXPECT_NE(seen->role(), QAccessible::NoRole) << describe(item);
            }
        }
    }
}

TEST_F(SceneTest, ControlsStayInsideTheWindow) {
    for (const QString& scene : sceneNames()) {
        for (const int scale : {80, 100, 200}) {
            for (const QSize& size : {QSize(1280, 800), QSize(420, 800)}) {
                show(scene, size);
                m_window.app.setProperty("textScale", scale);
                settle(30);
                for (QQuickItem* const item : visibleItems(m_window.window()->contentItem())) {
                    if (!isFocusable(item)) continue;
                    const QRectF place =
                        item->mapRectToScene(QRectF(0, 0, item->width(), item->height()));
                    EXPECT_GE(place.left(), 0) << describe(item) << scene.toStdString() << scale;
                    EXPECT_LE(place.right(), size.width())
                        << describe(item) << scene.toStdString() << scale;
                }
            }
        }
    }
}

TEST_F(SceneTest, TabReachesEveryControl) {
    for (const QString scene : {"chat", "streaming", "loading", "error", "empty"}) {
        show(scene);
        const QList<QQuickItem*> items = visibleItems(m_window.window()->contentItem());
        QSet<QQuickItem*> visited;  // a list has the focus while its current row has it
        for (int step = 0; step < 200; ++step) {
            QQuickItem* const focused = m_window.window()->activeFocusItem();
            ASSERT_NE(focused, nullptr);
            if (visited.contains(focused) && accessibleName(focused) == "Message") break;
            for (QQuickItem* const item : items) {
                if (item->hasActiveFocus()) visited << item;
            }
            press(Qt::Key_Tab);
        }
        for (QQuickItem* const item : items) {
            if (!isFocusable(item)) continue;
            EXPECT_TRUE(visited.contains(item)) << describe(item) << " in " << scene.toStdString();
        }
    }
}

}  // namespace
}  // namespace agens::ui::test
