// SPDX-License-Identifier: Apache-2.0
// Invariant: m_waiting is empty or could still become one character.
#include "engine/text/stream_decoder.h"

#include "engine/text/utf8.h"

namespace agens::text {

DecodedText StreamDecoder::add(TokenId id) {
    const std::size_t token = m_tokens++;
    if (m_control == Tokenizer::ControlTokens::Skip && m_tokenizer.isControl(id)) return {};
    const std::string_view tokenBytes = m_tokenizer.tokenBytes(id);
    if (tokenBytes.empty()) return {};

    DecodedText decoded;
    decoded.firstToken = m_waiting.empty() ? token : m_waitingToken;
    const std::size_t waited = m_waiting.size();
    const std::string bytes = m_waiting + std::string(tokenBytes);
    m_waiting.clear();
    for (std::size_t at = 0; at < bytes.size();) {
        const Utf8Step step = readUtf8(bytes, at);
        if (step.kind == Utf8Step::Kind::Incomplete) {
            m_waiting = bytes.substr(at);
            m_waitingToken = at < waited ? m_waitingToken : token;
            break;
        }
        if (step.kind == Utf8Step::Kind::Character) {
            decoded.text.append(bytes, at, step.bytes);
        } else {
            decoded.text += kReplacement;
        }
        at += step.bytes;
    }
    return decoded;
}

DecodedText StreamDecoder::finish() {
    if (m_waiting.empty()) return {};
    m_waiting.clear();
    return {std::string(kReplacement), m_waitingToken};
}

}  // namespace agens::text
