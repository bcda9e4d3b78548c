// SPDX-License-Identifier: Apache-2.0
// Opens the engine a command asked for, a model or a script, with progress on stderr, and follows
// one reply to its end.
#pragma once

#include <memory>
#include <string>

#include "app/cli/arguments.h"
#include "app/cli/interrupt.h"
#include "app/cli/terminal.h"
#include "engine/engine.h"

namespace agens::cli {

Result<std::unique_ptr<engine::Engine>> openEngine(const EngineArguments& arguments,
                                                   Terminal& terminal, std::stop_token stop);

// Sampling, seed, length and stops from the options; the prompt is the caller's.
engine::Request requestFrom(const ReplyArguments& arguments, engine::PromptSource prompt);

// System prompt (if given) and one user message.
engine::ChatPrompt chatPrompt(const ReplyArguments& arguments, std::string text);

// What a command does with the events of a reply.
class ReplyObserver {
 public:
    virtual ~ReplyObserver() = default;
    virtual void onEvent(const engine::Event& event) = 0;
    // A moment without an event.
    virtual void onPause() {}
};

// Hands every event to the observer, the last one too, and shows the progress of a long prefill. An
// interrupt cancels the request; the reply then ends with FinishReason::Cancelled. Errors: what the
// request failed with.
Result<engine::Finished> followReply(engine::RequestHandle& handle, Interrupts& interrupts,
                                     Terminal& terminal, ReplyObserver& observer);

// "31 tokens, 48.1 tok/s; prompt 27 tokens, 0 cached; first token after 120 ms"
std::string statsText(const engine::ReplyStats& stats);

}  // namespace agens::cli
