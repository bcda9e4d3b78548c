// SPDX-License-Identifier: Apache-2.0
// makeEngine: the Engine over parts that somebody else loaded. openEngine() brings a real model
// and device, openScriptedEngine() a script; everything between a Request and the Executor is the
// same.
//
// The engine owns its parts and one thread, which alone touches the executor and the caches. The
// thread blocks while there is nothing to do. Destroying the engine ends every request with
// Finished{Cancelled} and waits for the thread (at most one layer of a running step).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/engine.h"

namespace agens::text {
class Tokenizer;
class ChatTemplate;
}  // namespace agens::text

namespace agens::loop {
class Executor;
}

namespace agens::engine {

struct EngineBundle {
    EngineBundle();
    EngineBundle(EngineBundle&&) noexcept;
    EngineBundle& operator=(EngineBundle&&) noexcept;
    ~EngineBundle();

    ModelFacts model;
    PlanReport plan;
    std::string deviceText;               // "cpu avx512, 2 threads"
    std::uint32_t arithmeticVersion = 0;  // of the device
    std::string modelHash;                // reported in ReplyStats; may be empty
    std::string templateHash;             // the same
    std::unique_ptr<const text::Tokenizer> tokenizer;
    // Null: the built-in one that fits the vocabulary, at worst "User: … Assistant:".
    std::unique_ptr<const text::ChatTemplate> chatTemplate;
    // Never chosen (image placeholders). Padding and unused ids never are in any case; which tokens
    // end a reply is the tokenizer's knowledge.
    std::vector<TokenId> bannedIds;
    std::unique_ptr<loop::Executor> executor;
    std::uint32_t prefillChunk = 0;           // rows of a prefill step; 0 = the scheduler's choice
    std::function<std::uint64_t()> drawSeed;  // empty = from the system
};

// `clock` outlives the engine.
// Errors: Internal when a part is missing or the parts contradict each other (vocabulary larger
// than the executor's rows, served context above the executor's).
Result<std::unique_ptr<Engine>> makeEngine(EngineBundle bundle, const Clock& clock);

}  // namespace agens::engine
