// SPDX-License-Identifier: Apache-2.0
// Each scene: how the window comes into its state, and how one sees that it is there.
#include "app/ui/scenes.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QImage>
#include <QQuickItem>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <utility>

#include "app/chat/file_system.h"
#include "app/chat/random_source.h"
#include "app/ui/models/text_format.h"
#include "app/ui/scene_content.h"
#include "app/ui/window.h"

namespace agens::ui {
namespace {

using service::EngineState;

constexpr QSize kWide{1280, 800};
constexpr QSize kNarrow{390, 844};
constexpr int kDeadlineMs = 20'000;
constexpr int kSettleMs = 400;  // animations and late layout
constexpr std::chrono::milliseconds kSampleGap{250};

enum class EngineKind { Scripted, Loading, Failing };

struct Scene {
    const char* name;
    QSize size = kWide;
    EngineKind engine = EngineKind::Scripted;
    bool opensChat = false;
    bool streams = false;
    bool queues = false;
    bool edits = false;
    bool opensDrawer = false;
};

const std::array<Scene, 9>& scenes() {
    static const std::array<Scene, 9> all = {{
        {.name = "empty"},
        {.name = "loading", .engine = EngineKind::Loading},
        {.name = "chat", .opensChat = true},
        {.name = "chat-streaming", .opensChat = true, .streams = true},
        {.name = "edit", .opensChat = true, .edits = true},
        {.name = "queue", .opensChat = true, .streams = true, .queues = true},
        {.name = "load-error", .engine = EngineKind::Failing, .opensChat = true},
        {.name = "narrow-chat", .size = kNarrow, .opensChat = true},
        {.name = "narrow-drawer", .size = kNarrow, .opensChat = true, .opensDrawer = true},
    }};
    return all;
}

// Reports what a load of the starter would, then waits to be given up.
Result<std::unique_ptr<engine::Engine>> loadForEver(const engine::LoadSink& progress,
                                                    const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    const std::uint64_t total = 98'356'224;
    progress({engine::LoadStep::Checking, 1, 1});
    for (const std::uint64_t done : {std::uint64_t{0}, total / 3, total * 2 / 3}) {
        progress({engine::LoadStep::Reading, done, total});
        stopped.wait_for(lock, stop, kSampleGap, [] { return false; });
    }
    stopped.wait(lock, stop, [] { return false; });
    return Error{ErrorKind::Cancelled, "load.cancelled", "Loading was cancelled.", ""};
}

service::EngineFactory factoryOf(EngineKind kind) {
    return [kind](const std::filesystem::path& path, const engine::LoadSink& progress,
                  std::stop_token stop) -> Result<std::unique_ptr<engine::Engine>> {
        if (kind == EngineKind::Loading) return loadForEver(progress, stop);
        if (kind == EngineKind::Failing) {
            return Error{
                ErrorKind::InvalidFile, "gguf.truncated",
                "The file ends at 62.0 MiB; its tensors need 93.8 MiB. It was probably not "
                "copied completely.",
                "SmolLM2-135M-Instruct.Q4_1.gguf"};
        }
        return engine::openScriptedEngine(path, progress, std::move(stop));
    };
}

// The item of the transcript, found by what only it has.
QQuickItem* findTranscript(QQuickItem* item) {
    if (item->property("editedId").isValid()) return item;
    for (QQuickItem* child : item->childItems()) {
        if (QQuickItem* found = findTranscript(child)) return found;
    }
    return nullptr;
}

class Stage {
 public:
    Stage(const Scene& scene, Window& window) : m_scene(scene), m_window(window) {}

    // One thing at a time, each when the one before is to be seen. True: the picture can be taken.
    bool advance() {
        const EngineState state = m_window.service().state();
        if (m_scene.engine == EngineKind::Loading) return m_window.models().loadDone() > 0.3;
        if (m_scene.engine == EngineKind::Failing) {
            return state == EngineState::Failed && !m_window.chat().isEmpty();
        }
        if (state != EngineState::Ready) return false;
        if (m_scene.opensChat && m_window.chat().isEmpty()) return false;
        if (m_scene.streams && !stream()) return false;
        if (m_scene.edits) edit();
        if (m_scene.opensDrawer) openDrawer();
        return true;
    }

 private:
    bool stream() {
        ChatController& chat = m_window.chat();
        if (!std::exchange(m_hasSent, true)) {
            chat.send(toQt(kSceneQuestion));
            return false;
        }
        const auto& messages = chat.transcript()->messages();
        if (messages.empty() || !messages.back().text.ends_with("gluten to")) return false;
        if (m_scene.queues && !std::exchange(m_hasQueued, true)) chat.send(toQt(kSceneQueued));
        return true;
    }
    void edit() {
        QQuickItem* transcript = findTranscript(m_window.quickWindow()->contentItem());
        const auto& messages = m_window.chat().transcript()->messages();
        const auto question = std::ranges::find_if(
            messages, [](const MessageView& view) { return view.facts.role == chat::Role::User; });
        if (transcript == nullptr || question == messages.end()) return;
        transcript->setProperty("editedText", toQt(question->text));
        transcript->setProperty("editedId", QString::number(question->facts.id.value));
        transcript->setProperty("follow", false);
        QMetaObject::invokeMethod(transcript, "positionViewAtBeginning");
    }
    void openDrawer() { QMetaObject::invokeMethod(m_window.quickWindow(), "toggleSidebar"); }

    const Scene& m_scene;
    Window& m_window;
    bool m_hasSent = false;
    bool m_hasQueued = false;
};

void wait(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

Result<void> playAndDraw(const Scene& scene, Window& window, const LaunchOptions& options) {
    Stage stage(scene, window);
    QElapsedTimer time;
    time.start();
    while (!stage.advance()) {
        if (time.elapsed() > kDeadlineMs) {
            return Error{ErrorKind::Internal, "scene.stuck",
                         std::string("The scene did not come about in 20 s."), scene.name};
        }
        wait(20);
    }
    wait(kSettleMs);
    const QImage picture = window.quickWindow()->grabWindow();
    if (picture.isNull() || !picture.save(toQt(options.screenshot.string()), "PNG")) {
        return Error{ErrorKind::Io, "scene.write", "The picture could not be written.",
                     options.screenshot.string()};
    }
    return {};
}

}  // namespace

QStringList sceneNames() {
    QStringList names;
    for (const Scene& scene : scenes())
        names << QString::fromLatin1(scene.name);
    return names;
}

Result<void> drawScene(const LaunchOptions& options) {
    const auto scene = std::ranges::find_if(
        scenes(), [&](const Scene& one) { return options.scene == QLatin1String(one.name); });
    if (scene == scenes().end()) {
        return Error{
            ErrorKind::InvalidRequest, "scene.unknown",
            "There is no such scene. There are: " + toStd(sceneNames().join(QStringLiteral(", "))),
            toStd(options.scene)};
    }
    const QTemporaryDir folder;
    const std::filesystem::path script = toStd(folder.filePath(QStringLiteral("scene.script")));
    std::ofstream(script) << kSceneScript;

    SceneClock clock;
    chat::SystemFiles files;
    chat::SystemRandom random;
    TRY(const std::unique_ptr<chat::Store> store,
        chat::Store::open({}, chat::OpenMode::Memory, "scene", {clock, files, random}));
    TRY(const chat::ConversationId newest, writeSceneChats(*store, clock));
    Window window(*store, clock,
                  {.factory = factoryOf(scene->engine), .models = {.isRemembered = false}});
    window.app().overrideAppearance(
        options.theme.isEmpty() ? QStringLiteral("light") : options.theme, options.scalePercent);
    TRY_VOID(window.show());
    window.quickWindow()->resize(options.size.isEmpty() ? scene->size : options.size);
    if (scene->opensChat) window.chat().open(QString::number(newest.value));
    window.models().load(scene->engine == EngineKind::Scripted
                             ? script
                             : std::filesystem::path("SmolLM2-135M-Instruct.Q4_1.gguf"));
    return playAndDraw(*scene, window, options);
}

}  // namespace agens::ui
