// SPDX-License-Identifier: Apache-2.0
// ReplySink: where a running reply is shown. The service calls it with batches; what becomes of the
// text (Markdown, rows) is the receiver's business and may be done right there, on the reply's
// thread. Plain values.
// Thread: show() is called by one thread at a time, never by the UI thread while a reply runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/chat/types.h"
#include "engine/events.h"

namespace agens::service {

enum class ReplyPhase { Waiting, Prefill, Thinking, Text, Ended };

// Everything new since the batch before, and the counters as they stand now.
struct ReplyBatch {
    ReplyPhase phase = ReplyPhase::Waiting;
    std::string text;            // new text of the answer; reasoning is not in it
    engine::Prefill prefill;     // the newest
    double tokensPerSecond = 0;  // over the last 2 s
    std::uint32_t tokens = 0;    // of the reply so far
    std::uint32_t promptTokens = 0;
    std::optional<chat::FinishedReply> finished;  // with phase Ended: what the store holds
    std::optional<Error> storeError;              // the end could not be stored
};

class ReplySink {
 public:
    virtual ~ReplySink() = default;
    virtual void show(ReplyBatch batch) = 0;
};

}  // namespace agens::service
