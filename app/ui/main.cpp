// SPDX-License-Identifier: Apache-2.0
// agens-desktop: the window. Reads the command line and the environment, opens the store, builds
// the window and runs it; everything is destroyed in reverse. The only place of the window that
// prints or reads the environment.
//
// Exit: 0 fine; 1 no display, the store is in use or cannot be opened, a scene failed; 2 bad
// arguments.
#include <QCoreApplication>
#include <QGuiApplication>
#include <cstdio>
#include <exception>
#include <fstream>
#include <system_error>

#include "app/chat/file_system.h"
#include "app/chat/random_source.h"
#include "app/chat/store.h"
#include "app/ui/launch_options.h"
#include "app/ui/quit_signals.h"
#include "app/ui/scenes.h"
#include "app/ui/window.h"
#include "engine/base/log.h"

namespace agens::ui {
namespace {

constexpr const char* kStarter = "SmolLM2-135M-Instruct.Q4_1.gguf";
constexpr const char* kStarterName = "SmolLM2-135M-Instruct";
constexpr int kFailed = 1;
constexpr int kBadArguments = 2;

// What a handler throws is our own bug: it is logged, and the window lives on.
class Application final : public QGuiApplication {
 public:
    using QGuiApplication::QGuiApplication;
    bool notify(QObject* receiver, QEvent* event) override {
        try {
            return QGuiApplication::notify(receiver, event);
        } catch (const std::exception& failure) {
            log::error("ui", failure.what());
            return false;
        }
    }
};

int fail(const Error& error) {
    std::fprintf(stderr, "agens-desktop: %s\n", error.text().c_str());
    return error.id == "arguments" ? kBadArguments : kFailed;
}

std::string variable(const char* name) {
    return qgetenv(name).toStdString();
}

bool hasDisplay() {
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || !variable("DISPLAY").empty() ||
           !variable("WAYLAND_DISPLAY").empty();
}

Result<chat::StorePaths> personalPaths(const std::string& dataDir) {
    std::error_code ignored;
    return chat::storePaths({.dataDir = dataDir,
                             .home = variable("HOME"),
                             .xdgDataHome = variable("XDG_DATA_HOME"),
                             .xdgConfigHome = variable("XDG_CONFIG_HOME"),
                             .xdgStateHome = variable("XDG_STATE_HOME"),
                             .xdgRuntimeDir = variable("XDG_RUNTIME_DIR"),
                             .currentFolder = std::filesystem::current_path(ignored).string()});
}

service::EngineFactory factoryOf(const LaunchOptions& options) {
    if (!options.script.empty()) {
        return [](const std::filesystem::path& script, const engine::LoadSink& progress,
                  std::stop_token stop) {
            return engine::openScriptedEngine(script, progress, std::move(stop));
        };
    }
    return [](const std::filesystem::path& model, const engine::LoadSink& progress,
              std::stop_token stop) {
        engine::OpenOptions open;
        open.model = model;
        return engine::openEngine(open, progress, std::move(stop));
    };
}

// What to load at the start: what was asked for, else the last model, else the one that came along.
std::filesystem::path firstModel(const LaunchOptions& options, const chat::Settings& settings,
                                 const std::filesystem::path& starter) {
    if (!options.script.empty()) return options.script;
    if (!options.model.empty()) return options.model;
    if (!settings.boolean("models.loadAtStart")) return {};
    std::error_code ignored;
    const std::filesystem::path last = settings.text("model.current");
    if (!last.empty() && std::filesystem::exists(last, ignored)) return last;
    if (std::filesystem::exists(starter, ignored)) return starter;
    return {};
}

int runScene(const LaunchOptions& options, int& count, char** words) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_QUICK_BACKEND", "software");
    const Application application(count, words);
    setUpAppearance();
    const auto drawn = drawScene(options);
    return drawn ? 0 : fail(drawn.error());
}

int runWindow(const LaunchOptions& options, int& count, char** words) {
    blockQuitSignals();
    const auto paths = personalPaths(options.dataDir);
    if (!paths) return fail(paths.error());
    const SystemClock clock;
    chat::SystemFiles files;
    chat::SystemRandom random;
    auto store =
        chat::Store::open(*paths, chat::OpenMode::Live, "Agens Desktop", {clock, files, random});
    if (!store) return fail(store.error());
    const auto settings = (*store)->settings().get();
    if (!settings) return fail(settings.error());

    const Application application(count, words);
    const QuitSignals quitSignals;
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Agens Desktop"));
    QGuiApplication::setDesktopFileName(QStringLiteral("agens-desktop"));
    setUpAppearance();
    const std::filesystem::path starter = paths->models / kStarter;
    Window window(**store, clock,
                  {.factory = factoryOf(options),
                   .models = {.starter = starter,
                              .starterName = QString::fromLatin1(kStarterName),
                              .isRemembered = options.script.empty()},
                   .settings = *settings,
                   .keepsSamples = !options.measure.empty()});
    if (const auto shown = window.show(); !shown) return fail(shown.error());
    const std::filesystem::path model = firstModel(options, *settings, starter);
    if (!model.empty()) window.models().load(std::filesystem::absolute(model));
    if (!options.send.isEmpty()) window.chat().send(options.send);
    const int status = QGuiApplication::exec();
    window.shutDown();
    if (!options.measure.empty()) std::ofstream(options.measure) << window.meter().report();
    return status;
}

int runMain(int count, char** words) {
    QStringList arguments;
    for (int i = 0; i < count; ++i)
        arguments << QString::fromLocal8Bit(words[i]);
    const auto options = parseLaunchOptions(arguments);
    if (!options) return fail(options.error());
    if (options->wantsHelp) return std::fputs(qPrintable(launchHelp()), stdout) < 0 ? kFailed : 0;
    if (options->wantsVersion) return std::puts("agens-desktop " AGENS_VERSION) < 0 ? kFailed : 0;
    const auto level = log::parseLevel(options->logLevel);
    if (!level) return fail(level.error());
    if (const auto set = log::setUpLog(*level, {}); !set) return fail(set.error());
    if (!options->screenshot.empty()) return runScene(*options, count, words);
    if (!hasDisplay()) {
        std::fputs("There is no display. In a terminal use: agens chat\n", stderr);
        return kFailed;
    }
    return runWindow(*options, count, words);
}

}  // namespace
}  // namespace agens::ui

int main(int count, char** words) {
    return agens::ui::runMain(count, words);
}
