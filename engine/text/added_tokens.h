// SPDX-License-Identifier: Apache-2.0
// AddedTokens: finds control and user-defined tokens in raw text, leftmost first, the longest at
// the same place. What may match depends on where the text came from, so the search asks a span
// list:
//
//   kind           template text   content
//   Control        yes             never
//   Reserved       yes             never      <think>, <tool_call> … : the reply parser acts on
//   them UserDefined    yes             yes
//
// A control or reserved token must lie wholly in template text; a user-defined one may cross a
// border. Invariant: at most kLongestMatched steps a byte of text, whatever the vocabulary holds.
// Thread: immutable after building.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/base/units.h"

namespace agens::text {

// A part of a text; spans of one text lie back to back from its first byte to its last.
struct Span {
    std::size_t begin = 0;  // bytes
    std::size_t end = 0;
    bool isContent = false;  // false: template text
    friend bool operator==(const Span&, const Span&) = default;
};

enum class AddedKind : std::uint8_t { Control, Reserved, UserDefined };

// One of the six texts that the reply parser gives a meaning to.
bool isReservedText(std::string_view text);

class AddedTokens {
 public:
    // Longer texts are never matched: no real token comes near, and it bounds the search.
    static constexpr std::size_t kLongestMatched = 256;

    struct Match {
        std::size_t begin = 0;
        std::size_t end = 0;
        TokenId id;
    };

    AddedTokens();
    // The first token with a text keeps it. False: longer than kLongestMatched or empty.
    bool add(std::string_view text, TokenId id, AddedKind kind);

    // Every match in `text`, in order, not overlapping. `allowControl` false: control tokens match
    // nowhere. Requires: spans cover text.
    std::vector<Match> find(std::string_view text, const std::vector<Span>& spans,
                            bool allowControl) const;

 private:
    struct Node {
        std::uint32_t firstChild = 0;  // 0: none; the root is nobody's child
        std::uint32_t nextSibling = 0;
        TokenId id{-1};
        AddedKind kind = AddedKind::Control;
        char byte = 0;
    };
    std::uint32_t childOf(std::uint32_t node, char byte) const;

    std::vector<Node> m_nodes;
    std::array<std::uint32_t, 256> m_firstNode{};  // children of the root by byte
};

}  // namespace agens::text
