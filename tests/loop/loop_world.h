// SPDX-License-Identifier: Apache-2.0
// LoopWorld: an EngineLoop over a FakeExecutor, one thread, time by hand. Tests submit requests,
// turn the loop and read events.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/loop/engine_loop.h"
#include "tests/loop/byte_vocabulary.h"
#include "tests/loop/fake_executor.h"

namespace agens::test {

class ManualClock final : public Clock {
 public:
    std::chrono::nanoseconds now() const override { return time; }
    std::int64_t wallMs() const override { return 0; }
    std::chrono::nanoseconds time = std::chrono::seconds(1000);
};

// Everything a request said, put together.
struct Transcript {
    std::string text;
    std::string reasoning;
    std::vector<TokenId> tokens;
    std::vector<std::uint32_t> places;
    std::vector<engine::Prefill> prefills;
    std::vector<engine::Stats> stats;
    std::optional<engine::Started> started;
    std::optional<engine::Finished> finished;
    std::optional<engine::Failed> failed;
    std::uint32_t terminals = 0;
    bool isOver() const { return terminals > 0; }
};

struct Ask {
    std::string prompt;
    std::uint64_t conversation = 0;
    std::uint32_t maxTokens = 0;
    std::vector<std::string> stop;
    engine::SamplingValues values = {.temperature = 0.0F};
    std::uint64_t seed = 1;
};

class LoopWorld {
 public:
    explicit LoopWorld(const loop::ExecutorLimits& limits, FakeExecutor::NextToken next,
                       std::uint32_t prefillChunk = 0, ByteVocabulary words = ByteVocabulary())
        : vocabulary(std::move(words)),
          executor(limits, std::move(next)),
          loop(
              {.executor = executor,
               .tokenizer = vocabulary.tokenizer,
               .inbox = inbox,
               .ledger = ledger,
               .clock = clock,
               .facts = {.device = "fake", .servedContext = limits.contextTokens},
               .marks = {vocabulary.tokenizer.find("<open>"), vocabulary.tokenizer.find("<close>")},
               .bannedIds = {},
               .prefillChunk = prefillChunk}) {}

    loop::RequestId submit(const Ask& ask) {
        const loop::RequestId id(++lastId);
        streams[id] = std::make_shared<loop::EventStream>();
        ledger.open(id, streams[id]);
        const auto taken = inbox.submit({.id = id,
                                         .conversation = ask.conversation,
                                         .prompt = byteIds(ask.prompt),
                                         .rules = {.values = ask.values,
                                                   .seed = ask.seed,
                                                   .maxTokens = ask.maxTokens,
                                                   .stop = ask.stop},
                                         .submitted = clock.now()});
        CHECK(taken.ok()) << taken.error().what;
        return id;
    }
    bool turn() { return loop.runOnce({}); }
    void turnUntilIdle() {
        while (turn()) {
        }
    }
    // Reads what came so far.
    Transcript& read(loop::RequestId id) {
        Transcript& all = transcripts[id];
        while (const auto event = streams.at(id)->next(std::chrono::milliseconds(0)))
            add(all, *event);
        return all;
    }
    Transcript reply(const Ask& ask) {
        const loop::RequestId id = submit(ask);
        turnUntilIdle();
        return read(id);
    }

    ByteVocabulary vocabulary;
    FakeExecutor executor;
    ManualClock clock;
    loop::Inbox inbox;
    loop::RequestLedger ledger;
    loop::EngineLoop loop;
    std::uint64_t lastId = 0;
    std::map<loop::RequestId, std::shared_ptr<loop::EventStream>> streams;
    std::map<loop::RequestId, Transcript> transcripts;

 private:
    static void add(Transcript& all, const engine::Event& event) {
        if (engine::isTerminal(event)) ++all.terminals;
        if (const auto* queued = std::get_if<engine::Queued>(&event))
            all.places.push_back(queued->place);
        if (const auto* prefill = std::get_if<engine::Prefill>(&event))
            all.prefills.push_back(*prefill);
        if (const auto* started = std::get_if<engine::Started>(&event)) all.started = *started;
        if (const auto* stats = std::get_if<engine::Stats>(&event)) all.stats.push_back(*stats);
        if (const auto* finished = std::get_if<engine::Finished>(&event)) all.finished = *finished;
        if (const auto* failed = std::get_if<engine::Failed>(&event)) all.failed = *failed;
        const auto* piece = std::get_if<engine::Piece>(&event);
        if (piece == nullptr) return;
        (piece->channel == engine::Channel::Text ? all.text : all.reasoning) += piece->text;
        all.tokens.insert(all.tokens.end(), piece->tokens.begin(), piece->tokens.end());
    }
};

inline loop::ExecutorLimits smallLimits() {
    return {
        .rowsMax = 128, .vocabRows = 260, .pages = 8, .contextTokens = 1024, .runningSequences = 2};
}

// The reply to any prompt: `text` after the byte '>', then the end token.
inline FakeExecutor::NextToken saying(std::string text, TokenId end = TokenId(256)) {
    return [text = std::move(text), end](std::span<const TokenId> seen) {
        std::size_t said = 0;
        while (said < seen.size() && seen[seen.size() - 1 - said] != TokenId('>'))
            ++said;
        return said < text.size() ? TokenId(static_cast<std::uint8_t>(text[said])) : end;
    };
}

// A letter that depends on every token before it: any wrong row changes the reply.
inline TokenId hashedLetter(std::span<const TokenId> seen) {
    std::uint32_t hash = 2166136261U;
    for (const TokenId id : seen)
        hash = (hash ^ static_cast<std::uint32_t>(id.value)) * 16777619U;
    return TokenId(static_cast<std::int32_t>('a' + (hash >> 8) % 26));
}

}  // namespace agens::test
