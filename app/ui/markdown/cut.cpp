// SPDX-License-Identifier: Apache-2.0
// The cut rule: see the header.
#include "app/ui/markdown/cut.h"

#include "app/ui/markdown/lines.h"

namespace agens::markdown {
namespace {

bool mayBeCutAt(std::string_view source, std::size_t line) {
    constexpr std::string_view kIndentOrFence = " \t`~";
    if (kIndentOrFence.find(source[line]) != std::string_view::npos) return false;
    return followsBlankLine(source, line) && isCompleteLine(source, line);
}

}  // namespace

std::optional<Cut> lastCut(std::string_view source, const std::vector<TopLevelStart>& starts) {
    for (auto start = starts.rbegin(); start != starts.rend(); ++start) {
        const std::size_t line = lineStart(source, start->firstText);
        if (mayBeCutAt(source, line)) return Cut{line, start->blocksBefore};
    }
    return std::nullopt;
}

}  // namespace agens::markdown
