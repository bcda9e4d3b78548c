// SPDX-License-Identifier: Apache-2.0
// InlineText: see the header.
#include "app/ui/markdown/inline_text.h"

#include <algorithm>
#include <utility>

#include "app/ui/markdown/parser.h"
#include "app/ui/markdown/prepass.h"
#include "app/ui/markdown/utf8.h"

namespace agens::markdown {
namespace {

constexpr char32_t kMarkCodePoint = 0xFDD0;

bool isDirectionControl(char32_t c) {
    return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

// The blocks of marks that stack; not every combining character of Unicode, Indic vowels stay free.
bool isStackingMark(char32_t c) {
    return (c >= 0x0300 && c <= 0x036F) || (c >= 0x0483 && c <= 0x0489) ||
           (c >= 0x1AB0 && c <= 0x1AFF) || (c >= 0x1DC0 && c <= 0x1DFF) ||
           (c >= 0x20D0 && c <= 0x20FF) || (c >= 0xFE20 && c <= 0xFE2F);
}

// Spans of [from, to), moved to a text that begins at `from`.
std::vector<Span> spansWithin(const std::vector<Span>& spans, std::size_t from, std::size_t to) {
    std::vector<Span> within;
    for (Span span : spans) {
        const std::size_t begin = std::max<std::size_t>(span.begin, from);
        const std::size_t end = std::min<std::size_t>(span.end, to);
        if (begin >= end) continue;
        span.begin = static_cast<std::uint32_t>(begin - from);
        span.end = static_cast<std::uint32_t>(end - from);
        within.push_back(span);
    }
    return within;
}

// Length of a `<br>`, `<br/>` or `<br />` at the start of the text, else 0.
std::size_t lineBreakLength(std::string_view text) {
    for (const std::string_view tag : {"<br>", "<br/>", "<br />", "<BR>"}) {
        if (text.starts_with(tag)) return tag.size();
    }
    return 0;
}

}  // namespace

void InlineText::setStyle(StyleMask style, std::int32_t link) {
    m_style = style;
    m_link = link;
}

void InlineText::append(std::string_view text) {
    const auto begin = static_cast<std::uint32_t>(m_styled.text.size());
    m_styled.text.append(text);
    const auto end = static_cast<std::uint32_t>(m_styled.text.size());
    if (begin == end || (m_style == 0 && m_link == kNoLink)) return;
    std::vector<Span>& spans = m_styled.spans;
    const Span span{begin, end, m_style, SyntaxClass::None, m_link};
    const bool extendsLast = !spans.empty() && spans.back().end == begin &&
                             spans.back().style == m_style && spans.back().link == m_link;
    if (extendsLast) {
        spans.back().end = end;
    } else if (spans.size() < kMaxSpans) {
        spans.push_back(span);
    } else {
        m_isOverLimit = true;
    }
}

void InlineText::appendProse(std::string_view text) {
    std::size_t kept = 0;  // start of what is not appended yet
    std::size_t at = 0;
    while (at < text.size()) {
        if ((text[at] & 0x80) == 0) {
            m_combining = 0;
            ++at;
            continue;
        }
        const DecodedUtf8 decoded = decodeUtf8(text.substr(at));
        m_combining = isStackingMark(decoded.codePoint) ? m_combining + 1 : 0;
        const bool isDropped = decoded.codePoint == kMarkCodePoint ||
                               isDirectionControl(decoded.codePoint) || m_combining > kMaxCombining;
        if (isDropped) {
            append(text.substr(kept, at - kept));
            kept = at + decoded.length;
        }
        at += decoded.length;
    }
    append(text.substr(kept));
}

void InlineText::appendCode(std::string_view text) {
    for (std::size_t mark = text.find(kMark); mark != std::string_view::npos;
         mark = text.find(kMark)) {
        append(text.substr(0, mark));
        text.remove_prefix(mark + kMark.size());
    }
    append(text);
}

StyledText InlineText::take() {
    m_combining = 0;
    m_isOverLimit = false;
    return std::exchange(m_styled, {});
}

std::size_t splitPoint(std::string_view text, std::size_t maxBytes) {
    const std::string_view head = text.substr(0, maxBytes);
    for (const char separator : {'\n', ' '}) {
        const std::size_t at = head.rfind(separator);
        if (at != std::string_view::npos && at > 0) return at + 1;
    }
    std::size_t at = maxBytes;
    while (at > 1 && isContinuationByte(text[at]))
        --at;
    return at;
}

std::vector<StyledText> splitLongText(StyledText text, std::size_t maxBytes) {
    std::vector<StyledText> parts;
    const std::string_view whole = text.text;
    std::size_t from = 0;
    while (whole.size() - from > maxBytes) {
        const std::size_t to = from + splitPoint(whole.substr(from), maxBytes);
        parts.push_back(
            {std::string(whole.substr(from, to - from)), spansWithin(text.spans, from, to)});
        from = to;
    }
    if (from == 0) return {std::move(text)};
    parts.push_back({std::string(whole.substr(from)), spansWithin(text.spans, from, whole.size())});
    return parts;
}

StyledText withLineBreaks(StyledText cell) {
    if (cell.text.find('<') == std::string::npos) return cell;
    StyledText result;
    const std::string_view text = cell.text;
    std::vector<std::uint32_t> moved(text.size() + 1);  // new place of each byte
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = std::max<std::size_t>(lineBreakLength(text.substr(at)), 1);
        for (std::size_t i = 0; i < length; ++i) {
            moved[at + i] = static_cast<std::uint32_t>(result.text.size());
        }
        result.text.push_back(length > 1 ? '\n' : text[at]);
        at += length;
    }
    moved[text.size()] = static_cast<std::uint32_t>(result.text.size());
    for (Span span : cell.spans) {
        const bool isCode = (span.style & kCode) != 0;
        if (isCode &&
            text.substr(span.begin, span.end - span.begin).find("<br") != std::string::npos) {
            return cell;  // somebody writes about the tag
        }
        span.begin = moved[span.begin];
        span.end = moved[span.end];
        if (span.begin < span.end) result.spans.push_back(span);
    }
    return result;
}

}  // namespace agens::markdown
