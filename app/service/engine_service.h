// SPDX-License-Identifier: Apache-2.0
// EngineService: the one loaded model and the replies it makes, for the window. Owns the loader
// thread, a thread for each running reply and the workers that count tokens.
//
//   service.load(path);                       // progress() and modelChanged() tell how it goes
//   service.start(job, sink);                 // the reply runs, or waits for the model
//   service.stop(reply);                      // it ends Stopped within 250 ms
//
// The caller makes the message durable first (Store::send, Store::addSibling): a job names a stored
// reply. Invariants: each started job ends exactly once, in the store and then in its sink; a model
// is exchanged only when no reply runs; the old one is gone before the new one is opened.
// Errors: load failures stand in loadError(); a failed reply ends with the Error.
// Thread: UI; EnginePort's calls any. shutDown() and the destructor wait for the threads.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "app/chat/store.h"
#include "app/service/engine_port.h"
#include "app/service/mailbox.h"
#include "app/service/reply_runner.h"
#include "app/service/reply_sink.h"

namespace agens::service {

struct ReplyJob {
    chat::ConversationId conversation;
    chat::MessageId reply;
    engine::ChatPrompt prompt;
    bool isQueued = false;  // stored as Queued: begin() it first
};

class EngineService : public QObject, public EnginePort {
    Q_OBJECT

 public:
    EngineService(chat::Store& store, const Clock& clock, EngineFactory factory);
    ~EngineService() override;

    // Opens `model` in the background; while a reply runs, after it. Another load that runs is
    // given up.
    void load(const std::filesystem::path& model);
    void cancelLoad();
    EngineState state() const { return m_state; }
    const std::filesystem::path& modelPath() const { return m_path; }
    const engine::LoadProgress& progress() const { return m_progress; }
    // Nothing unless Ready.
    std::shared_ptr<const engine::Engine> engine() const;
    const std::optional<Error>& loadError() const { return m_loadError; }

    void start(ReplyJob job, std::shared_ptr<ReplySink> sink);
    void stop(chat::MessageId reply);
    // The window showed a batch of `reply` and needed `took` for it.
    void shown(chat::MessageId reply, std::chrono::nanoseconds took);
    bool isBusy() const { return !m_running.empty(); }

    // Counts the prompt's tokens on a worker; only the newest question is answered.
    void countTokens(engine::ChatPrompt prompt, std::function<void(Result<std::size_t>)> done);

    // Ends everything: running replies are stored Interrupted. Nothing can be started afterwards.
    void shutDown();

    Result<std::shared_ptr<engine::RequestHandle>> submit(engine::Request request) override;
    Result<engine::Prompt> render(const engine::Request& request) const override;
    EngineStatus status() const override;

 signals:
    void modelChanged();
    void progressed();

 private:
    struct Waiting {
        ReplyJob job;
        std::shared_ptr<ReplySink> sink;  // shared with the window, which may forget it first
    };
    struct Running {
        std::shared_ptr<ReplyRunner> runner;  // shared by the thread and shown()
        std::stop_source stop;                // the person's stop
        std::jthread thread;                  // its own stop: the program leaves
    };
    using Opened = Result<std::unique_ptr<engine::Engine>>;

    void startLoad();
    void loaded(std::uint64_t generation, std::shared_ptr<Opened> opened);
    void loadProgressed(std::uint64_t generation, const engine::LoadProgress& progress);
    engine::LoadSink progressSink(std::uint64_t generation) const;
    void launch(Waiting waiting, bool isStopped);
    void ended(chat::MessageId reply);
    void countNext();

    chat::Store& m_store;
    const Clock& m_clock;
    EngineFactory m_factory;

    EngineState m_state = EngineState::None;
    std::filesystem::path m_path;
    std::optional<std::filesystem::path> m_nextPath;  // loaded when the last reply has ended
    engine::LoadProgress m_progress;
    std::optional<Error> m_loadError;
    std::uint64_t m_generation = 0;  // of the load; late results of others are thrown away

    mutable std::mutex m_engineMutex;
    std::shared_ptr<engine::Engine> m_engine;  // shared with the threads of its replies

    struct Count {
        engine::ChatPrompt prompt;
        std::function<void(Result<std::size_t>)> done;
    };
    std::optional<Count> m_nextCount;
    bool m_isCounting = false;
    bool m_isShutDown = false;

    std::vector<Waiting> m_waiting;
    std::map<chat::MessageId, Running> m_running;
    QThreadPool m_workers;
    std::jthread m_loader;
    Mailbox m_mailbox;  // last: closed before everything its calls use
};

}  // namespace agens::service
