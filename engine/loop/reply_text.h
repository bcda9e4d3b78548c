// SPDX-License-Identifier: Apache-2.0
// ReplyText: chosen tokens in, visible text out, with stop strings found across token borders.
//
// Text that could be the beginning of a stop string is held back until it is decided; everything
// else leaves at once. The earliest match wins, at the same place the longest; its text and what
// follows never leave. Stop strings are looked for in visible text only, not in reasoning, which
// stands between two tokens of the vocabulary where the model has such.
//
// A plain value: resolve() works on a copy, commit() keeps it. Copying into a used one allocates
// nothing.
// Thread: engine thread. Tokenizer and stop strings outlive it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/units.h"
#include "engine/events.h"
#include "engine/text/stream_decoder.h"

namespace agens::loop {

// Tokens between which a model thinks; both or none.
struct ReasoningMarks {
    std::optional<TokenId> open;
    std::optional<TokenId> close;
};

struct ReleasedText {
    engine::Channel channel = engine::Channel::Text;
    std::string text;
};

struct StopMatch {
    std::size_t stop = 0;    // index of the stop string
    std::size_t offset = 0;  // bytes of visible text before the match
};

class ReplyText {
 public:
    ReplyText() = default;
    ReplyText(const text::Tokenizer& tokenizer, std::span<const std::string> stop,
              const ReasoningMarks& marks, bool startsInReasoning);
    ReplyText(const ReplyText& other);
    ReplyText& operator=(const ReplyText& other);
    ~ReplyText() = default;

    // Adds the newest token of the reply; `released` is overwritten.
    std::optional<StopMatch> add(TokenId id, ReleasedText& released);
    // The end without a stop string: what was held back leaves, an unfinished character as U+FFFD.
    void finish(ReleasedText& released);

 private:
    void switchTo(engine::Channel channel, ReleasedText& released);
    std::optional<StopMatch> releaseUndisputed(ReleasedText& released);

    std::optional<text::StreamDecoder> m_decoder;
    std::span<const std::string> m_stop;
    ReasoningMarks m_marks;
    engine::Channel m_channel = engine::Channel::Text;
    std::string m_held;                 // decoded, not released
    std::size_t m_visibleReleased = 0;  // bytes
};

// How many tokens of a reply have their text wholly before `offset` bytes of visible text: those
// that stay in the cache when a stop string was found there.
std::size_t tokensBefore(std::size_t offset, std::span<const TokenId> reply,
                         const text::Tokenizer& tokenizer, const ReasoningMarks& marks,
                         bool startsInReasoning);

}  // namespace agens::loop
