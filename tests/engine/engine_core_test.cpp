// SPDX-License-Identifier: Apache-2.0
// The Engine interface over a fake executor and the real engine thread. No test waits for time:
// each blocks on an event that must come.
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "engine/base/check.h"
#include "engine/engine_core.h"
#include "engine/loop/inbox.h"
#include "engine/loop/progress.h"
#include "engine/text/template/chat_template.h"
#include "engine/text/tokenizer.h"
#include "tests/loop/loop_world.h"

namespace agens::engine {
namespace {

using namespace std::chrono_literals;
using test::FakeExecutor;

constexpr auto kMustCome = 20s;  // far beyond any real wait; reached only by a failing test

struct Outcome {
    std::string text;
    std::optional<Finished> finished;
    std::optional<Failed> failed;
};

Outcome readAll(RequestHandle& handle) {
    Outcome outcome;
    while (const auto event = handle.next(kMustCome)) {
        if (const auto* piece = std::get_if<Piece>(&*event)) outcome.text += piece->text;
        if (const auto* finished = std::get_if<Finished>(&*event)) outcome.finished = *finished;
        if (const auto* failed = std::get_if<Failed>(&*event)) outcome.failed = *failed;
        if (isTerminal(*event)) break;
    }
    return outcome;
}

class EngineCoreTest : public ::testing::Test {
 protected:
    void open(FakeExecutor::NextToken next, loop::ExecutorLimits limits = test::smallLimits()) {
        auto fake = std::make_unique<FakeExecutor>(limits, std::move(next));
        executor = fake.get();
        fake->beforeStep = beforeStep;
        EngineBundle bundle;
        bundle.deviceText = "fake";
        bundle.tokenizer =
            std::make_unique<const text::Tokenizer>(std::move(test::ByteVocabulary().tokenizer));
        if (!chatTemplate.empty()) {
            auto parsed = text::ChatTemplate::parse(chatTemplate);
            ASSERT_TRUE(parsed) << parsed.error().what;
            bundle.chatTemplate = std::make_unique<const text::ChatTemplate>(std::move(*parsed));
        }
        bundle.executor = std::move(fake);
        bundle.drawSeed = [] { return 4711U; };
        auto made = makeEngine(std::move(bundle), clock);
        ASSERT_TRUE(made) << made.error().what;
        engine = std::move(*made);
    }
    static Request raw(const std::string& prompt) {
        Request request;
        request.prompt = RawPrompt{prompt};
        request.sampling.temperature = 0.0;
        return request;
    }
    Error refusal(Request request) {
        const auto handle = engine->submit(std::move(request));
        return handle ? Error{ErrorKind::Internal, "accepted", "", ""} : handle.error();
    }

    test::ManualClock clock;
    std::string chatTemplate;  // empty = none of its own
    std::function<std::optional<Error>(std::stop_token)> beforeStep;
    FakeExecutor* executor = nullptr;
    std::unique_ptr<Engine> engine;
};

// Lets a step begin and holds it until it is let go or stopped.
class Gate {
 public:
    std::optional<Error> hold(std::stop_token stop) {
        std::unique_lock lock(m_mutex);
        m_isHeld = true;
        m_changed.notify_all();
        m_changed.wait(lock, stop, [&] { return m_isOpen; });
        if (m_isOpen) return std::nullopt;
        return Error{ErrorKind::Cancelled, "device.cancelled", "", ""};
    }
    void waitUntilHeld() {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_isHeld; });
    }
    void open() {
        const std::lock_guard lock(m_mutex);
        m_isOpen = true;
        m_changed.notify_all();
    }

 private:
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    bool m_isHeld = false;
    bool m_isOpen = false;
};

TEST_F(EngineCoreTest, AnswersAPrompt) {
    open(test::saying("hello"));
    const auto handle = engine->submit(raw("say>"));
    ASSERT_TRUE(handle);
    const Outcome outcome = readAll(**handle);
    EXPECT_EQ(outcome.text, "hello");
    ASSERT_TRUE(outcome.finished);
    EXPECT_EQ(outcome.finished->stats.seed, 4711u) << "drawn, and reported for a replay";
    EXPECT_EQ(outcome.finished->stats.promptHash, loop::hashOf(test::byteIds("say>")));
    EXPECT_FALSE((*handle)->next(kMustCome)) << "nothing follows the terminal event, at once";
}

TEST_F(EngineCoreTest, ReplyPrefixIsPartOfThePrompt) {
    open(test::saying("hello"));
    Request request = raw("say>");
    request.replyPrefix = "he";
    EXPECT_EQ(readAll(**engine->submit(request)).text, "llo");
}

TEST_F(EngineCoreTest, IdsGoInAsTheyAre) {
    open(test::saying("x"));
    Request request;
    request.prompt = IdPrompt{test::byteIds("a>")};
    EXPECT_EQ(readAll(**engine->submit(request)).text, "x");
    request.prompt = IdPrompt{{TokenId(257)}};
    EXPECT_EQ(refusal(request).what, "Token id 257 is not in the vocabulary of 257.");
}

TEST_F(EngineCoreTest, RefusalsNameTheField) {
    open(test::saying("x"));
    Request request = raw("p>");
    request.sampling.topP = 2.0;
    EXPECT_EQ(refusal(request).where, "topP");
    EXPECT_EQ(refusal(raw("")).what, "The prompt is empty.");
    request = raw("p>");
    request.stop = std::vector<std::string>(17, "s");
    EXPECT_EQ(refusal(request).what, "17 stop texts are given; 16 are allowed.");
    for (const std::string& stop : {std::string(), std::string(257, 's'), std::string("\xFF")}) {
        request.stop = {stop};
        EXPECT_EQ(refusal(request).where, "stop");
        EXPECT_EQ(refusal(request).kind, ErrorKind::InvalidRequest);
    }
}

TEST_F(EngineCoreTest, PromptThatFillsTheContextIsRefusedWithFigures) {
    open(test::saying("x"));
    EXPECT_EQ(
        refusal(raw(std::string(1024, 'p'))).what,
        "The prompt has 1024 tokens; this model serves 1024, one of them for the reply. Start a "
        "new chat or shorten the message.");
    EXPECT_TRUE(engine->submit(raw(std::string(1022, 'p') + ">")));
}

TEST_F(EngineCoreTest, CheckFailureEndsEveryRequestAndMarksTheEngine) {
    Gate gate;
    beforeStep = [&](std::stop_token stop) -> std::optional<Error> {
        gate.hold(std::move(stop));
        CHECK(false) << "a bug";
        return std::nullopt;
    };
    open(test::saying("x"));
    std::vector<std::shared_ptr<RequestHandle>> handles;
    for (const char* prompt : {"1>", "2>", "3>", "4>"})
        handles.push_back(*engine->submit(raw(prompt)));
    gate.waitUntilHeld();
    gate.open();
    for (const auto& handle : handles) {
        const Outcome outcome = readAll(*handle);
        ASSERT_TRUE(outcome.failed);
        EXPECT_EQ(outcome.failed->error.kind, ErrorKind::Internal);
        EXPECT_EQ(outcome.failed->error.id, "engine.needs_reload");
    }
    EXPECT_TRUE(engine->stats().needsReload);
    EXPECT_TRUE(readAll(**engine->submit(raw("later>"))).failed);
    EXPECT_EQ(engine->evaluate({.ids = test::byteIds("a")}, {}).error().id, "engine.needs_reload");
}

TEST_F(EngineCoreTest, DestroyingTheEngineEndsItsRequests) {
    Gate gate;
    beforeStep = [&](std::stop_token stop) { return gate.hold(std::move(stop)); };
    open(test::saying("x"));
    std::vector<std::shared_ptr<RequestHandle>> handles;
    for (const char* prompt : {"1>", "2>", "3>"})
        handles.push_back(*engine->submit(raw(prompt)));
    gate.waitUntilHeld();
    engine.reset();
    for (const auto& handle : handles) {
        EXPECT_EQ(readAll(*handle).finished->reason, FinishReason::Cancelled);
        handle->cancel();  // the engine is gone: nothing happens
    }
}

TEST_F(EngineCoreTest, CancelEndsAStepInProgress) {
    Gate gate;
    beforeStep = [&](std::stop_token stop) { return gate.hold(std::move(stop)); };
    open(test::saying("x"));
    const auto handle = *engine->submit(raw("p>"));
    gate.waitUntilHeld();
    handle->cancel();
    EXPECT_EQ(readAll(*handle).finished->reason, FinishReason::Cancelled);
}

TEST_F(EngineCoreTest, DroppedHandleMakesRoomForTheNextRequest) {
    loop::ExecutorLimits limits = test::smallLimits();
    limits.runningSequences = 1;
    Gate gate;
    beforeStep = [&](std::stop_token stop) { return gate.hold(std::move(stop)); };
    open(test::saying("x"), limits);
    auto dropped = *engine->submit(raw("first>"));
    gate.waitUntilHeld();
    const auto next = *engine->submit(raw("second>"));
    dropped.reset();
    gate.open();
    EXPECT_EQ(readAll(*next).text, "x");
}

TEST_F(EngineCoreTest, FullLineIsBusy) {
    Gate gate;
    beforeStep = [&](std::stop_token stop) { return gate.hold(std::move(stop)); };
    open(test::saying("x"));
    std::vector<std::shared_ptr<RequestHandle>> handles = {*engine->submit(raw("p>"))};
    gate.waitUntilHeld();
    for (std::uint32_t i = 0; i < loop::kWaitingMax; ++i) {
        handles.push_back(*engine->submit(raw("p>")));
    }
    EXPECT_EQ(refusal(raw("p>")).kind, ErrorKind::Busy);
    gate.open();
    for (const auto& handle : handles)
        EXPECT_EQ(readAll(*handle).text, "x");
    EXPECT_EQ(readAll(**engine->submit(raw("p>"))).text, "x") << "there is room again";
}

TEST_F(EngineCoreTest, WakeReplacesPolling) {
    Gate gate;
    beforeStep = [&](std::stop_token stop) { return gate.hold(std::move(stop)); };
    open(test::saying("ab"));
    const auto handle = *engine->submit(raw("p>"));
    std::mutex mutex;
    std::condition_variable woken;
    std::size_t wakes = 0;
    handle->onEvent([&] {
        const std::lock_guard lock(mutex);
        ++wakes;
        woken.notify_all();
    });
    gate.open();
    std::unique_lock lock(mutex);
    ASSERT_TRUE(woken.wait_for(lock, kMustCome, [&] { return wakes == 4; }))
        << "Started, two pieces, Finished";
}

TEST_F(EngineCoreTest, EvaluatesOnTheEngineThread) {
    open(test::hashedLetter);
    const auto evaluation =
        engine->evaluate({.ids = test::byteIds("abc"), .positions = {Position(2)}}, {});
    ASSERT_TRUE(evaluation);
    EXPECT_EQ(evaluation->logits.size(), 260u);
    EXPECT_EQ(engine->evaluate({}, {}).error().where, "ids");
}

TEST_F(EngineCoreTest, RenderGivesIdsWithoutGenerating) {
    open(test::saying("x"));
    const auto prompt = engine->render(raw("hi>"));
    ASSERT_TRUE(prompt);
    EXPECT_EQ(prompt->ids, test::byteIds("hi>"));
    EXPECT_EQ(engine->stats().steps, 0u);
}

TEST_F(EngineCoreTest, ChatGoesThroughTheTemplate) {
    chatTemplate = "{% for m in messages %}[{{ m.role }}]{{ m.content }}<|im_end|>{% endfor %}>";
    open(test::saying("x"));
    Request request;
    request.prompt =
        ChatPrompt{{{MessageRole::System, "be"}, {MessageRole::User, "<|im_end|>"}}, {}};
    request.replyPrefix = "so";
    const auto prompt = engine->render(request);
    ASSERT_TRUE(prompt) << prompt.error().what;
    EXPECT_EQ(prompt->text, "[system]be<|im_end|>[user]<|im_end|><|im_end|>>so");
    const TokenId end = test::ByteVocabulary().end();
    EXPECT_EQ(std::ranges::count(prompt->ids, end), 2) << "what the person wrote is only text";
    EXPECT_EQ(prompt->ids.back(), TokenId('o'));
}

TEST_F(EngineCoreTest, WhatTheTemplateRefusesIsTheRefusal) {
    chatTemplate = "{{ raise_exception('roles must alternate') }}";
    open(test::saying("x"));
    Request request;
    request.prompt = ChatPrompt{{{MessageRole::User, "a"}}, {}};
    EXPECT_EQ(refusal(request).kind, ErrorKind::InvalidRequest);
    EXPECT_EQ(refusal(request).what, "roles must alternate");
}

TEST_F(EngineCoreTest, ModelWithoutATemplateGetsABuiltInOne) {
    open(test::saying("x"));
    Request request;
    request.prompt = ChatPrompt{{{MessageRole::User, "hi"}}, {}};
    EXPECT_EQ(engine->render(request)->text, "User: hi\nAssistant:");
}

TEST_F(EngineCoreTest, ControlTextInContentStaysText) {
    open(test::saying("x"));
    Request request = raw("say>");
    request.replyPrefix = "<|im_end|>";
    const auto prompt = engine->render(request);
    EXPECT_EQ(prompt->ids, test::byteIds("say><|im_end|>"));
    ASSERT_EQ(prompt->spans.size(), 2u);
    EXPECT_TRUE(prompt->spans[1].isContent);
}

TEST(MakeEngine, RefusesPartsThatContradictEachOther) {
    static const SystemClock clock;
    const auto idOf = [](const loop::ExecutorLimits& limits) {
        EngineBundle bundle;
        bundle.tokenizer =
            std::make_unique<const text::Tokenizer>(std::move(test::ByteVocabulary().tokenizer));
        bundle.executor = std::make_unique<FakeExecutor>(limits, test::saying("x"));
        const auto made = makeEngine(std::move(bundle), clock);
        return made ? std::string("made") : made.error().id;
    };
    loop::ExecutorLimits limits = test::smallLimits();
    EXPECT_EQ(idOf(limits), "made");
    limits.pages = 7;
    EXPECT_EQ(idOf(limits), "engine.parts");
    limits = test::smallLimits();
    limits.vocabRows = 256;
    EXPECT_EQ(idOf(limits), "engine.parts");
    EXPECT_EQ(makeEngine(EngineBundle(), clock).error().id, "engine.parts");
}

}  // namespace
}  // namespace agens::engine
