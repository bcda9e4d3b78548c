// SPDX-License-Identifier: Apache-2.0
// AppController: the singleton `App` of QML: appearance, the one banner, the one toast, leaving.
// Settings live in the store; a change is written at once.
// Thread: UI.
#pragma once

#include <QObject>
#include <QString>
#include <QVariant>
#include <functional>

#include "app/chat/settings.h"
#include "app/chat/store.h"
#include "engine/base/result.h"

namespace agens::ui {

struct Banner {
    QString title;
    QString text;
    QString remedy;
    QString actionText;
    QString actionId;  // "openModel", "reload"; empty: no action
};

class AppController final : public QObject {
    Q_OBJECT
    Q_PROPERTY(QString theme READ theme NOTIFY themeChanged)
    Q_PROPERTY(bool dark READ isDark NOTIFY themeChanged)
    Q_PROPERTY(int textScale READ textScale NOTIFY textScaleChanged)
    Q_PROPERTY(QVariant banner READ banner NOTIFY bannerChanged)
    Q_PROPERTY(QVariant toast READ toast NOTIFY toastChanged)
    Q_PROPERTY(int connections READ connections CONSTANT)
    Q_PROPERTY(int blockedAttempts READ blockedAttempts NOTIFY blockedAttemptsChanged)

 public:
    AppController(chat::Store& store, const chat::Settings& settings);

    QString theme() const { return m_theme; }
    bool isDark() const;
    int textScale() const { return m_textScale; }
    QVariant banner() const;
    QVariant toast() const;
    int connections() const { return 0; }  // nothing in the program can open one
    int blockedAttempts() const { return m_blockedAttempts; }

    Q_INVOKABLE void setTheme(const QString& theme);
    Q_INVOKABLE void setTextScale(int percent);
    Q_INVOKABLE void dismissBanner();
    Q_INVOKABLE void bannerAction(const QString& id);
    Q_INVOKABLE void undoToast();
    Q_INVOKABLE void dismissToast();
    Q_INVOKABLE void quit();

    // The newest banner wins.
    void showBanner(Banner banner);
    void showStoreError(const Error& error);
    void showToast(const QString& text, std::function<void()> undo);
    // For screenshots: not stored.
    void overrideAppearance(const QString& theme, int textScale);
    void countBlockedAttempt();

 signals:
    void themeChanged();
    void textScaleChanged();
    void bannerChanged();
    void toastChanged();
    void blockedAttemptsChanged();
    void bannerActionAsked(const QString& id);

 private:
    chat::Store& m_store;
    QString m_theme;
    int m_textScale = 100;
    std::optional<Banner> m_banner;
    QString m_toast;
    std::function<void()> m_undo;
    int m_blockedAttempts = 0;
};

}  // namespace agens::ui
