// SPDX-License-Identifier: Apache-2.0
// Line guard: see the header.
#include "app/ui/markdown/line_guard.h"

#include <algorithm>

#include "app/ui/markdown/lines.h"

namespace agens::markdown {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kDigits = "0123456789";

// Length of a list or quote marker at the start of the text, 0 if there is none.
std::size_t markerLength(std::string_view text) {
    if (text.starts_with('>')) return 1;
    std::size_t length = std::min(text.find_first_not_of(kDigits), text.size());
    const std::string_view ends = length == 0 ? "-+*" : ".)";
    const bool isMarker = length + 1 < text.size() && ends.find(text[length]) != ends.npos &&
                          kBlanks.find(text[length + 1]) != kBlanks.npos;
    return isMarker ? length + 1 : 0;
}

bool hasTooManyMarkers(std::string_view line) {
    std::size_t markers = 0;
    while (markers <= kMaxMarkers) {
        line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
        const std::size_t length = markerLength(line);
        if (length == 0) return false;
        line.remove_prefix(length);
        ++markers;
    }
    return true;
}

bool hasTooManyAddresses(std::string_view line) {
    std::size_t addresses = 0;
    std::size_t at = line.find("://");
    while (at != std::string_view::npos) {
        if (++addresses > kMaxAddresses) return true;
        const std::size_t next = line.find("://", at + 1);
        const bool isSameWord = line.substr(at, next - at).find_first_of(kBlanks) == line.npos;
        if (!isSameWord) addresses = 0;
        at = next;
    }
    return false;
}

}  // namespace

std::size_t endOfParsableText(std::string_view text) {
    for (std::size_t start = 0; start < text.size();) {
        const std::string_view line = lineAt(text, start);
        if (hasTooManyMarkers(line) || hasTooManyAddresses(line)) return start;
        start += line.size() + 1;
    }
    return text.size();
}

}  // namespace agens::markdown
