// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/ui/controllers/app_controller.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QPalette>
#include <utility>

#include "app/ui/models/text_format.h"

namespace agens::ui {
namespace {

QVariant nothing() {
    return QVariant::fromValue(nullptr);  // null in QML, where an invalid QVariant is undefined
}

}  // namespace

AppController::AppController(chat::Store& store, const chat::Settings& settings)
    : m_store(store),
      m_theme(toQt(settings.text("ui.theme"))),
      m_textScale(static_cast<int>(settings.integer("ui.textScale"))) {}

// Qt 6.4 does not tell the desktop's scheme; its palette does.
bool AppController::isDark() const {
    if (m_theme != QLatin1String("system")) return m_theme == QLatin1String("dark");
    const QPalette palette = QGuiApplication::palette();
    return palette.color(QPalette::Window).lightness() <
           palette.color(QPalette::WindowText).lightness();
}

void AppController::setTheme(const QString& theme) {
    if (theme == m_theme || !chat::checkSetting("ui.theme", toStd(theme))) return;
    m_theme = theme;
    m_store.setSetting("ui.theme", toStd(theme)).ignore();
    emit themeChanged();
}

void AppController::setTextScale(int percent) {
    const std::string value = std::to_string(percent);
    if (percent == m_textScale || !chat::checkSetting("ui.textScale", value)) return;
    m_textScale = percent;
    m_store.setSetting("ui.textScale", value).ignore();
    emit textScaleChanged();
}

void AppController::overrideAppearance(const QString& theme, int textScale) {
    m_theme = theme;
    m_textScale = textScale;
    emit themeChanged();
    emit textScaleChanged();
}

QVariant AppController::banner() const {
    if (!m_banner) return nothing();
    return QVariantMap{{"title", m_banner->title},
                       {"text", m_banner->text},
                       {"remedy", m_banner->remedy},
                       {"actionText", m_banner->actionText},
                       {"actionId", m_banner->actionId}};
}

void AppController::showBanner(Banner banner) {
    m_banner = std::move(banner);
    emit bannerChanged();
}

void AppController::showStoreError(const Error& error) {
    if (error.id == "store.closed") return;  // the program is leaving
    showBanner({QStringLiteral("The history could not be written"),
                toQt(error.text()),
                QStringLiteral("What is on the screen stays until you close the window."),
                {},
                {}});
}

void AppController::dismissBanner() {
    if (!m_banner) return;
    m_banner.reset();
    emit bannerChanged();
}

void AppController::bannerAction(const QString& id) {
    dismissBanner();
    emit bannerActionAsked(id);
}

QVariant AppController::toast() const {
    if (m_toast.isEmpty()) return nothing();
    return QVariantMap{{"text", m_toast}, {"undo", static_cast<bool>(m_undo)}};
}

void AppController::showToast(const QString& text, std::function<void()> undo) {
    m_toast = text;
    m_undo = std::move(undo);
    emit toastChanged();
}

void AppController::undoToast() {
    const auto undo = std::exchange(m_undo, nullptr);
    dismissToast();
    if (undo) undo();
}

void AppController::dismissToast() {
    if (m_toast.isEmpty()) return;
    m_toast.clear();
    m_undo = nullptr;
    emit toastChanged();
}

void AppController::countBlockedAttempt() {
    ++m_blockedAttempts;
    emit blockedAttemptsChanged();
}

void AppController::quit() {
    QCoreApplication::quit();
}

}  // namespace agens::ui
