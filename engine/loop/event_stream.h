// SPDX-License-Identifier: Apache-2.0
// EventStream: the events of one request on their way from the engine thread to one reader.
//
// The engine never waits for a reader. What is not read yet is kept as small records over one
// text and one token buffer; when 64 records wait, superseded progress (Queued, Prefill, Stats)
// goes and neighbouring pieces of a channel become one. So no text is ever dropped and memory is
// bounded by the text. While the reader keeps up, adding an event allocates nothing: Events are
// built by next().
//
// Exactly one terminal event, last; only RequestLedger can add it.
// Thread: add*() engine thread, next() and onEvent() one reader, both at once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/events.h"

namespace agens::loop {

class EventStream {
 public:
    using Progress = std::variant<engine::Queued, engine::Prefill, engine::Started, engine::Stats>;

    EventStream();
    EventStream(const EventStream&) = delete;
    EventStream& operator=(const EventStream&) = delete;

    void add(const Progress& progress);
    void addPiece(engine::Channel channel, std::string_view text, std::span<const TokenId> tokens);

    std::optional<engine::Event> next(std::chrono::milliseconds timeout);
    // `wake` is called after an event was added, with no lock held; it may still be called once
    // while it is being replaced.
    void onEvent(std::function<void()> wake);

 private:
    friend class RequestLedger;
    void end(engine::Event terminal);

    struct PieceRecord {
        engine::Channel channel = engine::Channel::Text;
        std::size_t textBytes = 0;
        std::size_t tokens = 0;
    };
    using Record =
        std::variant<engine::Queued, engine::Prefill, engine::Started, engine::Stats, PieceRecord>;
    // Shared because the engine thread calls it after letting go of the lock, while the reader may
    // be setting another one.
    using Wake = std::shared_ptr<const std::function<void()>>;

    void compactIfSlow();
    void dropReadText();
    engine::Event takeFirst();
    engine::Event takePiece(const PieceRecord& record);
    void tell(Wake wake);

    std::mutex m_mutex;  // guards everything below
    std::condition_variable m_added;
    Wake m_wake;
    std::vector<Record> m_records;
    std::size_t m_firstRecord = 0;  // before it: read
    std::string m_text;             // of the unread pieces, in order
    std::size_t m_firstText = 0;
    std::vector<TokenId> m_tokens;
    std::size_t m_firstToken = 0;
    std::optional<engine::Event> m_terminal;
    bool m_terminalRead = false;
};

}  // namespace agens::loop
