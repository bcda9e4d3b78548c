// SPDX-License-Identifier: Apache-2.0
// Held-back text and stop strings.
#include "engine/loop/reply_text.h"

#include <algorithm>
#include <string_view>

#include "engine/base/check.h"

namespace agens::loop {
namespace {

constexpr std::size_t kHeldReserve = 512;

// Length of the longest end of `text` that begins a stop string without completing it.
std::size_t disputedBytes(std::string_view text, std::span<const std::string> stop) {
    std::size_t longest = 0;
    for (const std::string_view wanted : stop) {
        for (std::size_t length = std::min(text.size(), wanted.size() - 1); length > longest;
             --length) {
            if (text.ends_with(wanted.substr(0, length))) longest = length;
        }
    }
    return longest;
}

}  // namespace

ReplyText::ReplyText(const text::Tokenizer& tokenizer, std::span<const std::string> stop,
                     const ReasoningMarks& marks, bool startsInReasoning)
    : m_decoder(std::in_place, tokenizer, text::Tokenizer::ControlTokens::Skip),
      m_stop(stop),
      m_marks(marks),
      m_channel(startsInReasoning ? engine::Channel::Reasoning : engine::Channel::Text) {
    m_held.reserve(kHeldReserve);
}

ReplyText::ReplyText(const ReplyText& other) {
    *this = other;
}

ReplyText& ReplyText::operator=(const ReplyText& other) {
    if (this == &other) return *this;
    // A decoder holds a reference, so it cannot be assigned; making one costs nothing.
    m_decoder.reset();
    if (other.m_decoder) m_decoder.emplace(*other.m_decoder);
    m_stop = other.m_stop;
    m_marks = other.m_marks;
    m_channel = other.m_channel;
    m_held = other.m_held;
    m_visibleReleased = other.m_visibleReleased;
    return *this;
}

std::optional<StopMatch> ReplyText::add(TokenId id, ReleasedText& released) {
    CHECK(m_decoder) << "text of no reply";
    released.channel = m_channel;
    released.text.clear();
    if (id == m_marks.open) {
        switchTo(engine::Channel::Reasoning, released);
        return std::nullopt;
    }
    if (id == m_marks.close) {
        switchTo(engine::Channel::Text, released);
        return std::nullopt;
    }
    m_held += m_decoder->add(id).text;
    return releaseUndisputed(released);
}

std::optional<StopMatch> ReplyText::releaseUndisputed(ReleasedText& released) {
    const bool isVisible = m_channel == engine::Channel::Text;
    std::optional<StopMatch> match;
    std::size_t begin = std::string::npos;
    for (std::size_t stop = 0; isVisible && stop < m_stop.size(); ++stop) {
        const std::size_t found = m_held.find(m_stop[stop]);
        if (found == std::string::npos) continue;
        const bool isLonger =
            match && found == begin && m_stop[stop].size() > m_stop[match->stop].size();
        if (!match || found < begin || isLonger) {
            begin = found;
            match = StopMatch{stop, m_visibleReleased + found};
        }
    }
    std::size_t bytes = begin;
    if (!match) bytes = m_held.size() - (isVisible ? disputedBytes(m_held, m_stop) : 0);
    released.text.assign(m_held, 0, bytes);
    m_held.erase(0, match ? m_held.size() : bytes);
    if (isVisible) m_visibleReleased += bytes;
    return match;
}

void ReplyText::switchTo(engine::Channel channel, ReleasedText& released) {
    finish(released);
    m_channel = channel;
}

void ReplyText::finish(ReleasedText& released) {
    CHECK(m_decoder) << "text of no reply";
    released.channel = m_channel;
    released.text.assign(m_held);
    released.text += m_decoder->finish().text;
    m_held.clear();
    if (m_channel == engine::Channel::Text) m_visibleReleased += released.text.size();
}

std::size_t tokensBefore(std::size_t offset, std::span<const TokenId> reply,
                         const text::Tokenizer& tokenizer, const ReasoningMarks& marks,
                         bool startsInReasoning) {
    text::StreamDecoder decoder(tokenizer, text::Tokenizer::ControlTokens::Skip);
    bool isVisible = !startsInReasoning;
    std::size_t visible = 0;
    std::size_t markTokens = 0;  // the decoder does not see these
    for (std::size_t index = 0; index < reply.size(); ++index) {
        const TokenId id = reply[index];
        if (id == marks.open || id == marks.close) {
            const std::size_t unfinished = decoder.finish().text.size();
            if (isVisible) visible += unfinished;
            isVisible = id == marks.close;
            ++markTokens;
            continue;
        }
        const text::DecodedText decoded = decoder.add(id);
        if (!isVisible || decoded.text.empty()) continue;
        if (visible + decoded.text.size() > offset) {
            return visible == offset ? decoded.firstToken + markTokens : index;
        }
        visible += decoded.text.size();
    }
    return reply.size();
}

}  // namespace agens::loop
