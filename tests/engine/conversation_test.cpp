// SPDX-License-Identifier: Apache-2.0
// A conversation keeps its cache: the next turn, regenerating and editing an early message of a
// chat of 2,000 tokens prefill only what follows the longest common prefix, and every logit of the
// reply has the bits of a fresh run. Real engine, real model; an executor in between records the
// logits.
#include <gtest/gtest.h>

#include <iostream>

#include "engine/engine_core.h"
#include "engine/load_model.h"
#include "engine/loop/executor.h"
#include "engine/model_file/safetensors_io.h"
#include "engine/text/template/chat_template.h"
#include "engine/text/tokenizer.h"
#include "tests/support/model_run.h"
#include "tests/support/test_paths.h"

namespace agens {
namespace {

// What went through the executor since the last take().
struct Recorded {
    std::vector<float> logits;
    std::uint32_t rows = 0;
};

class RecordingExecutor final : public loop::Executor {
 public:
    RecordingExecutor(std::unique_ptr<loop::Executor> inner, Recorded& recorded)
        : m_inner(std::move(inner)), m_recorded(recorded) {}
    loop::ExecutorLimits limits() const override { return m_inner->limits(); }
    Result<device::StepOutputs> run(const device::StepInputs& inputs,
                                    std::stop_token stop) override {
        auto out = m_inner->run(inputs, std::move(stop));
        if (out.ok()) {
            m_recorded.rows += static_cast<std::uint32_t>(inputs.rows.size());
            m_recorded.logits.insert(m_recorded.logits.end(), out->logits.begin(),
                                     out->logits.end());
        }
        return out;
    }
    void copyPage(device::PageId from, device::PageId to) override { m_inner->copyPage(from, to); }

 private:
    std::unique_ptr<loop::Executor> m_inner;
    Recorded& m_recorded;
};

struct Reply {
    std::vector<TokenId> ids;
    std::vector<float> logits;  // of every chosen token
    std::uint32_t cached = 0;
    std::uint32_t rows = 0;  // rows that were run
};

class RealEngine {
 public:
    explicit RealEngine(const std::filesystem::path& path) {
        engine::OpenOptions options;
        options.model = path;
        options.threads = 2;
        options.context = 4096;
        auto loaded = engine::loadModel(options, {}, {});
        EXPECT_TRUE(loaded.ok());
        engine::EngineBundle bundle;
        bundle.plan = loaded->plan;
        auto tokenizer = text::Tokenizer::fromMetadata(loaded->file.metadata);
        EXPECT_TRUE(tokenizer.ok());
        bundle.tokenizer = std::make_unique<const text::Tokenizer>(std::move(*tokenizer));
        bundle.executor =
            std::make_unique<RecordingExecutor>(std::move(loaded->executor), m_recorded);
        auto engine = engine::makeEngine(std::move(bundle), m_clock);
        EXPECT_TRUE(engine.ok());
        m_engine = std::move(*engine);
    }

    Reply reply(const std::vector<TokenId>& prompt, std::uint64_t conversation) {
        m_recorded = {};
        engine::Request request;
        request.conversation = conversation;
        request.prompt = engine::IdPrompt{prompt};
        request.sampling.temperature = 0.8;
        request.seed = 42;
        request.maxTokens = 12;
        auto handle = m_engine->submit(request);
        EXPECT_TRUE(handle.ok());
        Reply reply;
        while (true) {
            const auto event = (*handle)->next(std::chrono::milliseconds(1000));
            if (!event) continue;
            if (const auto* piece = std::get_if<engine::Piece>(&*event)) {
                reply.ids.insert(reply.ids.end(), piece->tokens.begin(), piece->tokens.end());
            }
            if (const auto* finished = std::get_if<engine::Finished>(&*event)) {
                reply.cached = finished->stats.cachedTokens;
            }
            EXPECT_FALSE(std::holds_alternative<engine::Failed>(*event));
            if (engine::isTerminal(*event)) break;
        }
        reply.logits = m_recorded.logits;
        reply.rows = m_recorded.rows;
        return reply;
    }

 private:
    SystemClock m_clock;
    Recorded m_recorded;
    std::unique_ptr<engine::Engine> m_engine;
};

class Conversation : public testing::Test {
 protected:
    void SetUp() override {
        const auto starter = test::starterModel();
        if (!starter) GTEST_SKIP() << "SKIPPED (no starter model)";
        model = *starter;
        const auto golden = model_file::openSafetensors(test::goldenFolder() / "real" / "smollm2" /
                                                        "p19.safetensors");
        const auto text = *golden->valuesAs<std::int32_t>("ids");
        for (std::size_t i = 0; i < 2000; ++i) {
            chat.emplace_back(text[i % text.size()]);
        }
    }
    // The reply of an engine that has never seen the conversation.
    void expectFresh(const std::vector<TokenId>& prompt, const Reply& got) {
        RealEngine fresh(model);
        const Reply expected = fresh.reply(prompt, 9);
        EXPECT_EQ(expected.cached, 0u);
        EXPECT_EQ(expected.ids, got.ids);
        EXPECT_EQ(test::firstDifference(expected.logits, got.logits), -1);
        std::cout << prompt.size() << " prompt tokens, " << got.cached << " from the cache, "
                  << got.rows << " rows run (fresh: " << expected.rows << ")\n";
    }

    std::filesystem::path model;
    std::vector<TokenId> chat;
};

TEST_F(Conversation, NextTurnRegenerateAndEditGiveTheBitsOfAFreshRun) {
    RealEngine engine(model);
    const Reply first = engine.reply(chat, 1);
    ASSERT_FALSE(first.ids.empty());

    // Turn 2: everything so far, then 30 new tokens. The last token of the reply was never run.
    std::vector<TokenId> next = chat;
    next.insert(next.end(), first.ids.begin(), first.ids.end());
    const auto known = static_cast<std::uint32_t>(next.size()) - 1;
    for (int i = 0; i < 30; ++i)
        next.push_back(TokenId(1000 + i));
    const Reply second = engine.reply(next, 1);
    EXPECT_EQ(second.cached, known);
    EXPECT_LE(second.rows, 31u + 12u);
    expectFresh(next, second);

    // Regenerate: the same prompt again; only its last token is run again.
    const Reply again = engine.reply(next, 1);
    EXPECT_EQ(again.cached, next.size() - 1);
    EXPECT_EQ(again.ids, second.ids);
    EXPECT_EQ(test::firstDifference(again.logits, second.logits), -1);

    // Edit an early message: position 300 changes.
    std::vector<TokenId> edited = next;
    edited[300] = TokenId(edited[300].value == 500 ? 501 : 500);
    const Reply afterEdit = engine.reply(edited, 1);
    EXPECT_EQ(afterEdit.cached, 300u);
    expectFresh(edited, afterEdit);
}

// Another conversation starts from a copy of the common pages, and the first one keeps its cache.
TEST_F(Conversation, ANewConversationWithTheSameBeginningCopiesIt) {
    RealEngine engine(model);
    engine.reply(chat, 1);
    std::vector<TokenId> other(chat.begin(), chat.begin() + 700);
    for (int i = 0; i < 20; ++i)
        other.push_back(TokenId(2000 + i));
    const Reply copied = engine.reply(other, 2);
    EXPECT_EQ(copied.cached, 700u);
    expectFresh(other, copied);
    EXPECT_GE(engine.reply(chat, 1).cached, 1999u);
}

}  // namespace
}  // namespace agens
