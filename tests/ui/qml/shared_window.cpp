// SPDX-License-Identifier: Apache-2.0
// The one window: see the header.
#include "tests/ui/qml/shared_window.h"

namespace agens::ui::test {

Window& sharedWindow() {
    static Window* const window = [] {
        auto* made = new Window;  // lives as long as the process: QML keeps pointers into it
        setScene(*made, "empty");
        made->show(QSize(1280, 800));
        return made;
    }();
    return *window;
}

QList<QQuickItem*> visibleItems(QQuickItem* root) {
    QList<QQuickItem*> found;
    if (!root->isVisible()) return found;
    found << root;
    for (QQuickItem* const child : root->childItems())
        found += visibleItems(child);
    return found;
}

void ViewTest::show(const QString& scene, const QSize& size, bool isDark) {
    ASSERT_NE(m_window.window(), nullptr) << "Main.qml cannot be loaded";
    m_window.app.setProperty("dark", isDark);
    m_window.app.setProperty("textScale", 100);
    m_window.window()->resize(size);
    setScene(m_window, scene);
    m_window.window()->requestActivate();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_window.window()));
    press(Qt::Key_L, Qt::ControlModifier);  // the composer
    settle(30);
    m_window.chat.calls.clear();
    m_window.app.calls.clear();
    m_window.models.calls.clear();
}

void ViewTest::press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    QTest::keyClick(m_window.window(), key, modifiers);
}

void ViewTest::type(const QString& text) {
    for (const QChar letter : text)
        QTest::keyClick(m_window.window(), letter.toLatin1());
}

void ViewTest::press(const QString& name) {
    QQuickItem* const button = item(name);
    ASSERT_NE(button, nullptr);
    const QPointF middle = button->mapToScene(QPointF(button->width() / 2, button->height() / 2));
    QTest::mouseClick(m_window.window(), Qt::LeftButton, Qt::NoModifier, middle.toPoint());
    settle(10);
}

void ViewTest::focus(const QString& name) {
    QQuickItem* const wanted = item(name);
    ASSERT_NE(wanted, nullptr);
    wanted->forceActiveFocus(Qt::TabFocusReason);
    settle(10);
}

QString ViewTest::focusName() const {
    QQuickItem* const focused = m_window.window()->activeFocusItem();
    return focused != nullptr ? accessibleName(focused) : QString();
}

QQuickItem* ViewTest::item(const QString& name) const {
    QQuickItem* const found = m_window.named(name);
    EXPECT_NE(found, nullptr) << "no visible item is called " << name.toStdString();
    return found;
}

}  // namespace agens::ui::test
