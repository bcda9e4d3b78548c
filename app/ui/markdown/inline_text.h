// SPDX-License-Identifier: Apache-2.0
// InlineText: collects the text of one block with its styles, as it is displayed.
//
// Prose loses what could forge it: marks of the pre-pass, bidi overrides, embeddings and direction
// marks, and combining marks beyond kMaxCombining per character. Code keeps all but the pre-pass
// marks. Invariant: spans are ordered, merged where equal, at most kMaxSpans; isOverLimit() tells
// that some were dropped. Thread: one at a time.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "app/ui/markdown/block.h"

namespace agens::markdown {

class InlineText {
 public:
    void setStyle(StyleMask style, std::int32_t link);
    void appendProse(std::string_view text);
    void appendCode(std::string_view text);

    bool isEmpty() const { return m_styled.text.empty(); }
    bool isOverLimit() const { return m_isOverLimit; }
    // The text so far; this is empty afterwards.
    StyledText take();

 private:
    void append(std::string_view text);

    static constexpr int kMaxCombining = 8;

    StyledText m_styled;
    StyleMask m_style = 0;
    std::int32_t m_link = kNoLink;
    int m_combining = 0;  // combining marks since the last base character
    bool m_isOverLimit = false;
};

// Cuts `text` at a space or line end so that no part is longer than `maxBytes`; spans go with it.
std::vector<StyledText> splitLongText(StyledText text, std::size_t maxBytes);
// End of the first part of a text that is longer than `maxBytes`.
std::size_t splitPoint(std::string_view text, std::size_t maxBytes);

// A lone <br> in a table cell is the one piece of HTML that has a meaning: it breaks the line.
StyledText withLineBreaks(StyledText cell);

}  // namespace agens::markdown
