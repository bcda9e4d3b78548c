// SPDX-License-Identifier: Apache-2.0
// MessageText: the text of one message, append only, cleaned on the way in.
//
// Cleaning: CR LF, CR, U+2028, U+2029 become LF; NUL, invalid UTF-8 (lone surrogates with it) and
// U+FDD0..U+FDEF become U+FFFD; the other control characters but tab and newline are removed.
// U+FDD0..U+FDEF are free afterwards, so the pre-pass uses them as marks.
// Invariant: text() depends on the bytes alone, never on how they were split; it only grows. At
// most three bytes wait for the rest of their character. Limit: kMessageBytes of cleaned text; what
// follows is not kept and isFull() tells so. Thread: one at a time (a worker).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace agens::markdown {

inline constexpr std::size_t kMessageBytes = 16 * 1024 * 1024;

class MessageText {
 public:
    void append(std::string_view bytes);
    // No more bytes come: a character that was cut off becomes U+FFFD.
    void finish();

    const std::string& text() const { return m_text; }
    bool isFull() const { return m_isFull; }

 private:
    // Cleans as many bytes as are decided; returns how many that were.
    std::size_t take(std::string_view bytes, bool isEnd);
    void put(char32_t codePoint);
    void putPlainAscii(std::string_view bytes);

    std::string m_text;
    std::string m_waiting;       // start of a character whose rest has not come
    bool m_afterReturn = false;  // a CR was written as LF: a following LF belongs to it
    bool m_isFull = false;
};

}  // namespace agens::markdown
