// SPDX-License-Identifier: Apache-2.0
// SequenceCache: the KV pages of one sequence, changed by three verbs inside a step.
//
//   extend(tokens)    makes room for these rows at positions [length, length + rows)
//   commit(n)         keeps the first n of them
//   rollback()        keeps none
//
// and by truncate(length) between steps (edited history, stop strings).
//
// Invariant: tokens() are the ids whose keys and values stand in the pages, tokens().size() ==
// length(); uncommitted rows exist only inside a step; pageTable() has no page beyond the last
// row, but pages of rolled-back rows stay for the next step.
// Errors: extend() and copyPrefix() say false when no page is free; then nothing changed.
// Allocates memory only when made.
// Thread: engine thread only. `pages` outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/base/units.h"
#include "engine/cache/kv_pages.h"
#include "engine/device/step_io.h"

namespace agens::cache {

// Pages for this many positions.
constexpr std::uint32_t pagesFor(std::uint32_t positions) {
    return (positions + device::kPagePositions - 1) / device::kPagePositions;
}

using CopyPage = std::function<void(device::PageId from, device::PageId to)>;

class SequenceCache {
 public:
    SequenceCache(KvPages& pages, std::uint32_t contextTokens);
    SequenceCache(SequenceCache&& other) noexcept;
    SequenceCache& operator=(SequenceCache&& other) noexcept;
    ~SequenceCache();

    bool extend(std::span<const TokenId> tokens);
    void commit(std::uint32_t rows);
    void rollback() { commit(0); }
    void truncate(std::uint32_t length);
    // Fills an empty cache with copies of the pages that hold the first `length` rows of `source`.
    bool copyPrefix(const SequenceCache& source, std::uint32_t length, const CopyPage& copyPage);

    std::uint32_t length() const { return m_length; }
    std::span<const TokenId> tokens() const { return std::span(m_tokens).first(m_length); }
    std::span<const device::PageId> pageTable() const { return m_pageTable; }

 private:
    bool reservePages(std::uint32_t count);
    void freePagesBeyond(std::uint32_t count);

    KvPages* m_pages;  // never null but after a move
    std::uint32_t m_contextTokens;
    std::uint32_t m_length = 0;
    std::vector<TokenId> m_tokens;  // committed ones, then those of the running step
    std::vector<device::PageId> m_pageTable;
};

}  // namespace agens::cache
