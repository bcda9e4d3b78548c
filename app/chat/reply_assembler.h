// SPDX-License-Identifier: Apache-2.0
// ReplyAssembler: the engine's events of one reply in, its text and checkpoints out. Pure: no
// clock, no store, no thread; `at` is the caller's monotonic time of the event.
//
//   assembler.add(event, clock.now());                    for every event of the request
//   store.checkpoint(reply, assembler.takeUnsaved());     once a second while there is new text
//   store.finish(reply, assembler.finish());              after Finished or Failed
//
// Invariant: the parts are the runs of equal channels in order; all unsaved pieces taken so far,
// joined by runs, equal the parts (so recovery from checkpoints gives a prefix of the reply).
// State of the end: end, stop -> Complete; length -> Limit; cancelled -> Stopped; Failed -> Error.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "app/chat/types.h"
#include "engine/events.h"

namespace agens::chat {

class ReplyAssembler {
 public:
    void add(const engine::Event& event, std::chrono::nanoseconds at = {});

    // The reply so far.
    const std::vector<ReplyPart>& parts() const { return m_parts; }
    bool hasUnsaved() const { return !m_unsaved.empty(); }
    // Text since the last call, one piece a channel run.
    std::vector<TailPiece> takeUnsaved();
    // A checkpoint failed: its pieces are due again, before what came since.
    void putBack(std::vector<TailPiece> pieces);

    bool isFinished() const { return m_end.has_value(); }
    // The whole reply. Before a terminal event: state Interrupted (the program is leaving).
    FinishedReply finish() const;

 private:
    struct End {
        MessageState state = MessageState::Complete;
        engine::ReplyStats stats;
        std::optional<Error> error;
    };
    void addPiece(const engine::Piece& piece, std::chrono::nanoseconds at);
    void closeRun(std::chrono::nanoseconds at);

    std::vector<ReplyPart> m_parts;
    std::vector<TailPiece> m_unsaved;
    std::chrono::nanoseconds m_runStart{0};
    std::uint32_t m_reasoningTokens = 0;
    std::optional<End> m_end;
};

}  // namespace agens::chat
