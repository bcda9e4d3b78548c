// SPDX-License-Identifier: Apache-2.0
// MessageText: see the header.
#include "app/ui/markdown/message_text.h"

#include "app/ui/markdown/utf8.h"

namespace agens::markdown {
namespace {

bool isPlainAscii(char byte) {
    return (byte >= 0x20 && byte < 0x7F) || byte == '\t';
}

bool isControl(char32_t c) {
    return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c <= 0x9F);
}

bool isReserved(char32_t c) {
    return c == 0 || (c >= 0xFDD0 && c <= 0xFDEF);
}

}  // namespace

void MessageText::append(std::string_view bytes) {
    if (m_isFull) return;
    if (m_waiting.empty()) {
        m_waiting.assign(bytes.substr(take(bytes, false)));
        return;
    }
    m_waiting.append(bytes);
    m_waiting.erase(0, take(m_waiting, false));
}

void MessageText::finish() {
    take(m_waiting, true);
    m_waiting.clear();
}

std::size_t MessageText::take(std::string_view bytes, bool isEnd) {
    std::size_t at = 0;
    while (at < bytes.size() && !m_isFull) {
        std::size_t plainEnd = at;
        while (plainEnd < bytes.size() && isPlainAscii(bytes[plainEnd]))
            ++plainEnd;
        if (plainEnd > at) {
            putPlainAscii(bytes.substr(at, plainEnd - at));
            at = plainEnd;
            continue;
        }
        const DecodedUtf8 decoded = decodeUtf8(bytes.substr(at));
        if (decoded.status == Utf8Status::Incomplete && !isEnd) return at;
        put(decoded.codePoint);
        at += decoded.length;
    }
    return bytes.size();
}

void MessageText::putPlainAscii(std::string_view bytes) {
    m_afterReturn = false;
    const std::size_t room = kMessageBytes - m_text.size();
    m_isFull = bytes.size() > room;
    m_text.append(bytes.substr(0, room));
}

void MessageText::put(char32_t codePoint) {
    const bool belongsToReturn = m_afterReturn && codePoint == '\n';
    m_afterReturn = codePoint == '\r';
    if (belongsToReturn) return;
    if (codePoint == '\r' || codePoint == 0x2028 || codePoint == 0x2029) codePoint = '\n';
    if (isReserved(codePoint)) codePoint = kReplacement;
    if (isControl(codePoint)) return;
    if (m_text.size() + 4 > kMessageBytes) {  // 4: the longest character
        m_isFull = true;
        return;
    }
    appendUtf8(m_text, codePoint);
}

}  // namespace agens::markdown
