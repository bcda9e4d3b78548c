// SPDX-License-Identifier: Apache-2.0
// The scripted engine: the real loop over a script, with a clock that only waits move.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "engine/scripted_engine.h"
#include "tests/support/test_paths.h"

namespace agens::engine {
namespace {

using namespace std::chrono_literals;

class WaitClock final : public Clock {
 public:
    std::chrono::nanoseconds now() const override { return std::chrono::nanoseconds(m_now.load()); }
    std::int64_t wallMs() const override { return 0; }
    Sleeper sleeper() {
        return [this](Duration duration, std::stop_token stop) {
            m_now += duration.count();
            return !stop.stop_requested();
        };
    }

 private:
    std::atomic<std::int64_t> m_now = 1'000'000'000'000;
};

struct Outcome {
    std::string text;
    std::string reasoning;
    std::size_t prefills = 0;
    std::optional<Finished> finished;
    std::optional<Failed> failed;
};

class ScriptedEngineTest : public ::testing::Test {
 protected:
    void open(const std::string& text) {
        auto script = parseScript(text, "test");
        ASSERT_TRUE(script) << script.error().what;
        auto made = makeScriptedEngine(std::move(*script), clock, clock.sleeper(), {}, {});
        ASSERT_TRUE(made) << made.error().what;
        engine = std::move(*made);
    }
    Outcome ask(const std::string& text, std::uint64_t conversation = 1) {
        Request request;
        request.conversation = conversation;
        request.prompt = ChatPrompt{{{MessageRole::User, text}}, {}};
        const auto handle = engine->submit(std::move(request));
        if (!handle) return {.text = "refused: " + handle.error().what};
        return readAll(**handle);
    }
    static Outcome readAll(RequestHandle& handle) {
        Outcome all;
        while (const auto event = handle.next(20s)) {
            if (const auto* piece = std::get_if<Piece>(&*event)) {
                (piece->channel == Channel::Text ? all.text : all.reasoning) += piece->text;
            }
            all.prefills += std::holds_alternative<Prefill>(*event) ? 1U : 0U;
            if (const auto* finished = std::get_if<Finished>(&*event)) all.finished = *finished;
            if (const auto* failed = std::get_if<Failed>(&*event)) all.failed = *failed;
            if (isTerminal(*event)) break;
        }
        return all;
    }

    WaitClock clock;
    std::unique_ptr<Engine> engine;
};

TEST_F(ScriptedEngineTest, RepliesComeInOrderAndThenFromTheStart) {
    open("reply\ntext <<E\none\nE\nend\nreply\ntext <<E\ntwo\nE\nend\n");
    EXPECT_EQ(ask("a").text, "one");
    EXPECT_EQ(ask("b").text, "two");
    EXPECT_EQ(ask("c").text, "one");
}

TEST_F(ScriptedEngineTest, MatchingReplyServesItsQuestionOnly) {
    open("reply\ntext <<E\nother\nE\nend\nreply match=\"sun\"\ntext <<E\nyellow\nE\nend\n");
    EXPECT_EQ(ask("the sun?").text, "yellow");
    EXPECT_EQ(ask("the moon?").text, "other");
    EXPECT_EQ(ask("sunday").text, "yellow");
}

TEST_F(ScriptedEngineTest, TextComesAsItIs) {
    open("reply\ntext <<E\n<|im_end|><script>é ☀ 漢字 \xF0\x9F\x99\x82\n\n  # x\nE\nend\n");
    const Outcome outcome = ask("a");
    EXPECT_EQ(outcome.text, "<|im_end|><script>é ☀ 漢字 \xF0\x9F\x99\x82\n\n  # x");
    EXPECT_EQ(outcome.finished->reason, FinishReason::End);
}

TEST_F(ScriptedEngineTest, ReasoningComesInItsChannel) {
    open("reply\nreasoning <<E\nlet me see\nE\ntext <<E\nyes\nE\nend\n");
    const Outcome outcome = ask("a");
    EXPECT_EQ(outcome.reasoning, "let me see");
    EXPECT_EQ(outcome.text, "yes");
}

TEST_F(ScriptedEngineTest, PaceStallAndPrefillTakeTheirTime) {
    open(
        "reply\nprefill 50 2s\npace 100 tok/s\ntext <<E\n0123456789\nE\nstall 3s\nfinish "
        "end\nend\n");
    const Outcome outcome = ask("a question of some length");
    const ReplyStats& stats = outcome.finished->stats;
    EXPECT_EQ(stats.replyTokens, 11u);
    EXPECT_NEAR(static_cast<double>(stats.prefillUs), 2'010'000, 100) << "and the first token";
    EXPECT_EQ(stats.decodeUs, 10 * 10'000 + 3'000'000u);
    EXPECT_GE(outcome.prefills, 2u);
}

TEST_F(ScriptedEngineTest, FailureCutsTheReplyAndTheNextOneWorks) {
    open(
        "reply\ntext <<E\nso far\nE\nfail device.lost \"Gone.\"\nend\nreply\ntext "
        "<<E\nback\nE\nend\n");
    const Outcome outcome = ask("a");
    EXPECT_EQ(outcome.text, "so far");
    ASSERT_TRUE(outcome.failed);
    EXPECT_EQ(outcome.failed->error.id, "device.lost");
    EXPECT_EQ(outcome.failed->error.what, "Gone.");
    EXPECT_EQ(ask("b").text, "back");
}

TEST_F(ScriptedEngineTest, FinishLengthIsALimit) {
    open("reply\ntext <<E\ncut\nE\nfinish length\nend\n");
    EXPECT_EQ(ask("a").finished->reason, FinishReason::Length);
}

TEST_F(ScriptedEngineTest, SecondTurnIsServedFromTheCache) {
    open("reply\ntext <<E\nanswer\nE\nend\n");
    Request request;
    request.conversation = 3;
    ChatPrompt chat{{{MessageRole::User, "question"}}, {}};
    request.prompt = chat;
    readAll(**engine->submit(request));
    chat.messages.push_back({MessageRole::Assistant, "answer"});
    chat.messages.push_back({MessageRole::User, "more"});
    request.prompt = chat;
    const Outcome second = readAll(**engine->submit(request));
    EXPECT_EQ(second.text, "answer");
    EXPECT_GT(second.finished->stats.cachedTokens, 14u) << "question and answer";
}

TEST_F(ScriptedEngineTest, TwoConversationsGetTheirOwnReplies) {
    open(
        "reply match=\"one\"\ntext <<E\nfirst reply\nE\nend\n"
        "reply match=\"two\"\ntext <<E\nsecond reply\nE\nend\n");
    std::vector<std::shared_ptr<RequestHandle>> handles;
    for (const char* text : {"one", "two", "one two"}) {
        Request request;
        request.prompt = ChatPrompt{{{MessageRole::User, text}}, {}};
        handles.push_back(*engine->submit(std::move(request)));
    }
    EXPECT_EQ(readAll(*handles[0]).text, "first reply");
    EXPECT_EQ(readAll(*handles[1]).text, "second reply");
    EXPECT_EQ(readAll(*handles[2]).text, "first reply");
}

TEST_F(ScriptedEngineTest, RefusedRequestUsesUpNoReply) {
    open("model \"m\" context=64\nreply\ntext <<E\none\nE\nend\nreply\ntext <<E\ntwo\nE\nend\n");
    EXPECT_EQ(ask(std::string(100, 'x')).text.substr(0, 8), "refused:");
    EXPECT_EQ(ask("a").text, "one");
}

TEST_F(ScriptedEngineTest, ModelAndPlanAreThoseOfTheScript) {
    open("model \"Name\" context=512 thinking=on\nplan cpu weights=1GiB served=512\nreply\nend\n");
    EXPECT_EQ(engine->model().name, "Name");
    EXPECT_TRUE(engine->model().canThink);
    EXPECT_EQ(engine->model().trainedContext, 512u);
    EXPECT_EQ(engine->plan().servedContext, 512u);
    EXPECT_EQ(engine->plan().total(), mebibytes(1024));
}

TEST(ScriptedLoad, StepsAreToldAndFailAtTheEnd) {
    WaitClock clock;
    auto script = parseScript("load 4 steps 400ms fail G24 \"Too big.\"\nreply\nend\n", "test");
    std::vector<LoadStep> steps;
    const auto began = clock.now();
    const auto made =
        makeScriptedEngine(*script, clock, clock.sleeper(),
                           [&](const LoadProgress& p) { steps.push_back(p.step); }, {});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().id, "G24");
    EXPECT_EQ(steps, (std::vector<LoadStep>{LoadStep::Checking, LoadStep::Reading,
                                            LoadStep::Preparing, LoadStep::WarmingUp}));
    EXPECT_EQ(clock.now() - began, 400ms);
}

TEST(ScriptedLoad, CanBeCancelled) {
    WaitClock clock;
    std::stop_source stop;
    stop.request_stop();
    const auto script = parseScript("load 4 steps 400ms\nreply\nend\n", "test");
    EXPECT_EQ(
        makeScriptedEngine(*script, clock, clock.sleeper(), {}, stop.get_token()).error().kind,
        ErrorKind::Cancelled);
}

TEST(ScriptedFiles, EveryScriptOfTheFolderOpensAndAnswers) {
    std::size_t scripts = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::sourceFolder() / "tests" /
                                                                 "engine" / "scripts")) {
        const auto engine = openScriptedEngine(entry.path(), {}, {});
        ASSERT_TRUE(engine) << engine.error().text();
        Request request;
        request.prompt = ChatPrompt{{{MessageRole::User, "weather?"}}, {}};
        const auto handle = (*engine)->submit(request);
        ASSERT_TRUE(handle) << entry.path();
        bool isOver = false;
        while (const auto event = (*handle)->next(20s))
            isOver = isTerminal(*event);
        EXPECT_TRUE(isOver) << entry.path();
        ++scripts;
    }
    EXPECT_GE(scripts, 4u);
    EXPECT_EQ(openScriptedEngine("/nowhere/script", {}, {}).error().kind, ErrorKind::Io);
}

}  // namespace
}  // namespace agens::engine
