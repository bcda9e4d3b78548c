// SPDX-License-Identifier: Apache-2.0
// The open chat over a real store and a fake engine: order of a reply, queue, branches, drafts.
#include "app/ui/controllers/chat_controller.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>

#include "app/ui/controllers/models_controller.h"
#include "tests/service/fake_engine.h"
#include "tests/service/service_fixture.h"

namespace agens::ui {
namespace {

using agens::test::FakeEngine;
using agens::test::FakeEngineDesk;
using agens::test::waitFor;

class ChatControllerTest : public agens::test::StoreFixture {
 protected:
    ChatControllerTest() { build(); }
    ~ChatControllerTest() override { leave(); }

    void build() {
        m_service = std::make_unique<service::EngineService>(
            *m_store, m_clock,
            [this](const std::filesystem::path& path, const engine::LoadSink&,
                   std::stop_token stop) { return open(path, stop); });
        m_app = std::make_unique<AppController>(*m_store, chat::Settings());
        m_models = std::make_unique<ModelsController>(*m_service, *m_store, *m_app, m_clock,
                                                      ModelsOptions{.starter = "starter"});
        m_chat = std::make_unique<ChatController>(*m_store, *m_service, *m_app, m_clock);
    }
    // As the program leaves.
    void leave() {
        if (m_chat) m_chat->leave();
        if (m_service) m_service->shutDown();
        m_chat.reset();
        m_models.reset();
        m_app.reset();
        m_service.reset();
    }
    void restart() {
        leave();
        openStore();
        build();
        m_chat->begin(*m_store->settings().get());
    }
    Result<std::unique_ptr<engine::Engine>> open(const std::filesystem::path& path,
                                                 const std::stop_token& stop) {
        if (path == "slow") {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            m_mayLoad.wait(lock, stop, [this] { return m_isLoadAllowed.load(); });
        }
        if (path == "broken") return Error{ErrorKind::InvalidFile, "gguf.bad", "Bad file.", ""};
        return std::unique_ptr<engine::Engine>(std::make_unique<FakeEngine>(m_desk));
    }
    void load(const std::filesystem::path& path = "model") {
        m_models->load(path);
        ASSERT_TRUE(waitFor([this] { return m_models->isLoaded(); }));
    }
    std::shared_ptr<agens::test::FakeReply> submitted(std::size_t index) {
        EXPECT_TRUE(waitFor([&] { return m_desk->reply(index) != nullptr; }));
        return m_desk->reply(index);
    }
    // Asks, answers, and waits until all is quiet.
    void converse(const QString& question, const std::string& answer) {
        const std::size_t next = m_desk->requests().size();
        m_chat->send(question);
        const auto reply = submitted(next);
        if (reply == nullptr) return;
        reply->say(answer);
        reply->finish();
        EXPECT_TRUE(waitFor([&] { return m_chat->state() == "idle" && !m_service->isBusy(); }));
    }
    QStringList texts() {
        QStringList list;
        for (const MessageView& view : m_chat->transcript()->messages())
            list << QString::fromStdString(view.text);
        return list;
    }
    QString idOf(std::size_t message) {
        const auto& messages = m_chat->transcript()->messages();
        return message < messages.size() ? QString::number(messages[message].facts.id.value) : "";
    }
    bool shows(const QStringList& wanted) {
        return waitFor([&] { return texts() == wanted; });
    }

    std::shared_ptr<FakeEngineDesk> m_desk = std::make_shared<FakeEngineDesk>();
    std::atomic<bool> m_isLoadAllowed{false};
    std::condition_variable_any m_mayLoad;
    std::unique_ptr<service::EngineService> m_service;
    std::unique_ptr<AppController> m_app;
    std::unique_ptr<ModelsController> m_models;
    std::unique_ptr<ChatController> m_chat;
};

TEST_F(ChatControllerTest, AMessageIsStoredThenShownThenAnswered) {
    load();
    int shownStored = 0;
    QObject::connect(m_chat->transcript(), &QAbstractItemModel::rowsInserted, m_chat.get(), [&] {
        const auto heads = m_store->conversations().get();
        shownStored = static_cast<int>(heads->size());
        EXPECT_TRUE(m_desk->requests().empty());
    });
    m_chat->send("Hello");
    const auto reply = submitted(0);
    EXPECT_EQ(shownStored, 1);
    EXPECT_EQ(texts(), (QStringList{"Hello", ""}));
    EXPECT_EQ(m_chat->title(), "Hello");
    QObject::disconnect(m_chat->transcript(), nullptr, m_chat.get(), nullptr);
    reply->say("Hi there.");
    EXPECT_TRUE(shows({"Hello", "Hi there."}));
    EXPECT_EQ(m_chat->state(), "streaming");
    reply->finish();
    EXPECT_TRUE(waitFor([&] { return m_chat->state() == "idle"; }));
}

TEST_F(ChatControllerTest, TheNextTurnHoldsTheWholeBranch) {
    load();
    converse("one", "first");
    converse("two", "second");
    const auto prompt = std::get<engine::ChatPrompt>(m_desk->requests()[1].prompt);
    ASSERT_EQ(prompt.messages.size(), 3U);
    EXPECT_EQ(prompt.messages[0].content, "one");
    EXPECT_EQ(prompt.messages[1].content, "first");
    EXPECT_EQ(prompt.messages[2].content, "two");
    EXPECT_EQ(m_desk->requests()[0].conversation, m_desk->requests()[1].conversation);
}

TEST_F(ChatControllerTest, WithoutAModelItSaysWhyNothingCanBeSent) {
    EXPECT_FALSE(m_chat->canSend());
    EXPECT_TRUE(m_chat->sendProblem().contains("No model"));
    m_chat->send("lost?");
    EXPECT_TRUE(m_chat->isEmpty());
    m_models->load("broken");
    ASSERT_TRUE(waitFor([this] { return m_models->hasFailed(); }));
    EXPECT_FALSE(m_chat->sendProblem().isEmpty());
    EXPECT_EQ(m_app->banner().toMap()["text"].toString(), "Bad file.");
}

TEST_F(ChatControllerTest, AMessageSentWhileLoadingWaits) {
    m_models->load("slow");
    ASSERT_TRUE(m_chat->canSend());
    m_chat->send("early");
    EXPECT_TRUE(shows({"early", ""}));
    EXPECT_EQ(m_chat->state(), "queued");
    m_isLoadAllowed = true;
    m_mayLoad.notify_all();
    submitted(0)->finish();
    EXPECT_TRUE(waitFor([&] { return m_chat->state() == "idle"; }));
}

TEST_F(ChatControllerTest, StopShowsAtOnceAndKeepsTheText) {
    load();
    m_chat->send("go");
    submitted(0)->say("half");
    ASSERT_TRUE(shows({"go", "half"}));
    m_chat->stop();
    EXPECT_EQ(m_chat->state(), "idle");
    ASSERT_TRUE(waitFor([&] { return !m_service->isBusy(); }));
    const auto& last = m_chat->transcript()->messages().back();
    ASSERT_TRUE(waitFor([&] { return !m_chat->transcript()->messages().back().facts.isLive; }));
    EXPECT_EQ(last.facts.state, chat::MessageState::Stopped);
    EXPECT_EQ(last.text, "half");
}

TEST_F(ChatControllerTest, EnterWhileAReplyRunsQueuesOneMessage) {
    load();
    m_chat->send("one");
    const auto first = submitted(0);
    ASSERT_TRUE(shows({"one", ""}));
    m_chat->send("two");
    m_chat->send("three");
    EXPECT_EQ(m_chat->queuedText(), "two\n\nthree");
    first->finish();
    submitted(1)->finish();
    EXPECT_TRUE(shows({"one", "", "two\n\nthree", ""}));
    EXPECT_EQ(m_chat->queuedText(), "");
}

TEST_F(ChatControllerTest, TheQueueWaitsAfterAStop) {
    load();
    m_chat->send("one");
    submitted(0);
    ASSERT_TRUE(shows({"one", ""}));
    m_chat->send("two");
    m_chat->stop();
    ASSERT_TRUE(waitFor([&] { return !m_service->isBusy(); }));
    EXPECT_EQ(m_chat->queuedText(), "two");
    m_chat->sendQueued();
    submitted(1)->finish();
    EXPECT_TRUE(shows({"one", "", "two", ""}));
}

TEST_F(ChatControllerTest, AQueuedMessageSurvivesTheEndOfTheProgram) {
    load();
    m_chat->send("one");
    submitted(0);
    ASSERT_TRUE(shows({"one", ""}));
    m_chat->send("two");
    ASSERT_TRUE(waitFor([&] {
        return m_store
                   ->draft(m_chat->conversationId().toLongLong() > 0
                               ? chat::ConversationId(m_chat->conversationId().toLongLong())
                               : chat::ConversationId())
                   .get()
                   ->text == "two";
    }));
    restart();
    EXPECT_TRUE(waitFor([&] { return m_chat->draft() == "two"; }));
}

TEST_F(ChatControllerTest, RegenerateMakesASiblingAndKeepsTheOldReply) {
    load();
    converse("ask", "first try");
    m_chat->regenerate(idOf(1));
    const auto reply = submitted(1);
    reply->say("second try");
    reply->finish();
    ASSERT_TRUE(shows({"ask", "second try"}));
    ASSERT_TRUE(waitFor([&] { return m_chat->state() == "idle"; }));
    const auto prompt = std::get<engine::ChatPrompt>(m_desk->requests()[1].prompt);
    EXPECT_EQ(prompt.messages.size(), 1U);
    m_chat->switchSibling(idOf(1), -1);
    EXPECT_TRUE(shows({"ask", "first try"}));
    m_chat->switchSibling(idOf(1), 1);
    EXPECT_TRUE(shows({"ask", "second try"}));
}

TEST_F(ChatControllerTest, EditMakesASiblingQuestion) {
    load();
    converse("ask", "answer");
    m_chat->edit(idOf(0), "ask better");
    const auto reply = submitted(1);
    reply->say("better answer");
    reply->finish();
    ASSERT_TRUE(shows({"ask better", "better answer"}));
    ASSERT_TRUE(waitFor([&] { return m_chat->state() == "idle"; }));
    EXPECT_EQ(m_chat->transcript()->messages()[0].facts.siblingCount, 2);
    m_chat->switchSibling(idOf(0), -1);
    EXPECT_TRUE(shows({"ask", "answer"}));
}

TEST_F(ChatControllerTest, EditingWhileAReplyRunsStopsItFirst) {
    load();
    m_chat->send("ask");
    submitted(0)->say("wrong way");
    ASSERT_TRUE(shows({"ask", "wrong way"}));
    m_chat->edit(idOf(0), "ask better");
    submitted(1)->finish();
    EXPECT_TRUE(shows({"ask better", ""}));
    EXPECT_TRUE(m_desk->reply(0)->isCancelled());
}

TEST_F(ChatControllerTest, AReplyGoesOnWhileAnotherChatIsOpen) {
    load();
    m_chat->send("first chat");
    const auto reply = submitted(0);
    ASSERT_TRUE(shows({"first chat", ""}));
    const QString id = m_chat->conversationId();
    m_chat->newChat();
    EXPECT_EQ(m_chat->state(), "idle");
    reply->say("in the background");
    m_chat->open(id);
    ASSERT_TRUE(shows({"first chat", "in the background"}));
    reply->say(", still");
    m_clock.advance(std::chrono::seconds(1));
    ASSERT_TRUE(shows({"first chat", "in the background, still"}));
    reply->finish();
    EXPECT_TRUE(waitFor([&] { return m_chat->state() == "idle"; }));
}

TEST_F(ChatControllerTest, RemoveCanBeUndone) {
    load();
    converse("keep me", "yes");
    const QString id = m_chat->conversationId();
    m_chat->remove(id);
    ASSERT_TRUE(waitFor([&] { return m_chat->conversations()->rowCount() == 0; }));
    EXPECT_TRUE(m_chat->isEmpty());
    EXPECT_TRUE(m_app->toast().toMap()["undo"].toBool());
    m_app->undoToast();
    EXPECT_TRUE(shows({"keep me", "yes"}));
    EXPECT_EQ(m_chat->conversationId(), id);
    EXPECT_TRUE(waitFor([&] { return m_chat->conversations()->rowCount() == 2; }));
}

TEST_F(ChatControllerTest, RenameShowsEverywhere) {
    load();
    converse("old", "x");
    m_chat->rename(m_chat->conversationId(), "new\nname");
    EXPECT_TRUE(waitFor([&] { return m_chat->title() == "new name"; }));
    const auto title = [&] {
        return m_chat->conversations()
            ->data(m_chat->conversations()->index(1), ConversationListModel::TitleRole)
            .toString();
    };
    EXPECT_TRUE(waitFor([&] { return title() == "new name"; }));
}

TEST_F(ChatControllerTest, TheComposerDraftComesBackWithItsChat) {
    load();
    converse("chat", "x");
    const QString id = m_chat->conversationId();
    m_chat->setDraft("unsent");
    m_chat->newChat();
    EXPECT_EQ(m_chat->draft(), "");
    m_chat->open(id);
    EXPECT_TRUE(waitFor([&] { return m_chat->draft() == "unsent"; }));
}

TEST_F(ChatControllerTest, ADraftOfANewChatMakesTheChat) {
    m_chat->saveDraft("just a thought");
    EXPECT_TRUE(waitFor([&] { return m_chat->conversations()->rowCount() == 2; }));
    EXPECT_FALSE(m_chat->conversationId().isEmpty());
}

TEST_F(ChatControllerTest, ADraftTypedJustBeforeLeavingIsKept) {
    m_chat->setDraft("not a second old");
    restart();
    EXPECT_TRUE(waitFor([&] { return m_chat->draft() == "not a second old"; }));
}

TEST_F(ChatControllerTest, TheLastChatOpensAtTheStart) {
    load();
    converse("remember", "sure");
    restart();
    EXPECT_TRUE(shows({"remember", "sure"}));
    EXPECT_EQ(m_chat->title(), "remember");
}

TEST_F(ChatControllerTest, CountsTheTokensOfTheNextPrompt) {
    load();
    converse("four", "six666");
    m_chat->setDraft("12345");
    EXPECT_TRUE(waitFor([&] { return m_chat->contextUsed() == 15; }));
    EXPECT_EQ(m_chat->contextTotal(), 4096);
}

TEST_F(ChatControllerTest, AModelIsNamedAndRemembered) {
    load("starter");
    EXPECT_EQ(m_models->name(), "Fake model");
    EXPECT_EQ(m_models->note(), "tiny model, for trying the program");
    EXPECT_TRUE(
        waitFor([&] { return m_store->settings().get()->text("model.current") == "starter"; }));
    load("other");
    EXPECT_TRUE(waitFor([&] { return m_models->note().isEmpty(); }));
}

TEST_F(ChatControllerTest, CopiesAMessageAsItWasWritten) {
    load();
    converse("ask", "**bold**");
    m_chat->copyMessage(idOf(1));
    EXPECT_EQ(QGuiApplication::clipboard()->text(), "**bold**");
}

}  // namespace
}  // namespace agens::ui
