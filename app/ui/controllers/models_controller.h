// SPDX-License-Identifier: Apache-2.0
// ModelsController: the singleton `Models` of QML: which model is loaded, how loading goes, opening
// another one. A model that loaded becomes the choice for the next start.
// Thread: UI.
#pragma once

#include <QObject>
#include <QString>
#include <QUrl>
#include <chrono>
#include <deque>
#include <filesystem>

#include "app/chat/store.h"
#include "app/service/engine_service.h"
#include "app/ui/controllers/app_controller.h"

namespace agens::ui {

struct ModelsOptions {
    std::filesystem::path starter;  // the model that came with the program; carries a note
    QString starterName = {};       // instead of what its file calls itself; empty: the file's
    bool isRemembered = true;       // false: a script, which is no choice for the next start
};

class ModelsController final : public QObject {
    Q_OBJECT
    Q_PROPERTY(QString name READ name NOTIFY modelChanged)
    Q_PROPERTY(QString detail READ detail NOTIFY modelChanged)
    Q_PROPERTY(QString note READ note NOTIFY modelChanged)
    Q_PROPERTY(QString path READ path NOTIFY modelChanged)
    Q_PROPERTY(bool loaded READ isLoaded NOTIFY modelChanged)
    Q_PROPERTY(bool loading READ isLoading NOTIFY modelChanged)
    Q_PROPERTY(bool failed READ hasFailed NOTIFY modelChanged)
    Q_PROPERTY(QString loadStep READ loadStep NOTIFY progressed)
    // The whole load, over all its steps; never goes back.
    Q_PROPERTY(double loadDone READ loadDone NOTIFY progressed)
    Q_PROPERTY(double loadTotal READ loadTotal CONSTANT)
    // "62.0 of 93.8 MiB · 410 MiB/s · about 1 s left" of the step.
    Q_PROPERTY(QString loadText READ loadText NOTIFY progressed)

 public:
    ModelsController(service::EngineService& service, chat::Store& store, AppController& app,
                     const Clock& clock, ModelsOptions options);

    QString name() const;
    QString detail() const;
    QString note() const;
    QString path() const;
    bool isLoaded() const { return m_service.state() == service::EngineState::Ready; }
    bool isLoading() const { return m_service.state() == service::EngineState::Loading; }
    bool hasFailed() const { return m_service.state() == service::EngineState::Failed; }
    QString loadStep() const;
    double loadDone() const { return m_loadDone; }
    double loadTotal() const { return 1.0; }
    QString loadText() const { return m_loadText; }

    Q_INVOKABLE void openFile(const QUrl& url);
    Q_INVOKABLE void cancelLoad();
    Q_INVOKABLE void reload();

    void load(const std::filesystem::path& model);

 signals:
    void modelChanged();
    void progressed();
    // A banner's action: show the file dialog.
    void openModelAsked();

 private:
    bool isStarter() const;
    struct Sample {
        std::chrono::nanoseconds at;
        std::uint64_t done;
    };
    void changed();
    void progress();
    QString rateText(const engine::LoadProgress& progress);

    service::EngineService& m_service;
    chat::Store& m_store;
    AppController& m_app;
    const Clock& m_clock;
    ModelsOptions m_options;
    double m_loadDone = 0;
    QString m_loadText;
    engine::LoadStep m_step = engine::LoadStep::Checking;
    std::deque<Sample> m_samples;  // of the last 2 s
};

}  // namespace agens::ui
