// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/ui/window.h"

#include <QFont>
#include <QGuiApplication>
#include <QOpenGLContext>
#include <QQmlContext>
#include <QQuickStyle>
#include <algorithm>
#include <string>
#include <utility>

#include "app/ui/qml_support/install.h"

namespace agens::ui {
namespace {

constexpr const char* kModule = "Agens";
const QString kMain = QStringLiteral("qrc:/Agens/Main.qml");

}  // namespace

void setUpAppearance() {
    QQuickStyle::setStyle(QStringLiteral("Basic"));
    // Without the explicit list emoji come in black and white and joined emoji fall apart.
    QFont font = QGuiApplication::font();
    font.setFamilies({QStringLiteral("Noto Sans"), QStringLiteral("Noto Sans CJK SC"),
                      QStringLiteral("Noto Color Emoji")});
    QGuiApplication::setFont(font);
    if (qEnvironmentVariableIsSet("QT_QUICK_BACKEND")) return;
    QOpenGLContext context;
    if (!context.create()) QQuickWindow::setGraphicsApi(QSGRendererInterface::Software);
}

Window::Window(chat::Store& store, const Clock& clock, WindowOptions options)
    : m_store(store),
      m_settings(std::move(options.settings)),
      m_service(store, clock, std::move(options.factory)),
      m_app(store, m_settings),
      m_models(m_service, store, m_app, clock, std::move(options.models)),
      m_chat(store, m_service, m_app, clock),
      m_meter([this](chat::MessageId reply,
                     std::chrono::nanoseconds took) { m_service.shown(reply, took); },
              options.keepsSamples),
      m_refusal([this] {
          QMetaObject::invokeMethod(&m_app, &AppController::countBlockedAttempt,
                                    Qt::QueuedConnection);
      }) {
    m_chat.onUpdate([this](const UpdateCost& cost) { m_meter.add(cost); });
}

Window::~Window() {
    shutDown();
    m_qml.reset();
}

void Window::shutDown() {
    if (std::exchange(m_isShutDown, true)) return;
    keepPlace();
    m_chat.leave();
    m_service.shutDown();
}

void Window::registerTypes() {
    qmlRegisterSingletonInstance(kModule, 1, 0, "App", &m_app);
    qmlRegisterSingletonInstance(kModule, 1, 0, "Chat", &m_chat);
    qmlRegisterSingletonInstance(kModule, 1, 0, "Models", &m_models);
}

Result<void> Window::show() {
    registerTypes();
    m_qml = std::make_unique<QQmlApplicationEngine>();
    m_qml->setNetworkAccessManagerFactory(&m_refusal);
    installQmlSupport(*m_qml);
    m_qml->addImportPath(QStringLiteral("qrc:/"));
    m_qml->load(QUrl(kMain));
    const auto roots = m_qml->rootObjects();
    m_window = roots.isEmpty() ? nullptr : qobject_cast<QQuickWindow*>(roots.first());
    if (m_window == nullptr) {
        return Error{ErrorKind::Internal, "window.qml", "The window could not be built.",
                     kMain.toStdString()};
    }
    QObject::connect(&m_models, &ModelsController::openModelAsked, m_window,
                     [this] { QMetaObject::invokeMethod(m_window, "showModelDialog"); });
    m_meter.watch(m_window);
    restorePlace();
    m_chat.begin(m_settings);
    return {};
}

// The size of the last time.
void Window::restorePlace() {
    m_window->resize(static_cast<int>(m_settings.integer("window.width")),
                     static_cast<int>(m_settings.integer("window.height")));
    if (m_settings.boolean("window.maximised")) m_window->showMaximized();
}

void Window::keepPlace() {
    if (m_window == nullptr) return;
    const Qt::WindowStates states = m_window->windowStates();
    const bool isMaximised = states.testFlag(Qt::WindowMaximized);
    m_store.setSetting("window.maximised", isMaximised ? "true" : "false").ignore();
    if (isMaximised || states.testFlag(Qt::WindowFullScreen)) return;
    m_store.setSetting("window.width", std::to_string(m_window->width())).ignore();
    m_store.setSetting("window.height", std::to_string(m_window->height())).ignore();
}

}  // namespace agens::ui
