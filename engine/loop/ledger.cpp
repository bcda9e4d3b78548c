// SPDX-License-Identifier: Apache-2.0
// Opening and ending requests. Terminal events are added with no lock of the ledger held.
#include "engine/loop/ledger.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace agens::loop {

void RequestLedger::open(RequestId id, std::shared_ptr<EventStream> stream) {
    std::optional<engine::Event> terminal;
    {
        const std::lock_guard lock(m_mutex);
        terminal = m_terminalForAll;
        if (!terminal) m_open.push_back({id, stream});
    }
    if (terminal) stream->end(std::move(*terminal));
}

EventStream& RequestLedger::stream(RequestId id) {
    const std::lock_guard lock(m_mutex);
    const auto entry = std::ranges::find(m_open, id, &Entry::id);
    CHECK(entry != m_open.end()) << "request " << id.value << " is not open";
    return *entry->stream;
}

void RequestLedger::finish(RequestId id, engine::Finished finished) {
    close(id)->end(std::move(finished));
}

void RequestLedger::fail(RequestId id, Error error, engine::ReplyStats stats) {
    close(id)->end(engine::Failed{std::move(error), std::move(stats)});
}

std::shared_ptr<EventStream> RequestLedger::close(RequestId id) {
    const std::lock_guard lock(m_mutex);
    const auto entry = std::ranges::find(m_open, id, &Entry::id);
    CHECK(entry != m_open.end()) << "request " << id.value << " ended twice";
    std::shared_ptr<EventStream> stream = std::move(entry->stream);
    m_open.erase(entry);
    return stream;
}

void RequestLedger::withdraw(RequestId id) {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_open, [&](const Entry& entry) { return entry.id == id; });
}

void RequestLedger::endAll(const engine::Event& terminal) {
    std::vector<Entry> open;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_terminalForAll) m_terminalForAll = terminal;
        open.swap(m_open);
    }
    for (const Entry& entry : open)
        entry.stream->end(terminal);
}

std::size_t RequestLedger::openRequests() const {
    const std::lock_guard lock(m_mutex);
    return m_open.size();
}

}  // namespace agens::loop
