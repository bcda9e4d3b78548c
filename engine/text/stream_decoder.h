// SPDX-License-Identifier: Apache-2.0
// StreamDecoder: token ids in, whole UTF-8 characters out. A token may end inside a character;
// those bytes (at most 3) wait for the next token. What cannot become a character leaves as U+FFFD,
// one for each maximal invalid part, so the pieces together equal decoding the whole list at once.
// Thread: one owner; the tokenizer must outlive it.
#pragma once

#include <cstddef>
#include <string>

#include "engine/text/tokenizer.h"

namespace agens::text {

// What one token released; empty when it only added part of a character.
struct DecodedText {
    std::string text;  // whole characters
    // Index of the token in which the first character of `text` began; every other character began
    // in the token just added.
    std::size_t firstToken = 0;
};

class StreamDecoder {
 public:
    StreamDecoder(const Tokenizer& tokenizer, Tokenizer::ControlTokens control)
        : m_tokenizer(tokenizer), m_control(control) {}

    DecodedText add(TokenId id);
    // The end of the reply: a waiting part becomes U+FFFD.
    DecodedText finish();

 private:
    const Tokenizer& m_tokenizer;
    Tokenizer::ControlTokens m_control;
    std::string m_waiting;           // the beginning of one character
    std::size_t m_waitingToken = 0;  // the token it began in
    std::size_t m_tokens = 0;        // added so far
};

}  // namespace agens::text
