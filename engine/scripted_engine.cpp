// SPDX-License-Identifier: Apache-2.0
// From a Script to an Engine: vocabulary, replies as tokens, which reply serves which prompt.
#include "engine/scripted_engine.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>

#include "engine/base/check.h"
#include "engine/cache/sequence_cache.h"
#include "engine/engine_core.h"
#include "engine/model_file/metadata.h"
#include "engine/text/byte_letters.h"
#include "engine/text/template/chat_template.h"
#include "engine/text/tokenizer.h"
#include "engine/text/utf8.h"

namespace agens::engine {
namespace {

constexpr const char* kEndToken = "<|im_end|>";
// Prompts are taken in such parts, so that even a short one shows progress.
constexpr std::uint32_t kScriptedRows = 8;

Result<text::Tokenizer> scriptedTokenizer() {
    constexpr std::int64_t kNormal = 1;
    constexpr std::int64_t kControl = 3;
    constexpr std::int64_t kUserDefined = 4;
    std::vector<std::string> tokens;
    for (int byte = 0; byte < 256; ++byte) {
        text::appendUtf8(tokens.emplace_back(),
                         text::letterOfByte(static_cast<std::uint8_t>(byte)));
    }
    std::vector<std::int64_t> kinds(tokens.size(), kNormal);
    for (const auto& [name, kind] : {std::pair{"<|im_start|>", kControl},
                                     {kEndToken, kControl},
                                     {"<|endoftext|>", kControl},
                                     {"<think>", kUserDefined},
                                     {"</think>", kUserDefined},
                                     {"<tool_call>", kUserDefined},
                                     {"</tool_call>", kUserDefined},
                                     {"<tool_response>", kUserDefined},
                                     {"</tool_response>", kUserDefined}}) {
        tokens.emplace_back(name);
        kinds.push_back(kind);
    }
    model_file::Metadata metadata;
    metadata.add("tokenizer.ggml.model", std::string("gpt2"));
    metadata.add("tokenizer.ggml.pre", std::string("gpt-2"));
    metadata.add("tokenizer.ggml.tokens", std::move(tokens));
    metadata.add("tokenizer.ggml.token_type", std::move(kinds));
    metadata.add("tokenizer.ggml.merges", std::vector<std::string>());
    metadata.add("tokenizer.ggml.eos_token_id", std::uint64_t{257});
    return text::Tokenizer::fromMetadata(metadata);
}

// A reply's actions as tokens with delays.
class ReplyCompiler {
 public:
    explicit ReplyCompiler(const text::Tokenizer& tokenizer) : m_tokenizer(tokenizer) {}

    ScriptedReply compile(const ScriptReply& reply) {
        m_reply = {.prefill = reply.prefill};
        m_pace = {};
        m_stalled = {};
        m_sinceStep = 0;
        m_isOver = false;
        for (const ScriptAction& action : reply.actions) {
            if (!m_isOver) std::visit([this](const auto& what) { add(what); }, action);
        }
        if (!m_isOver) add(ScriptFinish{});
        return std::move(m_reply);
    }
    // Tokens after which `finish length` cuts the reply; 0 = it does not.
    std::uint32_t lengthLimit() const { return m_lengthLimit; }

 private:
    void add(const ScriptSay& say) {
        const bool isReasoning = say.channel == Channel::Reasoning;
        if (isReasoning) addToken(*m_tokenizer.find("<think>"));
        for (const TokenId id : m_tokenizer.encode(say.text, text::MatchMode::NoControl))
            addToken(id);
        if (isReasoning) addToken(*m_tokenizer.find("</think>"));
    }
    void add(const ScriptPace& pace) {
        m_pace = pace;
        m_sinceStep = 0;
    }
    void add(const ScriptStall& stall) { m_stalled += stall.duration; }
    void add(const ScriptFail& fail) {
        addToken(TokenId(0));
        m_reply.tokens.back().failure = Error{ErrorKind::Device, fail.id, fail.text, "script"};
        m_isOver = true;
    }
    void add(const ScriptFinish& finish) {
        m_lengthLimit = finish.reason == FinishReason::Length
                            ? static_cast<std::uint32_t>(m_reply.tokens.size())
                            : 0;
        addToken(*m_tokenizer.find(kEndToken));
        m_isOver = true;
    }
    void addToken(TokenId id) {
        Duration delay = std::exchange(m_stalled, {});
        if (m_pace.tokensPerSecond > 0 && m_sinceStep++ % m_pace.step == 0) {
            const std::chrono::duration<double> seconds(m_pace.step / m_pace.tokensPerSecond);
            delay += std::chrono::duration_cast<Duration>(seconds);
        }
        m_reply.tokens.push_back({id, delay, std::nullopt});
    }

    const text::Tokenizer& m_tokenizer;
    ScriptedReply m_reply;
    ScriptPace m_pace;
    Duration m_stalled{};
    std::uint32_t m_sinceStep = 0;
    std::uint32_t m_lengthLimit = 0;
    bool m_isOver = false;
};

struct PreparedReply {
    std::string match;
    ScriptedReply reply;
    std::uint32_t lengthLimit = 0;
};

std::string userText(const Request& request) {
    if (const auto* raw = std::get_if<RawPrompt>(&request.prompt)) return raw->text;
    const auto* chat = std::get_if<ChatPrompt>(&request.prompt);
    if (chat == nullptr) return {};
    for (auto message = chat->messages.rbegin(); message != chat->messages.rend(); ++message) {
        if (message->role == MessageRole::User) return message->content;
    }
    return {};
}

// Chooses and announces the reply, then lets the real engine do everything.
class ScriptedEngine final : public Engine {
 public:
    ScriptedEngine(std::vector<PreparedReply> replies, ScriptedExecutor& executor)
        : m_replies(std::move(replies)), m_executor(executor) {}
    void own(std::unique_ptr<Engine> core) { m_core = std::move(core); }

    const ModelFacts& model() const override { return m_core->model(); }
    const PlanReport& plan() const override { return m_core->plan(); }
    std::string deviceText() const override { return m_core->deviceText(); }
    Result<std::shared_ptr<RequestHandle>> submit(Request request) override;
    Result<Prompt> render(const Request& request) const override { return m_core->render(request); }
    Result<Evaluation> evaluate(const EvaluateRequest& request, std::stop_token stop) override {
        return m_core->evaluate(request, std::move(stop));
    }
    EngineStats stats() const override { return m_core->stats(); }

 private:
    std::size_t chooseReply(const std::string& text);

    std::vector<PreparedReply> m_replies;
    ScriptedExecutor& m_executor;  // owned by m_core
    std::mutex m_mutex;            // guards m_nextInOrder; requests are announced one at a time
    std::size_t m_nextInOrder = 0;
    std::unique_ptr<Engine> m_core;  // last: its thread reads m_replies
};

std::size_t ScriptedEngine::chooseReply(const std::string& text) {
    for (std::size_t i = 0; i < m_replies.size(); ++i) {
        const std::string& match = m_replies[i].match;
        if (!match.empty() && text.find(match) != std::string::npos) return i;
    }
    for (std::size_t tried = 0; tried < m_replies.size(); ++tried) {
        const std::size_t i = m_nextInOrder++ % m_replies.size();
        if (m_replies[i].match.empty()) return i;
    }
    return m_nextInOrder++ % m_replies.size();  // every reply has a match and none fits
}

Result<std::shared_ptr<RequestHandle>> ScriptedEngine::submit(Request request) {
    TRY(Prompt prompt, m_core->render(request));
    const std::lock_guard lock(m_mutex);
    const std::size_t before = m_nextInOrder;
    const PreparedReply& chosen = m_replies[chooseReply(userText(request))];
    if (chosen.lengthLimit > 0) {
        const std::uint32_t asked = request.maxTokens;
        request.maxTokens = asked == 0 ? chosen.lengthLimit : std::min(asked, chosen.lengthLimit);
    }
    const auto announcement = m_executor.announce(std::move(prompt.ids), chosen.reply);
    auto handle = m_core->submit(std::move(request));
    if (!handle) {
        m_executor.retract(announcement);
        m_nextInOrder = before;
    }
    return handle;
}

Result<void> playLoad(const ScriptLoad& load, const Sleeper& sleeper, const LoadSink& progress,
                      const std::stop_token& stop) {
    constexpr std::array kSteps = {LoadStep::Checking, LoadStep::Reading, LoadStep::Preparing,
                                   LoadStep::WarmingUp};
    const std::uint32_t steps = std::max(1U, load.steps);
    for (std::uint32_t step = 0; step < steps; ++step) {
        if (progress) progress({kSteps[std::min<std::size_t>(step, 3)], step, steps});
        if (load.duration > Duration::zero() && !sleeper(load.duration / steps, stop)) {
            return Error{ErrorKind::Cancelled, "load.cancelled", "Loading was cancelled.", ""};
        }
    }
    if (load.fail) {
        return Error{ErrorKind::InvalidFile, load.fail->id, load.fail->text, "script"};
    }
    if (progress) progress({LoadStep::WarmingUp, steps, steps});
    return {};
}

std::vector<PreparedReply> prepareReplies(const Script& script, const text::Tokenizer& tokenizer) {
    std::vector<PreparedReply> prepared;
    for (const ScriptReply& reply : script.replies) {
        ReplyCompiler compiler(tokenizer);
        ScriptedReply tokens = compiler.compile(reply);
        prepared.push_back({reply.match, std::move(tokens), compiler.lengthLimit()});
    }
    return prepared;
}

Result<std::string> readFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return Error{ErrorKind::Io, "script.open", "The file cannot be opened.", path.string()};
    }
    return std::string{std::istreambuf_iterator<char>(file), {}};
}

// Without a file: chatml, which the vocabulary asks for.
Result<std::unique_ptr<const text::ChatTemplate>> templateOf(const Script& script) {
    if (script.templateFile.empty()) return std::unique_ptr<const text::ChatTemplate>();
    TRY(const std::string source, readFile(script.templateFile));
    TRY(text::ChatTemplate parsed, text::ChatTemplate::parse(source));
    return std::make_unique<const text::ChatTemplate>(std::move(parsed));
}

EngineBundle makeBundle(const Script& script, text::Tokenizer tokenizer) {
    EngineBundle bundle;
    bundle.model.name = script.modelName;
    bundle.model.family = "scripted";
    bundle.model.trainedContext = script.context;
    bundle.model.canThink = script.thinking;
    bundle.plan = script.plans.empty()
                      ? PlanReport{.servedContext = script.context, .limit = "script"}
                      : script.plans.front().second;
    bundle.deviceText = "scripted";
    bundle.tokenizer = std::make_unique<const text::Tokenizer>(std::move(tokenizer));
    return bundle;
}

}  // namespace

Result<std::unique_ptr<Engine>> makeScriptedEngine(Script script, const Clock& clock,
                                                   Sleeper sleeper, const LoadSink& progress,
                                                   std::stop_token stop) {
    TRY_VOID(playLoad(script.load, sleeper, progress, stop));
    TRY(text::Tokenizer tokenizer, scriptedTokenizer());
    std::vector<PreparedReply> replies = prepareReplies(script, tokenizer);
    const loop::ExecutorLimits limits{.rowsMax = kScriptedRows,
                                      .vocabRows = tokenizer.vocabRows(),
                                      .pages = 4 * cache::pagesFor(script.context),
                                      .contextTokens = script.context,
                                      .runningSequences = 2};
    EngineBundle bundle = makeBundle(script, std::move(tokenizer));
    TRY(bundle.chatTemplate, templateOf(script));
    auto executor = std::make_unique<ScriptedExecutor>(limits, std::move(sleeper));
    auto engine = std::make_unique<ScriptedEngine>(std::move(replies), *executor);
    bundle.executor = std::move(executor);
    TRY(std::unique_ptr<Engine> core, makeEngine(std::move(bundle), clock));
    engine->own(std::move(core));
    return std::unique_ptr<Engine>(std::move(engine));
}

Result<std::unique_ptr<Engine>> openScriptedEngine(const std::filesystem::path& script,
                                                   const LoadSink& progress, std::stop_token stop) {
    static const SystemClock clock;
    TRY(const std::string text, readFile(script));
    TRY(Script parsed, parseScript(text, script.string()));
    return makeScriptedEngine(std::move(parsed), clock, systemSleeper(), progress, std::move(stop));
}

}  // namespace agens::engine
