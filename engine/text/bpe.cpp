// SPDX-License-Identifier: Apache-2.0
// Merging over an array (short pre-tokens) and over a linked list with a heap (long ones).
#include "engine/text/bpe.h"

#include <algorithm>
#include <array>
#include <bit>
#include <queue>

#include "engine/base/check.h"

namespace agens::text {
namespace {

// Up to here scanning all pairs beats a heap; bench: 16 … 64 give the same on prose and code.
constexpr std::size_t kShort = 32;
// Longer tokens are looked up by merging only: no pre-token of prose is a token of that length.
constexpr std::size_t kLongestWhole = 64;

std::uint64_t pairOf(std::int32_t left, std::int32_t right) {
    return (std::uint64_t{static_cast<std::uint32_t>(left)} << 32) |
           static_cast<std::uint32_t>(right);
}

}  // namespace

struct Bpe::Symbol {
    std::int32_t token;     // -1: merged into its left neighbour
    std::int32_t previous;  // -1: none
    std::int32_t next;      // -1: none
};

// A pair that could be merged when it was noted; stale if either side has changed since.
struct Bpe::Candidate {
    std::uint32_t rank;
    std::int32_t place;  // of the left symbol
    std::int32_t left;
    std::int32_t right;
    std::int32_t merged;
    // A priority queue gives the greatest: lowest rank, then leftmost.
    bool operator<(const Candidate& other) const {
        return rank != other.rank ? rank > other.rank : place > other.place;
    }
};

Bpe::Bpe(const Parts& parts)
    : m_whole(parts.tokenBytes.size()),
      m_merges(std::bit_ceil(parts.merges.size() * 2 + 2)),
      m_seed(randomSeed()) {
    m_byteToken.fill(-1);
    for (std::size_t id = 0; id < parts.tokenBytes.size(); ++id) {
        const std::string& bytes = parts.tokenBytes[id];
        if (bytes.size() != 1) continue;
        std::int32_t& token = m_byteToken[static_cast<unsigned char>(bytes[0])];
        if (token < 0) token = static_cast<std::int32_t>(id);
    }
    for (std::size_t rank = 0; rank < parts.merges.size(); ++rank) {
        addMerge(parts.merges[rank], static_cast<std::uint32_t>(rank));
    }
    std::vector<TokenId> alone;
    for (std::size_t id = 0; id < parts.tokenBytes.size(); ++id) {
        const std::string& bytes = parts.tokenBytes[id];
        const TokenId token(static_cast<std::int32_t>(id));
        if (bytes.empty()) continue;
        if (parts.ignoreMerges) {
            m_whole.add(bytes, token);
        } else if (bytes.size() <= kLongestWhole) {
            alone.clear();
            encodeByMerging(bytes, alone);
            if (alone.size() == 1 && alone[0] == token) m_whole.add(bytes, token);
        }
    }
}

void Bpe::addMerge(const Merge& merge, std::uint32_t rank) {
    const std::uint64_t pair = pairOf(merge.left.value, merge.right.value);
    const std::size_t mask = m_merges.size() - 1;
    std::size_t at = hashNumber(pair, m_seed) & mask;
    while (m_merges[at].pair != kEmptyPair) {
        if (m_merges[at].pair == pair) return;  // the first, with the lower rank, stays
        at = (at + 1) & mask;
    }
    m_merges[at] = {pair, rank, merge.merged.value};
}

const Bpe::MergeSlot* Bpe::mergeOf(std::int32_t left, std::int32_t right) const {
    const std::uint64_t pair = pairOf(left, right);
    const std::size_t mask = m_merges.size() - 1;
    for (std::size_t at = hashNumber(pair, m_seed) & mask;; at = (at + 1) & mask) {
        if (m_merges[at].pair == pair) return &m_merges[at];
        if (m_merges[at].pair == kEmptyPair) return nullptr;
    }
}

void Bpe::encode(std::string_view preToken, std::vector<TokenId>& ids) const {
    if (const auto whole = m_whole.find(preToken)) {
        ids.push_back(*whole);
        return;
    }
    encodeByMerging(preToken, ids);
}

void Bpe::encodeByMerging(std::string_view preToken, std::vector<TokenId>& ids) const {
    if (preToken.size() <= kShort) {
        std::array<std::int32_t, kShort> symbols;
        std::size_t count = 0;
        for (const char byte : preToken) {
            const std::int32_t token = m_byteToken[static_cast<unsigned char>(byte)];
            if (token >= 0) symbols[count++] = token;
        }
        mergeShort(std::span(symbols).first(count), ids);
        return;
    }
    CHECK(preToken.size() < INT32_MAX) << "the text was not limited";
    std::vector<Symbol> symbols;
    symbols.reserve(preToken.size());
    for (const char byte : preToken) {
        const std::int32_t token = m_byteToken[static_cast<unsigned char>(byte)];
        if (token < 0) continue;
        const auto place = static_cast<std::int32_t>(symbols.size());
        symbols.push_back({token, place - 1, place + 1});
    }
    if (!symbols.empty()) symbols.back().next = -1;
    mergeLong(symbols, ids);
}

void Bpe::mergeShort(std::span<std::int32_t> symbols, std::vector<TokenId>& ids) const {
    std::array<const MergeSlot*, kShort> merges{};  // of the pair that begins at the same place
    std::size_t count = symbols.size();
    for (std::size_t i = 0; i + 1 < count; ++i)
        merges[i] = mergeOf(symbols[i], symbols[i + 1]);
    while (count > 1) {
        std::size_t best = count;
        std::uint32_t bestRank = UINT32_MAX;
        for (std::size_t i = 0; i + 1 < count; ++i) {
            if (merges[i] == nullptr || merges[i]->rank >= bestRank) continue;
            bestRank = merges[i]->rank;
            best = i;
        }
        if (best == count) break;
        symbols[best] = merges[best]->merged;
        for (std::size_t i = best + 1; i + 1 < count; ++i) {
            symbols[i] = symbols[i + 1];
            merges[i] = merges[i + 1];
        }
        --count;
        if (best + 1 < count) merges[best] = mergeOf(symbols[best], symbols[best + 1]);
        if (best > 0) merges[best - 1] = mergeOf(symbols[best - 1], symbols[best]);
    }
    for (std::size_t i = 0; i < count; ++i)
        ids.emplace_back(symbols[i]);
}

void Bpe::mergeLong(std::vector<Symbol>& symbols, std::vector<TokenId>& ids) const {
    std::priority_queue<Candidate> queue;
    const auto at = [&](std::int32_t place) -> Symbol& {
        return symbols[static_cast<std::size_t>(place)];
    };
    const auto note = [&](std::int32_t left) {
        if (left < 0 || at(left).next < 0) return;
        const std::int32_t a = at(left).token;
        const std::int32_t b = at(at(left).next).token;
        if (const MergeSlot* merge = mergeOf(a, b))
            queue.push({merge->rank, left, a, b, merge->merged});
    };
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
        note(static_cast<std::int32_t>(i));
    while (!queue.empty()) {
        const Candidate best = queue.top();
        queue.pop();
        Symbol& left = at(best.place);
        if (left.token != best.left || left.next < 0 || at(left.next).token != best.right) continue;
        Symbol& right = at(left.next);
        left.token = best.merged;
        right.token = -1;
        left.next = right.next;
        if (left.next >= 0) at(left.next).previous = best.place;
        note(left.previous);
        note(best.place);
    }
    for (const Symbol& symbol : symbols) {
        if (symbol.token >= 0) ids.emplace_back(symbol.token);
    }
}

}  // namespace agens::text
