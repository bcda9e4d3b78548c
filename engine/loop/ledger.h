// SPDX-License-Identifier: Apache-2.0
// RequestLedger: every request that was accepted, and the one place that ends them. A request
// leaves the ledger with exactly one terminal event, whatever happens: finish(), fail() or
// endAll().
//
// Errors: ending a request that is not open is our bug (CHECK).
// Thread: open() any; the others engine thread, or any once that thread has ended.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/base/units.h"
#include "engine/events.h"
#include "engine/loop/event_stream.h"

namespace agens::loop {

using RequestId = Unit<struct RequestIdTag, std::uint64_t>;

class RequestLedger {
 public:
    // After endAll() the request ends at once, with the same event.
    void open(RequestId id, std::shared_ptr<EventStream> stream);
    // Of an open request; valid until it ends.
    EventStream& stream(RequestId id);
    void finish(RequestId id, engine::Finished finished);
    void fail(RequestId id, Error error, engine::ReplyStats stats);
    // A request that was not accepted after all: nobody has its handle, so no event is due.
    void withdraw(RequestId id);
    // Ends all open requests with this event, and every later one.
    void endAll(const engine::Event& terminal);
    std::size_t openRequests() const;

 private:
    struct Entry {
        RequestId id;
        std::shared_ptr<EventStream> stream;  // shared with the handle: either may go first
    };
    std::shared_ptr<EventStream> close(RequestId id);

    mutable std::mutex m_mutex;
    std::vector<Entry> m_open;
    std::optional<engine::Event> m_terminalForAll;
};

}  // namespace agens::loop
