// SPDX-License-Identifier: Apache-2.0
// Bpe: byte-level byte-pair encoding of one pre-token.
//
//   bytes → letter tokens → merge the adjacent pair of lowest rank, leftmost first, until none is
//   left
//
// A byte without a token vanishes before merging, as in the reference implementation. Short
// pre-tokens scan their pairs, long ones use a heap: O(n log n) whatever the text.
// A pre-token that is one token by its own merges (most words are) costs one table look-up.
// The hash tables are keyed by a random number, so that no vocabulary can be made to collide.
// Thread: immutable after building.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/text/byte_strings.h"

namespace agens::text {

struct Merge {
    TokenId left;
    TokenId right;
    TokenId merged;
};

class Bpe {
 public:
    struct Parts {
        std::vector<std::string> tokenBytes;  // by id; empty: never the result of encoding
        std::vector<Merge> merges;            // by falling priority
        bool ignoreMerges = false;            // a pre-token that is a token needs no merges
    };
    explicit Bpe(const Parts& parts);

    // Appends the ids of one pre-token.
    void encode(std::string_view preToken, std::vector<TokenId>& ids) const;

 private:
    struct Symbol;
    struct Candidate;
    struct MergeSlot {
        std::uint64_t pair = kEmptyPair;
        std::uint32_t rank = 0;
        std::int32_t merged = -1;
    };
    static constexpr std::uint64_t kEmptyPair = UINT64_MAX;

    void addMerge(const Merge& merge, std::uint32_t rank);
    const MergeSlot* mergeOf(std::int32_t left, std::int32_t right) const;
    void encodeByMerging(std::string_view preToken, std::vector<TokenId>& ids) const;
    void mergeShort(std::span<std::int32_t> symbols, std::vector<TokenId>& ids) const;
    void mergeLong(std::vector<Symbol>& symbols, std::vector<TokenId>& ids) const;

    ByteStrings m_whole;                        // pre-tokens that are one token
    std::array<std::int32_t, 256> m_byteToken;  // -1: the byte has no token
    std::vector<MergeSlot> m_merges;  // open addressing, a power of two, at most half full
    std::uint64_t m_seed;
};

}  // namespace agens::text
