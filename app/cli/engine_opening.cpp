// SPDX-License-Identifier: Apache-2.0
// The way of every command that runs a model.
#include "app/cli/engine_opening.h"

#include <chrono>
#include <cstdio>

#include "app/cli/model_choice.h"

namespace agens::cli {
namespace {

// How soon an interrupt is noticed while no event comes.
constexpr std::chrono::milliseconds kLookAround{50};

const char* textOf(engine::LoadStep step) {
    switch (step) {
        case engine::LoadStep::Checking:
            return "Checking the model";
        case engine::LoadStep::Reading:
            return "Reading the model";
        case engine::LoadStep::Preparing:
            return "Preparing";
        case engine::LoadStep::WarmingUp:
            return "Warming up";
    }
    return "Loading";
}

}  // namespace

Result<std::unique_ptr<engine::Engine>> openEngine(const EngineArguments& arguments,
                                                   Terminal& terminal, std::stop_token stop) {
    const engine::LoadSink progress = [&terminal](const engine::LoadProgress& at) {
        terminal.progress(textOf(at.step), at.done, at.total);
    };
    if (!arguments.script.empty()) {
        auto scripted = engine::openScriptedEngine(arguments.script, progress, stop);
        terminal.endProgress();
        return scripted;
    }
    engine::OpenOptions options = arguments.open;
    TRY(options.model, chosenModel(arguments.model, arguments.dataDir));
    auto opened = engine::openEngine(options, progress, stop);
    terminal.endProgress();
    return opened;
}

engine::Request requestFrom(const ReplyArguments& arguments, engine::PromptSource prompt) {
    engine::Request request;
    request.prompt = std::move(prompt);
    request.sampling = arguments.sampling;
    request.seed = arguments.seed;
    request.maxTokens = arguments.maxTokens;
    request.stop = arguments.stop;
    return request;
}

engine::ChatPrompt chatPrompt(const ReplyArguments& arguments, std::string text) {
    engine::ChatPrompt prompt;
    if (!arguments.systemPrompt.empty()) {
        prompt.messages.push_back({engine::MessageRole::System, arguments.systemPrompt, ""});
    }
    prompt.messages.push_back({engine::MessageRole::User, std::move(text), ""});
    prompt.thinking = arguments.thinking;
    return prompt;
}

Result<engine::Finished> followReply(engine::RequestHandle& handle, Interrupts& interrupts,
                                     Terminal& terminal, ReplyObserver& observer) {
    while (true) {
        if (interrupts.any()) handle.cancel();
        const std::optional<engine::Event> event = handle.next(kLookAround);
        if (!event) {
            observer.onPause();
            continue;
        }
        if (const auto* prefill = std::get_if<engine::Prefill>(&*event)) {
            terminal.progress("Reading the prompt", prefill->done, prefill->total);
        } else {
            terminal.endProgress();
        }
        observer.onEvent(*event);
        if (const auto* finished = std::get_if<engine::Finished>(&*event)) return *finished;
        if (const auto* failed = std::get_if<engine::Failed>(&*event)) return failed->error;
    }
}

std::string statsText(const engine::ReplyStats& stats) {
    char line[160];
    std::snprintf(line, sizeof(line),
                  "%u tokens, %.1f tok/s; prompt %u tokens, %u cached; first token after %.0f ms",
                  stats.replyTokens, stats.tokensPerSecond(), stats.promptTokens,
                  stats.cachedTokens, static_cast<double>(stats.firstTokenUs) / 1000.0);
    return line;
}

}  // namespace agens::cli
