// SPDX-License-Identifier: Apache-2.0
// Window: everything between an open store and the pixels, built in order and destroyed in reverse:
// service, controllers, QML engine. main and the tests of the window make one.
//
// Only one at a time: QML singletons are registered for the process.
// Errors: Internal, id "window.qml", when the QML of the program does not load.
// Thread: UI.
#pragma once

#include <QQmlApplicationEngine>
#include <QQuickWindow>
#include <filesystem>
#include <memory>

#include "app/chat/settings.h"
#include "app/chat/store.h"
#include "app/service/engine_service.h"
#include "app/ui/controllers/app_controller.h"
#include "app/ui/controllers/chat_controller.h"
#include "app/ui/controllers/models_controller.h"
#include "app/ui/controllers/update_meter.h"
#include "app/ui/network_refusal.h"

namespace agens::ui {

struct WindowOptions {
    service::EngineFactory factory;
    ModelsOptions models;
    chat::Settings settings;
    bool keepsSamples = false;  // for --measure
};

class Window {
 public:
    Window(chat::Store& store, const Clock& clock, WindowOptions options);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    // Loads the QML and shows the window.
    Result<void> show();
    // Ends replies and loading, writes what is pending.
    void shutDown();

    QQuickWindow* quickWindow() { return m_window; }
    service::EngineService& service() { return m_service; }
    AppController& app() { return m_app; }
    ChatController& chat() { return m_chat; }
    ModelsController& models() { return m_models; }
    UpdateMeter& meter() { return m_meter; }

 private:
    void registerTypes();
    void restorePlace();
    void keepPlace();

    chat::Store& m_store;
    chat::Settings m_settings;
    service::EngineService m_service;
    AppController m_app;
    ModelsController m_models;
    ChatController m_chat;
    UpdateMeter m_meter;
    NetworkRefusal m_refusal;
    std::unique_ptr<QQmlApplicationEngine> m_qml;
    QQuickWindow* m_window = nullptr;  // owned by m_qml
    bool m_isShutDown = false;
};

// Application-wide appearance: fonts, control style, and a renderer that works on this machine.
// Before the first window.
void setUpAppearance();

}  // namespace agens::ui
