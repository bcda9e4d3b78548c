// SPDX-License-Identifier: Apache-2.0
// Loading and replies with a fake engine and a real store.
#include "app/service/engine_service.h"

#include <algorithm>
#include <future>

#include "tests/service/fake_engine.h"
#include "tests/service/service_fixture.h"

namespace agens::service {
namespace {

using test::FakeEngine;
using test::FakeEngineDesk;
using test::RememberingSink;
using test::waitFor;

class EngineServiceTest : public test::StoreFixture {
 protected:
    EngineServiceTest() {
        m_service = std::make_unique<EngineService>(
            *m_store, m_clock,
            [this](const std::filesystem::path& path, const engine::LoadSink& progress,
                   std::stop_token stop) { return open(path, progress, stop); });
    }
    ~EngineServiceTest() override { m_service.reset(); }

    // "slow" waits to be given up, "broken" fails, everything else loads.
    Result<std::unique_ptr<engine::Engine>> open(const std::filesystem::path& path,
                                                 const engine::LoadSink& progress,
                                                 const std::stop_token& stop) {
        progress({engine::LoadStep::Reading, 1, 2});
        if (path == "broken") return Error{ErrorKind::InvalidFile, "gguf.bad", "Bad file.", ""};
        if (path == "slow") {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any().wait(lock, stop, [] { return false; });
            return Error{ErrorKind::Cancelled, "load.cancelled", "Cancelled.", ""};
        }
        return std::unique_ptr<engine::Engine>(std::make_unique<FakeEngine>(m_desk));
    }
    void loadReady() {
        m_service->load("model");
        ASSERT_TRUE(waitFor([this] { return m_service->state() == EngineState::Ready; }));
    }
    std::shared_ptr<RememberingSink> start(chat::MessageId reply, bool isQueued = false) {
        auto sink = std::make_shared<RememberingSink>();
        engine::ChatPrompt prompt;
        prompt.messages.push_back({engine::MessageRole::User, "question", {}});
        m_service->start({m_conversation, reply, prompt, isQueued}, sink);
        return sink;
    }
    std::shared_ptr<test::FakeReply> submitted(std::size_t index) {
        EXPECT_TRUE(waitFor([&] { return m_desk->reply(index) != nullptr; }));
        return m_desk->reply(index);
    }

    std::shared_ptr<FakeEngineDesk> m_desk = std::make_shared<FakeEngineDesk>();
    std::unique_ptr<EngineService> m_service;
};

TEST_F(EngineServiceTest, LoadsAModelInTheBackground) {
    m_service->load("model");
    EXPECT_EQ(m_service->state(), EngineState::Loading);
    EXPECT_EQ(m_service->engine(), nullptr);
    ASSERT_TRUE(waitFor([this] { return m_service->state() == EngineState::Ready; }));
    EXPECT_EQ(m_service->status().model, "Fake model");
}

TEST_F(EngineServiceTest, TellsHowLoadingGoes) {
    m_service->load("slow");
    ASSERT_TRUE(waitFor([this] { return m_service->progress().total == 2; }));
    EXPECT_EQ(m_service->progress().step, engine::LoadStep::Reading);
}

TEST_F(EngineServiceTest, GivesUpALoad) {
    m_service->load("slow");
    m_service->cancelLoad();
    ASSERT_TRUE(waitFor([this] { return m_service->state() == EngineState::None; }));
    EXPECT_FALSE(m_service->loadError().has_value());
}

TEST_F(EngineServiceTest, KeepsTheErrorOfALoad) {
    m_service->load("broken");
    ASSERT_TRUE(waitFor([this] { return m_service->state() == EngineState::Failed; }));
    EXPECT_EQ(m_service->loadError()->id, "gguf.bad");
}

TEST_F(EngineServiceTest, AnotherLoadReplacesTheRunningOne) {
    m_service->load("slow");
    m_service->load("model");
    ASSERT_TRUE(waitFor([this] { return m_service->state() == EngineState::Ready; }));
    EXPECT_EQ(m_service->modelPath(), "model");
}

TEST_F(EngineServiceTest, RunsAReplyToItsStoredEnd) {
    loadReady();
    const chat::Sent sent = send("question");
    const auto sink = start(sent.reply);
    const auto reply = submitted(0);
    reply->say("An answer.");
    reply->finish();
    ASSERT_TRUE(waitFor([this] { return !m_service->isBusy(); }));
    EXPECT_EQ(sink->text(), "An answer.");
    EXPECT_EQ(sink->ends(), 1);
    EXPECT_EQ(stored(sent.reply).text(), "An answer.");
    EXPECT_EQ(stored(sent.reply).state, chat::MessageState::Complete);
}

TEST_F(EngineServiceTest, GivesTheConversationItsOwnCache) {
    loadReady();
    const chat::Sent sent = send("question");
    start(sent.reply);
    submitted(0)->finish();
    EXPECT_EQ(m_desk->requests()[0].conversation, static_cast<std::uint64_t>(m_conversation.value));
}

TEST_F(EngineServiceTest, AReplyWaitsForTheModel) {
    m_conversation = *m_store->create().get();
    const auto sent = m_store->send(m_conversation, {.text = "early", .waits = true}).get();
    ASSERT_TRUE(sent.ok());
    const auto sink = start(sent->reply, true);
    EXPECT_EQ(stored(sent->reply).state, chat::MessageState::Queued);
    loadReady();
    submitted(0)->finish();
    ASSERT_TRUE(waitFor([&] { return sink->ends() == 1; }));
    EXPECT_EQ(stored(sent->reply).state, chat::MessageState::Complete);
}

TEST_F(EngineServiceTest, AWaitingReplyCanBeStopped) {
    m_conversation = *m_store->create().get();
    const auto sent = m_store->send(m_conversation, {.text = "early", .waits = true}).get();
    ASSERT_TRUE(sent.ok());
    const auto sink = start(sent->reply, true);
    m_service->stop(sent->reply);
    ASSERT_TRUE(waitFor([&] { return sink->ends() == 1; }));
    EXPECT_EQ(stored(sent->reply).state, chat::MessageState::Stopped);
    EXPECT_TRUE(m_desk->requests().empty());
}

TEST_F(EngineServiceTest, StopKeepsTheText) {
    loadReady();
    const chat::Sent sent = send("question");
    const auto sink = start(sent.reply);
    submitted(0)->say("Half of it");
    ASSERT_TRUE(waitFor([&] { return !sink->batches().empty(); }));
    m_service->stop(sent.reply);
    ASSERT_TRUE(waitFor([&] { return sink->ends() == 1; }));
    EXPECT_TRUE(m_desk->reply(0)->isCancelled());
    EXPECT_EQ(stored(sent.reply).text(), "Half of it");
    EXPECT_EQ(stored(sent.reply).state, chat::MessageState::Stopped);
}

TEST_F(EngineServiceTest, AnotherModelWaitsForTheRunningReply) {
    loadReady();
    const chat::Sent sent = send("question");
    start(sent.reply);
    const auto reply = submitted(0);
    m_service->load("other");
    EXPECT_EQ(m_service->state(), EngineState::Ready);
    EXPECT_EQ(m_service->modelPath(), "model");
    reply->finish();
    ASSERT_TRUE(waitFor([this] {
        return m_service->state() == EngineState::Ready && m_service->modelPath() == "other";
    }));
    EXPECT_EQ(stored(sent.reply).state, chat::MessageState::Complete);
}

TEST_F(EngineServiceTest, LeavingStoresRunningRepliesInterrupted) {
    loadReady();
    const chat::Sent sent = send("question");
    const auto sink = start(sent.reply);
    submitted(0)->say("cut off");
    ASSERT_TRUE(waitFor([&] { return !sink->batches().empty(); }));
    m_service->shutDown();
    EXPECT_EQ(sink->ends(), 1);
    EXPECT_EQ(stored(sent.reply).text(), "cut off");
    EXPECT_EQ(stored(sent.reply).state, chat::MessageState::Interrupted);
}

TEST_F(EngineServiceTest, AnswersOnlyTheNewestTokenCount) {
    loadReady();
    std::vector<std::size_t> counts;
    for (const std::string text : {"a", "bb", "ccc", "dddd"}) {
        engine::ChatPrompt prompt;
        prompt.messages.push_back({engine::MessageRole::User, text, {}});
        m_service->countTokens(prompt,
                               [&](Result<std::size_t> tokens) { counts.push_back(*tokens); });
    }
    ASSERT_TRUE(waitFor([&] { return !counts.empty(); }));
    EXPECT_EQ(counts, std::vector<std::size_t>{4});
}

TEST_F(EngineServiceTest, SaysThatNoModelIsLoaded) {
    EXPECT_EQ(m_service->submit({}).error().id, "model.none");
    EXPECT_EQ(m_service->render({}).error().id, "model.none");
}

}  // namespace
}  // namespace agens::service
