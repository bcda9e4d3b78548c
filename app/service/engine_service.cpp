// SPDX-License-Identifier: Apache-2.0
// Loading, replies and token counts of the window.
#include "app/service/engine_service.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "engine/base/log.h"

namespace agens::service {
namespace {

constexpr int kWorkers = 2;
constexpr std::chrono::milliseconds kProgressEvery{33};

Error noModel() {
    return {ErrorKind::Busy, "model.none", "No model is loaded. Open a model first.", ""};
}

// What is caught at the top of a thread is our own bug.
Error internalError(const std::exception& failure) {
    log::error("service", failure.what());
    return {ErrorKind::Internal, "internal",
            std::string("Something in the program failed: ") + failure.what(), ""};
}

engine::Request requestOf(const ReplyJob& job) {
    engine::Request request;
    request.conversation = static_cast<std::uint64_t>(job.conversation.value);
    request.prompt = job.prompt;
    return request;
}

void failReply(ReplyRunner& runner, Error error) {
    runner.add(engine::Failed{std::move(error), {}});
}

// Feeds the runner until the reply is over or the program leaves.
void pump(ReplyRunner& runner, engine::RequestHandle& handle, const std::stop_token& leave) {
    while (!runner.isFinished() && !leave.stop_requested()) {
        const auto event = handle.next(runner.untilDue());
        // The end that leaving itself caused is no stop of the person.
        if (event && !(leave.stop_requested() && engine::isTerminal(*event))) runner.add(*event);
        runner.act();
    }
}

void runReply(ReplyRunner& runner, engine::Engine& engine, const ReplyJob& job, chat::Store& store,
              const std::stop_token& stop, const std::stop_token& leave) {
    if (job.isQueued) {
        if (const auto begun = store.begin(job.reply).get(); !begun) {
            return failReply(runner, begun.error());
        }
    }
    auto handle = engine.submit(requestOf(job));
    if (!handle) return failReply(runner, handle.error());
    const std::stop_callback onStop(stop, [&] { (*handle)->cancel(); });
    const std::stop_callback onLeave(leave, [&] { (*handle)->cancel(); });
    pump(runner, **handle, leave);
}

}  // namespace

EngineService::EngineService(chat::Store& store, const Clock& clock, EngineFactory factory)
    : m_store(store), m_clock(clock), m_factory(std::move(factory)), m_mailbox(this) {
    m_workers.setMaxThreadCount(kWorkers);
}

EngineService::~EngineService() {
    shutDown();
}

void EngineService::shutDown() {
    if (std::exchange(m_isShutDown, true)) return;
    m_loader.request_stop();
    for (auto& [reply, running] : m_running)
        running.thread.request_stop();
    m_running.clear();  // joins
    m_waiting.clear();  // they stay queued in the store
    if (m_loader.joinable()) m_loader.join();
    m_workers.waitForDone();
    m_mailbox.close();
}

// ---- the model

void EngineService::load(const std::filesystem::path& model) {
    if (m_isShutDown) return;
    m_nextPath = model;
    if (m_running.empty()) startLoad();
}

void EngineService::cancelLoad() {
    m_nextPath.reset();
    m_loader.request_stop();
}

// The old engine goes to the loader thread, which frees it before it opens the new one: memory
// never holds both.
void EngineService::startLoad() {
    m_path = *std::exchange(m_nextPath, std::nullopt);
    m_state = EngineState::Loading;
    m_loadError.reset();
    m_progress = {};
    const std::uint64_t generation = ++m_generation;
    std::shared_ptr<engine::Engine> old;
    {
        const std::lock_guard lock(m_engineMutex);
        old = std::exchange(m_engine, nullptr);
    }
    auto before = std::make_shared<std::jthread>(std::move(m_loader));  // boxed for the lambda
    before->request_stop();
    m_loader = std::jthread([this, generation, before, old = std::move(old), path = m_path,
                             post = m_mailbox.executor()](std::stop_token stop) mutable {
        if (before->joinable()) before->join();
        old.reset();
        auto opened = std::make_shared<Opened>(noModel());  // shared: std::function wants copies
        try {
            *opened = m_factory(path, progressSink(generation), std::move(stop));
        } catch (const std::exception& failure) {
            *opened = internalError(failure);
        }
        post([this, generation, opened] { loaded(generation, opened); });
    });
    emit modelChanged();
}

engine::LoadSink EngineService::progressSink(std::uint64_t generation) const {
    struct Last {
        engine::LoadStep step = engine::LoadStep::Checking;
        std::chrono::nanoseconds at{0};
    };
    // One message a frame, but never the start of a step missed.
    return [this, generation, last = std::make_shared<std::optional<Last>>(),
            post = m_mailbox.executor()](const engine::LoadProgress& progress) {
        const auto now = m_clock.now();
        if (*last && (*last)->step == progress.step && now - (*last)->at < kProgressEvery) return;
        *last = Last{progress.step, now};
        auto* self = const_cast<EngineService*>(this);
        post([self, generation, progress] { self->loadProgressed(generation, progress); });
    };
}

void EngineService::loadProgressed(std::uint64_t generation, const engine::LoadProgress& progress) {
    if (generation != m_generation || m_state != EngineState::Loading) return;
    m_progress = progress;
    emit progressed();
}

void EngineService::loaded(std::uint64_t generation, std::shared_ptr<Opened> opened) {
    if (generation != m_generation || m_isShutDown) return;
    if (m_nextPath) return startLoad();
    if (*opened) {
        {
            const std::lock_guard lock(m_engineMutex);
            m_engine = std::move(**opened);
        }
        m_state = EngineState::Ready;
    } else if (opened->error().kind == ErrorKind::Cancelled) {
        m_state = EngineState::None;
    } else {
        m_loadError = opened->error();
        m_state = EngineState::Failed;
    }
    emit modelChanged();
    if (m_state != EngineState::Ready) return;
    for (Waiting& waiting : std::exchange(m_waiting, {}))
        launch(std::move(waiting), false);
}

std::shared_ptr<const engine::Engine> EngineService::engine() const {
    const std::lock_guard lock(m_engineMutex);
    return m_engine;
}

// ---- replies

void EngineService::start(ReplyJob job, std::shared_ptr<ReplySink> sink) {
    if (m_isShutDown) return;
    Waiting waiting{std::move(job), std::move(sink)};
    if (m_state != EngineState::Ready || m_nextPath) {
        m_waiting.push_back(std::move(waiting));
        return;
    }
    launch(std::move(waiting), false);
}

void EngineService::stop(chat::MessageId reply) {
    if (const auto found = m_running.find(reply); found != m_running.end()) {
        found->second.stop.request_stop();
        return;
    }
    const auto found = std::ranges::find_if(
        m_waiting, [reply](const Waiting& waiting) { return waiting.job.reply == reply; });
    if (found == m_waiting.end()) return;
    Waiting waiting = std::move(*found);
    m_waiting.erase(found);
    launch(std::move(waiting), true);
}

// A stopped job never reaches the engine, but its end is stored and shown like any other.
void EngineService::launch(Waiting waiting, bool isStopped) {
    const chat::MessageId reply = waiting.job.reply;
    auto runner = std::make_shared<ReplyRunner>(reply, waiting.sink, m_store, m_clock);
    std::shared_ptr<engine::Engine> engine;
    {
        const std::lock_guard lock(m_engineMutex);
        engine = m_engine;
    }
    std::stop_source stop;
    std::jthread thread([this, runner, engine, isStopped, job = std::move(waiting.job),
                         stopped = stop.get_token(),
                         post = m_mailbox.executor()](const std::stop_token& leave) mutable {
        try {
            if (isStopped) {
                runner->add(engine::Finished{engine::FinishReason::Cancelled, {}, {}});
            } else {
                runReply(*runner, *engine, job, m_store, stopped, leave);
            }
        } catch (const std::exception& failure) {
            failReply(*runner, internalError(failure));
        }
        engine.reset();
        runner->finish();
        post([this, reply = job.reply] { ended(reply); });
    });
    m_running.insert_or_assign(reply, Running{runner, std::move(stop), std::move(thread)});
}

void EngineService::ended(chat::MessageId reply) {
    m_running.erase(reply);
    if (m_running.empty() && m_nextPath && !m_isShutDown) startLoad();
}

void EngineService::shown(chat::MessageId reply, std::chrono::nanoseconds took) {
    if (const auto found = m_running.find(reply); found != m_running.end()) {
        found->second.runner->shown(took);
    }
}

// ---- token counts

void EngineService::countTokens(engine::ChatPrompt prompt,
                                std::function<void(Result<std::size_t>)> done) {
    m_nextCount = Count{std::move(prompt), std::move(done)};
    if (!m_isCounting) countNext();
}

void EngineService::countNext() {
    if (!m_nextCount || m_isShutDown) return;
    m_isCounting = true;
    auto count = std::make_shared<Count>(std::move(*m_nextCount));
    m_nextCount.reset();
    m_workers.start([this, count, post = m_mailbox.executor()] {
        engine::Request request;
        request.prompt = std::move(count->prompt);
        const auto prompt = render(request);
        Result<std::size_t> tokens =
            prompt ? Result<std::size_t>(prompt->ids.size()) : Result<std::size_t>(prompt.error());
        post([this, count, tokens = std::move(tokens)] {
            m_isCounting = false;
            const bool isNewest = !m_nextCount;
            if (isNewest) count->done(tokens);
            countNext();
        });
    });
}

// ---- EnginePort

Result<std::shared_ptr<engine::RequestHandle>> EngineService::submit(engine::Request request) {
    std::shared_ptr<engine::Engine> engine;
    {
        const std::lock_guard lock(m_engineMutex);
        engine = m_engine;
    }
    if (!engine) return noModel();
    return engine->submit(std::move(request));
}

Result<engine::Prompt> EngineService::render(const engine::Request& request) const {
    const auto engine = this->engine();
    if (!engine) return noModel();
    return engine->render(request);
}

EngineStatus EngineService::status() const {
    const auto engine = this->engine();
    if (!engine) return {};
    return {EngineState::Ready, engine->model().name, engine->stats()};
}

}  // namespace agens::service
