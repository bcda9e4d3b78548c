// SPDX-License-Identifier: Apache-2.0
// Records, their compaction, and the hand-over to the reader.
#include "engine/loop/event_stream.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/check.h"

namespace agens::loop {
namespace {

constexpr std::size_t kSlowReaderRecords = 64;
constexpr std::size_t kTextReserve = 4096;
constexpr std::size_t kTokenReserve = 1024;

}  // namespace

EventStream::EventStream() {
    m_records.reserve(2 * kSlowReaderRecords);
    m_text.reserve(kTextReserve);
    m_tokens.reserve(kTokenReserve);
}

void EventStream::add(const Progress& progress) {
    Wake wake;
    {
        const std::lock_guard lock(m_mutex);
        CHECK(!m_terminal) << "event after the terminal one";
        std::visit([&](const auto& event) { m_records.emplace_back(event); }, progress);
        compactIfSlow();
        wake = m_wake;
    }
    tell(std::move(wake));
}

void EventStream::addPiece(engine::Channel channel, std::string_view text,
                           std::span<const TokenId> tokens) {
    Wake wake;
    {
        const std::lock_guard lock(m_mutex);
        CHECK(!m_terminal) << "piece after the terminal event";
        m_records.emplace_back(PieceRecord{channel, text.size(), tokens.size()});
        m_text.append(text);
        m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
        compactIfSlow();
        wake = m_wake;
    }
    tell(std::move(wake));
}

void EventStream::end(engine::Event terminal) {
    Wake wake;
    {
        const std::lock_guard lock(m_mutex);
        CHECK(!m_terminal) << "second terminal event";
        m_terminal = std::move(terminal);
        wake = m_wake;
    }
    tell(std::move(wake));
}

void EventStream::tell(Wake wake) {
    m_added.notify_one();
    if (wake && *wake) (*wake)();
}

void EventStream::onEvent(std::function<void()> wake) {
    auto shared = std::make_shared<const std::function<void()>>(std::move(wake));
    const std::lock_guard lock(m_mutex);
    m_wake.swap(shared);
}

std::optional<engine::Event> EventStream::next(std::chrono::milliseconds timeout) {
    std::unique_lock lock(m_mutex);
    if (m_terminalRead) return std::nullopt;
    const auto hasEvent = [&] {
        return m_firstRecord < m_records.size() || m_terminal.has_value();
    };
    if (!m_added.wait_for(lock, timeout, hasEvent)) return std::nullopt;
    if (m_firstRecord < m_records.size()) return takeFirst();
    m_terminalRead = true;
    return *m_terminal;
}

engine::Event EventStream::takeFirst() {
    const Record record = m_records[m_firstRecord++];
    if (m_firstRecord == m_records.size()) {
        m_records.clear();
        m_firstRecord = 0;
    }
    return std::visit(
        [&](const auto& event) -> engine::Event {
            if constexpr (std::is_same_v<std::decay_t<decltype(event)>, PieceRecord>) {
                return takePiece(event);
            } else {
                return event;
            }
        },
        record);
}

engine::Event EventStream::takePiece(const PieceRecord& record) {
    engine::Piece piece;
    piece.channel = record.channel;
    piece.text = m_text.substr(m_firstText, record.textBytes);
    const auto first = m_tokens.begin() + static_cast<std::ptrdiff_t>(m_firstToken);
    piece.tokens.assign(first, first + static_cast<std::ptrdiff_t>(record.tokens));
    m_firstText += record.textBytes;
    m_firstToken += record.tokens;
    dropReadText();
    return piece;
}

// Read bytes leave when nothing is unread, or when they outweigh what is unread (so that each byte
// is moved at most once on average).
void EventStream::dropReadText() {
    if (m_firstText >= m_text.size() - m_firstText) {
        m_text.erase(0, m_firstText);
        m_firstText = 0;
    }
    if (m_firstToken >= m_tokens.size() - m_firstToken) {
        m_tokens.erase(m_tokens.begin(),
                       m_tokens.begin() + static_cast<std::ptrdiff_t>(m_firstToken));
        m_firstToken = 0;
    }
}

void EventStream::compactIfSlow() {
    if (m_records.size() - m_firstRecord < kSlowReaderRecords) {
        if (m_records.size() == m_records.capacity()) {
            m_records.erase(m_records.begin(),
                            m_records.begin() + static_cast<std::ptrdiff_t>(m_firstRecord));
            m_firstRecord = 0;
        }
        return;
    }
    std::array<std::size_t, std::variant_size_v<Record>> newest{};
    for (std::size_t i = m_firstRecord; i < m_records.size(); ++i)
        newest[m_records[i].index()] = i;
    std::size_t kept = 0;
    for (std::size_t i = m_firstRecord; i < m_records.size(); ++i) {
        const Record record = m_records[i];
        if (const auto* piece = std::get_if<PieceRecord>(&record)) {
            auto* last = kept == 0 ? nullptr : std::get_if<PieceRecord>(&m_records[kept - 1]);
            if (last != nullptr && last->channel == piece->channel) {
                last->textBytes += piece->textBytes;
                last->tokens += piece->tokens;
                continue;
            }
        } else if (newest[record.index()] != i) {
            continue;
        }
        m_records[kept++] = record;
    }
    m_records.resize(kept);
    m_firstRecord = 0;
}

}  // namespace agens::loop
