// SPDX-License-Identifier: Apache-2.0
// Scenes: see the header.
#include "tests/ui/qml/preview/scenes.h"

#include <QAccessible>
#include <QEventLoop>
#include <QFont>
#include <QQmlIncubationController>
#include <QQuickItem>
#include <QTimer>

#include "app/ui/qml_support/install.h"

namespace agens::ui::test {
namespace {

const char* const kRope =
    R"(Keep closed blocks as immutable strings and let only the **open tail** grow. Appending is amortised [O(1)](https://en.cppreference.com/w/cpp/string), and nothing before the tail is ever copied or laid out again:

```cpp
class TailBuffer {
    void append(std::string_view piece) {
        tail_ += piece;                     // only the open block grows
        if (auto cut = safeCut(tail_)) close(*cut);
    }
    std::string tail_;
};
```

| Container | Append | Find line | Memory per MiB |
|---|---:|---:|---:|
| One std::string | O(1)* | O(n) | 1.0–2.0 MiB |
| Rope of blocks | O(1) | O(log n) | 1.1 MiB |

For a chat the rope of blocks wins: search and scrolling ask for lines, not for bytes.
)";

const char* const kLetter = R"(Sehr geehrte Damen und Herren,

Rückfragen zu den Vergabeunterlagen sind **bis zum 14. Januar 2027** in Textform an die Vergabestelle zu richten. Die Angebote sind **bis zum 28. Januar 2027, 12:00 Uhr**, einzureichen; verspätet eingegangene Angebote werden vom Verfahren ausgeschlossen.

Maßgeblich ist der Zeitpunkt des vollständigen Eingangs auf der Plattform, nicht der Beginn der)";

const char* const kKinds = R"(# Kinds of blocks

A paragraph with *italic*, **bold**, ~~struck~~ and `code`, a [link](https://example.org/a), emoji 👍🏽 and 港式奶茶.

## Second level

- a point
- another one
  1. first below it
  2. second below it, long enough that it needs more than one line of the column to show how it hangs below its own first word
- [ ] an open task
- [x] a finished task

> A quote of somebody
>
> > and a quote in it

---

```python
def answer():
    return 42
```
)";

QVariantMap chatRow(const QString& title, bool isCurrent = false, bool isRunning = false,
                    bool isPinned = false) {
    return {{"kind", "chat"},       {"conversationId", title}, {"title", title},
            {"current", isCurrent}, {"running", isRunning},    {"pinned", isPinned},
            {"group", ""}};
}

QVariantMap groupRow(const QString& name) {
    return {{"kind", "group"}, {"group", name}, {"title", name}, {"conversationId", ""}};
}

void setConversations(Window& window, const QString& current, const QString& running = {}) {
    QList<QVariantMap> rows;
    const auto add = [&](const QString& title, bool isPinned = false) {
        rows << chatRow(title, title == current, title == running, isPinned);
    };
    rows << groupRow("Pinned");
    add("Thesis outline", true);
    rows << groupRow("Today");
    add("Rope buffer in C++20");
    add("Translate the tender letter");
    add("港式奶茶的做法");
    rows << groupRow("Yesterday");
    add("Holiday budget as a table");
    add("Why is my fstab ignored?");
    add("Regex for German postcodes");
    rows << groupRow("Previous 7 days");
    add("Photo of the boiler plate");
    add("Latin for beginners");
    add("Unit test names");
    window.chat.conversations.setRows(rows);
    window.chat.setProperty("conversationId", current);
    window.chat.setProperty("title", current);
}

void setModel(Window& window) {
    window.models.setProperty("name", "SmolLM2 135M Instruct");
    window.models.setProperty("detail", QString::fromUtf8("135M · Q4_1 · 8 192 ctx"));
    window.models.setProperty("note", "tiny model, for trying the program");
    window.models.setProperty("path", "/models/SmolLM2-135M-Instruct.Q4_1.gguf");
    window.models.setProperty("loaded", true);
}

// Every value as a window without chats and models has it.
void reset(Window& window) {
    const QVariant none = QVariant::fromValue(nullptr);
    window.app.setProperty("banner", none);
    window.app.setProperty("toast", none);
    for (const char* name : {"conversationId", "title", "prefillText", "sendProblem", "factsText",
                             "draft", "queuedText"}) {
        window.chat.setProperty(name, QString());
    }
    for (const char* name : {"name", "detail", "note", "loadStep", "loadText", "path"})
        window.models.setProperty(name, QString());
    for (const char* name : {"loadDone", "loadTotal"})
        window.models.setProperty(name, 0.0);
    for (const char* name : {"loaded", "loading"})
        window.models.setProperty(name, false);
    for (const char* name : {"contextUsed", "contextTotal"})
        window.chat.setProperty(name, 0);
    window.chat.setProperty("state", "idle");
    window.chat.setProperty("canSend", true);
    window.chat.setProperty("isEmpty", true);
    window.chat.transcript.setRows({});
    window.chat.conversations.setRows({});
    window.app.calls.clear();
    window.chat.calls.clear();
    window.models.calls.clear();
}

void setRows(Window& window, const QList<QVariantMap>& rows) {
    window.chat.setProperty("isEmpty", rows.isEmpty());
    window.chat.transcript.setRows(rows);
}

void sceneChat(Window& window) {
    setConversations(window, "Rope buffer in C++20");
    setModel(window);
    setRows(window,
            QList<QVariantMap>{
                userRow("u1",
                        "Which container should back the text of a growing reply? Show a "
                        "minimal append and compare the costs.",
                        2, 2)} +
                replyRows("r1", kRope,
                          {{"speedText", "84.6 tok/s"},
                           {"statsText", QString::fromUtf8("318 tokens · first token 0.41 s")},
                           {"siblingIndex", 0},
                           {"siblingCount", 2}}));
    window.chat.setProperty("draft", "What changes when two threads append?");
    window.chat.setProperty(
        "factsText", QString::fromUtf8("3 171 tokens cached + 13 new · first token ≈ 0.2 s"));
    window.chat.setProperty("contextUsed", 3184);
    window.chat.setProperty("contextTotal", 258052);
}

void sceneStreaming(Window& window) {
    setConversations(window, "Translate the tender letter", "Translate the tender letter");
    setModel(window);
    QList<QVariantMap> reply =
        replyRows("r1", kLetter,
                  {{"state", "text"}, {"speedText", "61.8 tok/s"}, {"statsText", "187 tokens"}});
    reply[reply.size() - 2]["isStreaming"] = true;
    setRows(window,
            QList<QVariantMap>{userRow("u1",
                                       "Translate the second paragraph of the letter into formal "
                                       "German and keep the deadlines exact.")} +
                reply);
    window.chat.setProperty("state", "streaming");
    window.chat.setProperty("queuedText", "Now the same for the third paragraph, please.");
    window.chat.setProperty("contextUsed", 6902);
    window.chat.setProperty("contextTotal", 258052);
}

void sceneLoading(Window& window) {
    setConversations(window, "");
    window.models.setProperty("name", "Agens Volundr 32B");
    window.models.setProperty("loading", true);
    window.models.setProperty("loadStep", "Reading weights");
    window.models.setProperty(
        "loadText",
        QString::fromUtf8("step 2 of 4 · 11.4 of 15.8 GiB · 2.1 GiB/s · about 2 s left"));
    window.models.setProperty("loadDone", 11.4);
    window.models.setProperty("loadTotal", 15.8);
    window.chat.setProperty("draft", "Explain the difference between a mutex and a semaphore");
    window.chat.setProperty("factsText",
                            QString::fromUtf8("9 tokens · sent when the model is ready"));
    window.chat.setProperty("contextUsed", 9);
    window.chat.setProperty("contextTotal", 258052);
}

void sceneError(Window& window) {
    setConversations(window, "Why is my fstab ignored?");
    window.models.setProperty("name", "Agens Volundr 32B");
    QList<QVariantMap> reply = replyRows(
        "r1",
        "Start with the line that systemd generated from it, because a failed unit names the "
        "reason:\n\n```sh\nsystemctl --failed --type=mount\njournalctl -b -u "
        "'mnt-data.mount'\n```\n\n"
        "If the unit is missing altogether, the line was not parsed. The usual cause is a space in "
        "the",
        {{"state", "error"},
         {"speedText", "52.0 tok/s"},
         {"statsText", QString::fromUtf8("71 tokens · first token 0.38 s")}});
    QVariantMap notice = reply.back();
    notice["rowKind"] = "notice";
    notice["noticeText"] = "Stopped after 71 tokens: the device was lost. The text is saved.";
    reply.insert(reply.size() - 1, notice);
    setRows(window, QList<QVariantMap>{userRow(
                        "u1",
                        "My second disk is in fstab but is not mounted after a restart. "
                        "What should I check first?")} +
                        reply);
    window.app.setProperty(
        "banner", QVariantMap{{"title", "This model file cannot be opened"},
                              {"text",
                               "Volundr-32B.gguf ends after 15.2 GiB, but its tensors need 15.8 "
                               "GiB. Nothing was loaded and no chat was changed."},
                              {"remedy", "Copy the file again, or choose another."},
                              {"actionText", "Choose another…"},
                              {"actionId", "openModel"}});
    window.chat.setProperty("draft", "It is an ext4 disk, label DATA.");
    window.chat.setProperty("canSend", false);
    window.chat.setProperty("sendProblem", QString::fromUtf8("Draft saved · load a model to send"));
}

void sceneKinds(Window& window) {
    sceneChat(window);
    setRows(window, QList<QVariantMap>{userRow("u1", "Show me every kind of block.")} +
                        replyRows("r1", kKinds,
                                  {{"speedText", "84.6 tok/s"}, {"statsText", "318 tokens"}}));
    window.chat.setProperty("draft", "");
}

void sceneEmpty(Window& window) {
    setConversations(window, "");
}

void scenePrefill(Window& window) {
    sceneChat(window);
    QList<QVariantMap> reply = replyRows("r2", "", {{"state", "prefill"}});
    QVariantMap prefill = reply.back();
    prefill["rowKind"] = "prefill";
    prefill["rowId"] = "r2.prefill";
    prefill["firstOfMessage"] = true;
    reply.prepend(prefill);
    setRows(window, QList<QVariantMap>{userRow("u2", "And with two threads?")} + reply);
    window.chat.setProperty("state", "prefill");
    window.chat.setProperty("draft", "");
    window.chat.setProperty(
        "prefillText",
        QString::fromUtf8("Reading the conversation 8 192 of 12 402 tokens · 4 210 cached"));
    window.app.setProperty("toast", QVariantMap{{"text", "Chat deleted."}, {"undo", true}});
}

void sceneLong(Window& window) {
    sceneChat(window);
    QList<QVariantMap> rows;
    for (int turn = 0; turn < 40; ++turn) {
        rows << userRow(QStringLiteral("u%1").arg(turn), QStringLiteral("Question %1").arg(turn));
        rows += replyRows(QStringLiteral("r%1").arg(turn), turn % 2 ? kRope : kKinds,
                          {{"speedText", "84.6 tok/s"},
                           {"statsText", "318 tokens"},
                           {"isLastReply", turn == 39}});
    }
    setRows(window, rows);
}

struct Scene {
    const char* name;
    void (*set)(Window&);
};
constexpr Scene kScenes[] = {
    {"chat", sceneChat},       {"streaming", sceneStreaming}, {"loading", sceneLoading},
    {"error", sceneError},     {"kinds", sceneKinds},         {"empty", sceneEmpty},
    {"prefill", scenePrefill}, {"long", sceneLong},
};

QQuickItem* findNamed(QQuickItem* item, const QString& name) {
    if (!item->isVisible()) return nullptr;
    if (accessibleName(item) == name) return item;
    for (QQuickItem* child : item->childItems()) {
        if (QQuickItem* found = findNamed(child, name)) return found;
    }
    return nullptr;
}

}  // namespace

Window::Window() {
    qmlRegisterSingletonInstance("Agens", 1, 0, "App", &app);
    qmlRegisterSingletonInstance("Agens", 1, 0, "Chat", &chat);
    qmlRegisterSingletonInstance("Agens", 1, 0, "Models", &models);
    installQmlSupport(m_engine);
}

void Window::show(const QSize& size) {
    m_engine.addImportPath(m_folder + u'/');
    m_engine.setInitialProperties({{"width", size.width()}, {"height", size.height()}});
    m_engine.load(QUrl(m_folder + "/Agens/Main.qml"));
    m_window = m_engine.rootObjects().isEmpty()
                   ? nullptr
                   : qobject_cast<QQuickWindow*>(m_engine.rootObjects().first());
    if (m_window != nullptr) settle();
}

QQuickItem* Window::named(const QString& name) const {
    return findNamed(m_window->contentItem(), name);
}

QStringList sceneNames() {
    QStringList names;
    for (const Scene& scene : kScenes)
        names << QString::fromLatin1(scene.name);
    return names;
}

void setScene(Window& window, const QString& name) {
    // Qt warns when rows disappear that the list is still making ahead of its view.
    const QQmlIncubationController* const rows = window.engine().incubationController();
    while (rows != nullptr && rows->incubatingObjectCount() > 0)
        settle(5);
    reset(window);
    for (const Scene& scene : kScenes) {
        if (name == QLatin1String(scene.name)) scene.set(window);
    }
}

QString accessibleName(QQuickItem* item) {
    const QAccessibleInterface* const seen = QAccessible::queryAccessibleInterface(item);
    return seen != nullptr ? seen->text(QAccessible::Name) : QString();
}

void setFonts() {
    QFont font;
    font.setFamilies({"Noto Sans", "Noto Sans CJK SC", "Noto Color Emoji"});
    font.setPixelSize(14);
    QGuiApplication::setFont(font);
}

void settle(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

}  // namespace agens::ui::test
