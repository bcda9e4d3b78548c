// SPDX-License-Identifier: Apache-2.0
// A byte trie, walked from every place whose byte begins some token. An automaton would save the
// second look at a byte, but could not ask where a match may lie without losing the longest one.
#include "engine/text/added_tokens.h"

#include <algorithm>

namespace agens::text {
namespace {

constexpr std::array<std::string_view, 6> kReservedTexts = {
    "<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"};

// Answers, for growing places, how far template text reaches from there.
class TemplateText {
 public:
    explicit TemplateText(const std::vector<Span>& spans) : m_spans(spans) {}

    // End of the template text that holds `place`; `place` itself inside content.
    std::size_t endFrom(std::size_t place) {
        while (m_next < m_spans.size() && m_spans[m_next].end <= place)
            ++m_next;
        if (m_next == m_spans.size() || m_spans[m_next].isContent) return place;
        if (m_end <= place) {
            std::size_t last = m_next;
            while (last + 1 < m_spans.size() && !m_spans[last + 1].isContent)
                ++last;
            m_end = m_spans[last].end;
        }
        return m_end;
    }

 private:
    const std::vector<Span>& m_spans;
    std::size_t m_next = 0;  // the span that holds the last place asked for
    std::size_t m_end = 0;   // end of the run of template spans around it
};

}  // namespace

bool isReservedText(std::string_view text) {
    return std::find(kReservedTexts.begin(), kReservedTexts.end(), text) != kReservedTexts.end();
}

AddedTokens::AddedTokens() : m_nodes(1) {}

bool AddedTokens::add(std::string_view text, TokenId id, AddedKind kind) {
    if (text.empty() || text.size() > kLongestMatched) return false;
    std::uint32_t node = 0;
    for (const char byte : text) {
        std::uint32_t child = childOf(node, byte);
        if (child == 0) {
            child = static_cast<std::uint32_t>(m_nodes.size());
            m_nodes.push_back({.nextSibling = m_nodes[node].firstChild, .byte = byte});
            m_nodes[node].firstChild = child;
            if (node == 0) m_firstNode[static_cast<unsigned char>(byte)] = child;
        }
        node = child;
    }
    if (m_nodes[node].id.value < 0) {
        m_nodes[node].id = id;
        m_nodes[node].kind = kind;
    }
    return true;
}

std::uint32_t AddedTokens::childOf(std::uint32_t node, char byte) const {
    if (node == 0) return m_firstNode[static_cast<unsigned char>(byte)];
    std::uint32_t child = m_nodes[node].firstChild;
    while (child != 0 && m_nodes[child].byte != byte)
        child = m_nodes[child].nextSibling;
    return child;
}

std::vector<AddedTokens::Match> AddedTokens::find(std::string_view text,
                                                  const std::vector<Span>& spans,
                                                  bool allowControl) const {
    std::vector<Match> matches;
    TemplateText templateText(spans);
    for (std::size_t begin = 0; begin < text.size();) {
        std::uint32_t node = m_firstNode[static_cast<unsigned char>(text[begin])];
        if (node == 0) {
            ++begin;
            continue;
        }
        const std::size_t templateEnd = templateText.endFrom(begin);
        Match longest{begin, begin, TokenId(-1)};
        for (std::size_t end = begin + 1; node != 0; ++end) {
            const Node& reached = m_nodes[node];
            const bool isAllowed =
                reached.kind == AddedKind::UserDefined ||
                (end <= templateEnd && (allowControl || reached.kind == AddedKind::Reserved));
            if (reached.id.value >= 0 && isAllowed) longest = {begin, end, reached.id};
            if (end == text.size()) break;
            node = childOf(node, text[end]);
        }
        if (longest.id.value >= 0) matches.push_back(longest);
        begin = std::max(longest.end, begin + 1);
    }
    return matches;
}

}  // namespace agens::text
