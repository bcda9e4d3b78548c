// SPDX-License-Identifier: Apache-2.0
// Stand-ins for the controllers of the window: values set by a scene, calls written down. They
// decide nothing; what the views show for which values, and call for which key, is what is looked
// at. Thread: UI.
#pragma once

#include <QAbstractListModel>
#include <QObject>
#include <QStringList>
#include <QUrl>
#include <QVariant>

namespace agens::ui::test {

// Rows given as maps from role to value.
class FakeRows : public QAbstractListModel {
    Q_OBJECT

 public:
    explicit FakeRows(QList<QByteArray> roles) : m_roles(std::move(roles)) {}

    void setRows(QList<QVariantMap> rows);
    void append(const QVariantMap& row);
    void change(int row, const QString& role, const QVariant& value);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

 private:
    QList<QByteArray> m_roles;
    QList<QVariantMap> m_rows;
};

class FakeApp : public QObject {
    Q_OBJECT
    Q_PROPERTY(QString theme MEMBER theme NOTIFY themeChanged)
    Q_PROPERTY(bool dark MEMBER dark NOTIFY darkChanged)
    Q_PROPERTY(int textScale MEMBER textScale NOTIFY textScaleChanged)
    Q_PROPERTY(QVariant banner MEMBER banner NOTIFY bannerChanged)
    Q_PROPERTY(QVariant toast MEMBER toast NOTIFY toastChanged)
    Q_PROPERTY(int connections MEMBER connections NOTIFY connectionsChanged)
    Q_PROPERTY(int blockedAttempts MEMBER blockedAttempts NOTIFY blockedAttemptsChanged)

 public:
    QString theme = QStringLiteral("system");
    bool dark = false;
    int textScale = 100;
    QVariant banner = QVariant::fromValue(nullptr);
    QVariant toast = QVariant::fromValue(nullptr);
    int connections = 0;
    int blockedAttempts = 0;
    QStringList calls;

    Q_INVOKABLE void setTheme(const QString& name) { calls << "setTheme " + name; }
    Q_INVOKABLE void setTextScale(int percent) {
        calls << QStringLiteral("setTextScale %1").arg(percent);
    }
    Q_INVOKABLE void dismissBanner() { calls << "dismissBanner"; }
    Q_INVOKABLE void bannerAction(const QString& id) { calls << "bannerAction " + id; }
    Q_INVOKABLE void undoToast() { calls << "undoToast"; }
    Q_INVOKABLE void dismissToast() { calls << "dismissToast"; }
    Q_INVOKABLE void quit() { calls << "quit"; }

 signals:
    void themeChanged();
    void darkChanged();
    void textScaleChanged();
    void bannerChanged();
    void toastChanged();
    void connectionsChanged();
    void blockedAttemptsChanged();
};

class FakeChat : public QObject {
    Q_OBJECT
    Q_PROPERTY(QString conversationId MEMBER conversationId NOTIFY conversationIdChanged)
    Q_PROPERTY(QString title MEMBER title NOTIFY titleChanged)
    Q_PROPERTY(bool isEmpty MEMBER isEmpty NOTIFY isEmptyChanged)
    Q_PROPERTY(QString state MEMBER state NOTIFY stateChanged)
    Q_PROPERTY(QString prefillText MEMBER prefillText NOTIFY prefillTextChanged)
    Q_PROPERTY(bool canSend MEMBER canSend NOTIFY canSendChanged)
    Q_PROPERTY(QString sendProblem MEMBER sendProblem NOTIFY sendProblemChanged)
    Q_PROPERTY(QString factsText MEMBER factsText NOTIFY factsTextChanged)
    Q_PROPERTY(int contextUsed MEMBER contextUsed NOTIFY contextUsedChanged)
    Q_PROPERTY(int contextTotal MEMBER contextTotal NOTIFY contextTotalChanged)
    Q_PROPERTY(QString draft MEMBER draft NOTIFY draftChanged)
    Q_PROPERTY(QString queuedText MEMBER queuedText NOTIFY queuedTextChanged)
    Q_PROPERTY(double tokensPerSecond MEMBER tokensPerSecond NOTIFY tokensPerSecondChanged)
    Q_PROPERTY(agens::ui::test::FakeRows* transcript READ transcriptRows CONSTANT)
    Q_PROPERTY(agens::ui::test::FakeRows* conversations READ conversationRows CONSTANT)

 public:
    FakeChat();

    FakeRows* transcriptRows() { return &transcript; }
    FakeRows* conversationRows() { return &conversations; }

    FakeRows transcript;
    FakeRows conversations;
    QString conversationId;
    QString title;
    bool isEmpty = true;
    QString state = QStringLiteral("idle");
    QString prefillText;
    bool canSend = true;
    QString sendProblem;
    QString factsText;
    int contextUsed = 0;
    int contextTotal = 0;
    QString draft;
    QString queuedText;
    double tokensPerSecond = 0;
    QStringList calls;

    Q_INVOKABLE void newChat() { calls << "newChat"; }
    Q_INVOKABLE void open(const QString& id) { calls << "open " + id; }
    Q_INVOKABLE void send(const QString& text) { calls << "send " + text; }
    Q_INVOKABLE void stop() { calls << "stop"; }
    Q_INVOKABLE void regenerate(const QString& id) { calls << "regenerate " + id; }
    Q_INVOKABLE void edit(const QString& id, const QString& text) {
        calls << "edit " + id + " " + text;
    }
    Q_INVOKABLE void switchSibling(const QString& id, int delta) {
        calls << QStringLiteral("switchSibling %1 %2").arg(id).arg(delta);
    }
    Q_INVOKABLE void copyMessage(const QString& id) { calls << "copyMessage " + id; }
    Q_INVOKABLE void copyText(const QString& text) { calls << "copyText " + text; }
    Q_INVOKABLE void rename(const QString& id, const QString& name) {
        calls << "rename " + id + " " + name;
    }
    Q_INVOKABLE void remove(const QString& id) { calls << "remove " + id; }
    Q_INVOKABLE void saveDraft(const QString& text) { calls << "saveDraft " + text; }
    Q_INVOKABLE void clearQueue() { calls << "clearQueue"; }
    Q_INVOKABLE void sendQueued() { calls << "sendQueued"; }

 signals:
    void conversationIdChanged();
    void titleChanged();
    void isEmptyChanged();
    void stateChanged();
    void prefillTextChanged();
    void canSendChanged();
    void sendProblemChanged();
    void factsTextChanged();
    void contextUsedChanged();
    void contextTotalChanged();
    void draftChanged();
    void queuedTextChanged();
    void tokensPerSecondChanged();
};

class FakeModels : public QObject {
    Q_OBJECT
    Q_PROPERTY(QString name MEMBER name NOTIFY nameChanged)
    Q_PROPERTY(QString detail MEMBER detail NOTIFY detailChanged)
    Q_PROPERTY(QString note MEMBER note NOTIFY noteChanged)
    Q_PROPERTY(bool loaded MEMBER loaded NOTIFY loadedChanged)
    Q_PROPERTY(bool loading MEMBER loading NOTIFY loadingChanged)
    Q_PROPERTY(QString loadStep MEMBER loadStep NOTIFY loadStepChanged)
    Q_PROPERTY(double loadDone MEMBER loadDone NOTIFY loadDoneChanged)
    Q_PROPERTY(double loadTotal MEMBER loadTotal NOTIFY loadTotalChanged)
    Q_PROPERTY(QString loadText MEMBER loadText NOTIFY loadTextChanged)
    Q_PROPERTY(QString path MEMBER path NOTIFY pathChanged)

 public:
    QString name;
    QString detail;
    QString note;
    bool loaded = false;
    bool loading = false;
    QString loadStep;
    double loadDone = 0;
    double loadTotal = 0;
    QString loadText;
    QString path;
    QStringList calls;

    Q_INVOKABLE void openFile(const QUrl& url) { calls << "openFile " + url.toString(); }
    Q_INVOKABLE void cancelLoad() { calls << "cancelLoad"; }
    Q_INVOKABLE void reload() { calls << "reload"; }

 signals:
    void nameChanged();
    void detailChanged();
    void noteChanged();
    void loadedChanged();
    void loadingChanged();
    void loadStepChanged();
    void loadDoneChanged();
    void loadTotalChanged();
    void loadTextChanged();
    void pathChanged();
};

}  // namespace agens::ui::test
