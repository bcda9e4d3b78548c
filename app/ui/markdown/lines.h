// SPDX-License-Identifier: Apache-2.0
// Lines of a text, found from an offset: the cut rule and the pre-pass look at single lines.
// A line runs to its newline, which is not part of it. Thread: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace agens::markdown {

inline std::size_t lineStart(std::string_view text, std::size_t offset) {
    if (offset == 0) return 0;
    const std::size_t newline = text.rfind('\n', offset - 1);
    return newline == std::string_view::npos ? 0 : newline + 1;
}

// The line that begins at `start`, without its newline.
inline std::string_view lineAt(std::string_view text, std::size_t start) {
    return text.substr(start, text.find('\n', start) - start);
}

inline bool isCompleteLine(std::string_view text, std::size_t start) {
    return text.find('\n', start) != std::string_view::npos;
}

inline bool isBlankLine(std::string_view line) {
    return line.find_first_not_of(" \t") == std::string_view::npos;
}

// Is there a line before the one at `start`, and is it blank?
inline bool followsBlankLine(std::string_view text, std::size_t start) {
    return start > 0 && isBlankLine(lineAt(text, lineStart(text, start - 1)));
}

}  // namespace agens::markdown
