// SPDX-License-Identifier: Apache-2.0
// EngineCore: the Engine interface over a bundle of parts and the engine thread.
#include "engine/engine_core.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include "engine/base/log.h"
#include "engine/cache/sequence_cache.h"
#include "engine/loop/engine_loop.h"
#include "engine/loop/evaluate.h"
#include "engine/loop/executor.h"
#include "engine/prompt_builder.h"
#include "engine/sampling/values.h"
#include "engine/text/template/chat_template.h"
#include "engine/text/template/template_choice.h"
#include "engine/text/tokenizer.h"
#include "engine/text/utf8.h"

// namespace agens::text
namespace agens::engine {
namespace {

constexpr std::size_t kStopsMax = 16;
constexpr std::size_t kStopBytesMax = 256;

Error invalid(std::string id, std::string what, std::string where) {
    return Error{ErrorKind::InvalidRequest, std::move(id), std::move(what), std::move(where)};
}

std::uint64_t seedFromSystem() {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
}

Result<void> validateStops(const std::vector<std::string>& stops) {
    if (stops.size() > kStopsMax) {
        return invalid("request.stop",
                       std::to_string(stops.size()) + " stop texts are given; " +
                           std::to_string(kStopsMax) + " are allowed.",
                       "stop");
    }
    for (const std::string& stop : stops) {
        if (stop.empty() || stop.size() > kStopBytesMax) {
            return invalid("request.stop",
                           "A stop text has " + std::to_string(stop.size()) + " bytes; 1 to " +
                               std::to_string(kStopBytesMax) + " are allowed.",
                           "stop");
        }
        if (!text::isValidUtf8(stop)) {
            return invalid("request.stop", "A stop text is not valid UTF-8.", "stop");
        }
    }
    return {};
}

Result<void> validateLength(std::size_t promptTokens, std::uint32_t context) {
    if (promptTokens == 0) return invalid("request.empty", "The prompt is empty.", "prompt");
    if (promptTokens < context) return {};
    return invalid("request.too_long",
                   "The prompt has " + std::to_string(promptTokens) +
                       " tokens; this model serves " + std::to_string(context) +
                       ", one of them for the reply. Start a new chat or shorten the message.",
                   "prompt");
}

// A prompt that ends inside an open reasoning block makes the reply begin there.
bool endsInReasoning(const std::vector<TokenId>& ids, const loop::ReasoningMarks& marks) {
    for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
        if (*id == marks.close) return false;
        if (*id == marks.open) return true;
    }
    return false;
}

loop::ReasoningMarks marksOf(const text::Tokenizer& tokenizer) {
    const auto open = tokenizer.find("<think>");
    const auto close = tokenizer.find("</think>");
    if (!open || !close) return {};
    return {open, close};
}

std::vector<TokenId> bannedOf(const EngineBundle& bundle) {
    std::vector<TokenId> banned = bundle.bannedIds;
    for (std::uint32_t id = 0; id < bundle.tokenizer->vocabReal(); ++id) {
        const TokenId token(static_cast<std::int32_t>(id));
        if (!bundle.tokenizer->isUsable(token)) banned.push_back(token);
    }
    return banned;
}

class StreamHandle final : public RequestHandle {
 public:
    StreamHandle(std::shared_ptr<loop::EventStream> stream, std::shared_ptr<loop::Inbox> inbox,
                 loop::RequestId id)
        : m_stream(std::move(stream)), m_inbox(std::move(inbox)), m_id(id) {}
    // Nobody will read on: the reply need not be made.
    ~StreamHandle() override {
        m_stream->onEvent({});
        StreamHandle::cancel();
    }
    std::optional<Event> next(std::chrono::milliseconds timeout) override {
        std::optional<Event> event = m_stream->next(timeout);
        if (event && isTerminal(*event)) m_isOver = true;
        return event;
    }
    void onEvent(std::function<void()> wake) override { m_stream->onEvent(std::move(wake)); }
    void cancel() override {
        if (!m_isOver.exchange(true)) m_inbox->cancel(m_id);
    }

 private:
    // Shared with the engine: either may go first.
    std::shared_ptr<loop::EventStream> m_stream;
    std::shared_ptr<loop::Inbox> m_inbox;
    loop::RequestId m_id;
    std::atomic<bool> m_isOver = false;  // cancelled or the terminal event was read
};

class EngineCore final : public Engine {
 public:
    EngineCore(EngineBundle bundle, const Clock& clock);
    ~EngineCore() override;

    const ModelFacts& model() const override { return m_bundle.model; }
    const PlanReport& plan() const override { return m_bundle.plan; }
    std::string deviceText() const override { return m_bundle.deviceText; }
    Result<std::shared_ptr<RequestHandle>> submit(Request request) override;
    Result<Prompt> render(const Request& request) const override;
    Result<Evaluation> evaluate(const EvaluateRequest& request, std::stop_token stop) override;
    EngineStats stats() const override;

 private:
    loop::LoopParts partsForLoop();
    Result<loop::Arrival> makeArrival(Request request);
    void threadMain(std::stop_token stop);
    void giveUp(const char* why);

    EngineBundle m_bundle;
    const Clock& m_clock;
    const loop::ExecutorLimits m_limits;
    const loop::ReasoningMarks m_marks;
    const std::shared_ptr<loop::Inbox> m_inbox;  // shared with the handles
    loop::RequestLedger m_ledger;
    loop::EngineLoop m_loop;
    std::atomic<std::uint64_t> m_lastRequest = 0;
    std::atomic<bool> m_needsReload = false;
    std::jthread m_thread;  // last: starts when everything is there
};

EngineCore::EngineCore(EngineBundle bundle, const Clock& clock)
    : m_bundle(std::move(bundle)),
      m_clock(clock),
      m_limits(m_bundle.executor->limits()),
      m_marks(marksOf(*m_bundle.tokenizer)),
      m_inbox(std::make_shared<loop::Inbox>()),
      m_loop(partsForLoop()),
      m_thread([this](std::stop_token stop) { threadMain(std::move(stop)); }) {}

EngineCore::~EngineCore() {
    m_thread.request_stop();
    m_inbox->interrupt();
    m_thread.join();
    m_ledger.endAll(Finished{.reason = FinishReason::Cancelled});  // still in the inbox
    m_inbox->closeEvaluations({ErrorKind::Cancelled, "engine.closed", "The model was closed.", ""});
}

loop::LoopParts EngineCore::partsForLoop() {
    return {.executor = *m_bundle.executor,
            .tokenizer = *m_bundle.tokenizer,
            .inbox = *m_inbox,
            .ledger = m_ledger,
            .clock = m_clock,
            .facts = {.device = m_bundle.deviceText,
                      .arithmeticVersion = m_bundle.arithmeticVersion,
                      .modelHash = m_bundle.modelHash,
                      .templateHash = m_bundle.templateHash,
                      .servedContext = m_limits.contextTokens},
            .marks = m_marks,
            .bannedIds = bannedOf(m_bundle),
            .prefillChunk = m_bundle.prefillChunk};
}

// The top of the engine thread: what gets here is a bug of ours or of a library. Every request
// ends, the process lives, and the model has to be loaded again.
void EngineCore::threadMain(std::stop_token stop) {
    try {
        m_loop.run(std::move(stop));
    } catch (const std::exception& failure) {
        giveUp(failure.what());
    } catch (...) {
        giveUp("unknown exception");
    }
}

void EngineCore::giveUp(const char* why) {
    log::error("engine", why);
    m_needsReload = true;
    const Error error{ErrorKind::Internal, "engine.needs_reload",
                      "The engine met an error of its own and stopped. Load the model again.", why};
    m_ledger.endAll(Failed{error, {}});
    m_inbox->closeEvaluations(error);
}

Result<Prompt> EngineCore::render(const Request& request) const {
    const std::time_t seconds = m_clock.wallMs() / 1000;
    std::tm now{};
    localtime_r(&seconds, &now);
    return buildPrompt(request, *m_bundle.tokenizer, *m_bundle.chatTemplate, now);
}

Result<loop::Arrival> EngineCore::makeArrival(Request request) {
    loop::Arrival arrival;
    arrival.submitted = m_clock.now();
    arrival.conversation = request.conversation;
    TRY_VOID(validateStops(request.stop));
    TRY(arrival.rules.values, sampling::decideValues(request.sampling, m_bundle.model.defaults,
                                                     m_bundle.tokenizer->vocabReal()));
    TRY(Prompt prompt, render(request));
    TRY_VOID(validateLength(prompt.ids.size(), m_limits.contextTokens));
    arrival.prompt = std::move(prompt.ids);
    arrival.promptHash = loop::hashOf(arrival.prompt);
    arrival.rules.seed = request.seed ? *request.seed : m_bundle.drawSeed();
    arrival.rules.maxTokens = request.maxTokens;
    arrival.rules.stop = std::move(request.stop);
    arrival.rules.startsInReasoning = endsInReasoning(arrival.prompt, m_marks);
    arrival.id = loop::RequestId(++m_lastRequest);
    return arrival;
}

Result<std::shared_ptr<RequestHandle>> EngineCore::submit(Request request) {
    TRY(loop::Arrival arrival, makeArrival(std::move(request)));
    const loop::RequestId id = arrival.id;
    const auto stream = std::make_shared<loop::EventStream>();
    // Open in the ledger before the engine thread can meet it.
    m_ledger.open(id, stream);
    if (const auto taken = m_inbox->submit(std::move(arrival)); !taken) {
        m_ledger.withdraw(id);
        return taken.error();
    }
    return std::shared_ptr<RequestHandle>(std::make_shared<StreamHandle>(stream, m_inbox, id));
}

Result<Evaluation> EngineCore::evaluate(const EvaluateRequest& request, std::stop_token stop) {
    TRY_VOID(loop::validateEvaluation(request, m_limits, m_bundle.tokenizer->vocabReal()));
    const auto ticket = std::make_shared<loop::EvaluationTicket>(request, std::move(stop));
    m_inbox->evaluate(ticket);
    return ticket->wait();
}

EngineStats EngineCore::stats() const {
    const loop::LoopCounters& counters = m_loop.counters();
    return {.running = counters.running,
            .waiting = counters.waiting,
            .pagesTotal = counters.pagesTotal,
            .pagesFree = counters.pagesFree,
            .steps = counters.steps,
            .rows = counters.rows,
            .needsReload = m_needsReload};
}

Result<void> validateParts(const EngineBundle& bundle) {
    const auto bug = [](std::string what) {
        return Error{ErrorKind::Internal, "engine.parts", std::move(what), ""};
    };
    if (!bundle.tokenizer || !bundle.executor) return bug("The engine lacks a part.");
    const loop::ExecutorLimits limits = bundle.executor->limits();
    if (limits.vocabRows < bundle.tokenizer->vocabReal()) {
        return bug("The model has " + std::to_string(limits.vocabRows) + " logits a row for " +
                   std::to_string(bundle.tokenizer->vocabReal()) + " tokens.");
    }
    const std::uint32_t sequences = limits.runningSequences;
    if (sequences == 0 || limits.contextTokens < 2 || limits.rowsMax < sequences) {
        return bug("The executor's limits are too small.");
    }
    const std::uint64_t pages = std::uint64_t{sequences} * cache::pagesFor(limits.contextTokens);
    if (limits.pages < pages) {
        return bug("The pool has " + std::to_string(limits.pages) + " pages; " +
                   std::to_string(pages) + " are needed.");
    }
    return {};
}

}  // namespace

EngineBundle::EngineBundle() = default;
EngineBundle::EngineBundle(EngineBundle&&) noexcept = default;
EngineBundle& EngineBundle::operator=(EngineBundle&&) noexcept = default;
EngineBundle::~EngineBundle() = default;

Result<std::unique_ptr<Engine>> makeEngine(EngineBundle bundle, const Clock& clock) {
    TRY_VOID(validateParts(bundle));
    if (!bundle.drawSeed) bundle.drawSeed = seedFromSystem;
    if (!bundle.chatTemplate) {
        bundle.chatTemplate = std::make_unique<const text::ChatTemplate>(
            text::builtInTemplate(*bundle.tokenizer).chatTemplate);
    }
    return std::unique_ptr<Engine>(std::make_unique<EngineCore>(std::move(bundle), clock));
}

}  // namespace agens::engine
