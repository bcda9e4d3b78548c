// SPDX-License-Identifier: Apache-2.0
// ReplyRunner: one reply from its first event to its stored end. Events go in; batches go to the
// sink when the pacer says so, checkpoints to the store about once a second, the whole to the store
// at the end.
//
//   runner.add(event); runner.act();    // for every event, and after runner.untilDue() without one
//   runner.finish();                    // once: after the terminal event, or when the program
//   leaves
//
// Invariants: the sink hears of an end exactly once and after the store; nothing is dropped: what
// is not due stays in the next batch. Without a terminal event the reply ends Interrupted. Thread:
// one (the reply's); shown() from any.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "app/chat/reply_assembler.h"
#include "app/chat/store.h"
#include "app/service/batch_pacer.h"
#include "app/service/reply_sink.h"
#include "engine/base/clock.h"

namespace agens::service {

class ReplyRunner {
 public:
    using Time = std::chrono::nanoseconds;
    // Below a second, so that text is on the disk within one.
    static constexpr Time kCheckpointEvery = std::chrono::milliseconds(850);

    ReplyRunner(chat::MessageId reply, std::shared_ptr<ReplySink> sink, chat::Store& store,
                const Clock& clock);

    void add(const engine::Event& event);
    void act();
    // How long nothing is due if no event comes.
    std::chrono::milliseconds untilDue() const;
    bool isFinished() const { return m_assembler.isFinished(); }
    void finish();

    // The window needed `took` for the last batch.
    void shown(Time took) { m_shown.store(took.count(), std::memory_order_relaxed); }
    chat::MessageId reply() const { return m_reply; }

 private:
    static constexpr std::int64_t kNotShown = -1;

    void note(const engine::Piece& piece);
    void hearShown();
    void sendBatch(Time now);
    void checkpoint(Time now);
    void settleCheckpoint(bool wait);

    chat::MessageId m_reply;
    std::shared_ptr<ReplySink> m_sink;  // shared: the window may forget the reply first
    chat::Store& m_store;
    const Clock& m_clock;

    chat::ReplyAssembler m_assembler;
    BatchPacer m_pacer;
    std::atomic<std::int64_t> m_shown{kNotShown};
    ReplyBatch m_next;
    bool m_hasNews = false;
    std::size_t m_bytesSent = 0;  // figures for the log, never the text

    // A checkpoint on its way to the disk, with its pieces in case it fails.
    struct Checkpoint {
        chat::Future<void> done;
        std::vector<chat::TailPiece> pieces;
    };
    std::optional<Checkpoint> m_checkpoint;
    Time m_lastCheckpoint;
};

}  // namespace agens::service
