// SPDX-License-Identifier: Apache-2.0
// SegmentedText: see the header.
#include "app/ui/markdown/text_segments.h"

#include <algorithm>

namespace agens::markdown {
namespace {

std::size_t endOfLines(std::string_view text, int lines) {
    std::size_t end = 0;
    for (int line = 0; line < lines; ++line) {
        end = text.find('\n', line == 0 ? 0 : end + 1);
        if (end == std::string_view::npos) return text.size();
    }
    return lines == 0 ? text.size() : end;
}

void appendSegment(SegmentedText& out, std::string_view utf8, const Span& span) {
    if (utf8.empty()) return;
    const int begin = static_cast<int>(out.text.size());
    out.text += QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
    const TextSegment segment{begin, static_cast<int>(out.text.size()), span.style, span.syntax,
                              span.link};
    if (!out.segments.empty() && out.segments.back().hasStyleOf(segment)) {
        out.segments.back().end = segment.end;
    } else {
        out.segments.push_back(segment);
    }
}

int commonTextPrefix(const QString& a, const QString& b) {
    const auto [inA, inB] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    const auto length = static_cast<int>(inA - a.begin());
    const bool isInsidePair = length > 0 && a[length - 1].isHighSurrogate();
    return isInsidePair ? length - 1 : length;
}

int commonStylePrefix(const std::vector<TextSegment>& a, const std::vector<TextSegment>& b) {
    int length = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (!a[i].hasStyleOf(b[i])) return length;
        length = std::min(a[i].end, b[i].end);
        if (a[i].end != b[i].end) return length;
    }
    return length;
}

}  // namespace

SegmentedText segmentsOf(const StyledText& styled, int maximumLines) {
    SegmentedText out;
    const std::string_view all = styled.text;
    const std::string_view text = all.substr(0, endOfLines(all, maximumLines));
    std::size_t at = 0;
    for (const Span& span : styled.spans) {
        const std::size_t begin = std::min<std::size_t>(span.begin, text.size());
        const std::size_t end = std::min<std::size_t>(span.end, text.size());
        appendSegment(out, text.substr(at, begin - at), Span{});
        appendSegment(out, text.substr(begin, end - begin), span);
        at = end;
    }
    appendSegment(out, text.substr(at), Span{});
    return out;
}

int commonPrefix(const SegmentedText& a, const SegmentedText& b) {
    return std::min(commonTextPrefix(a.text, b.text), commonStylePrefix(a.segments, b.segments));
}

}  // namespace agens::markdown
