// SPDX-License-Identifier: Apache-2.0
// PrefixStore: the caches of conversations that are not running, so that a second turn prefills
// only what is new.
//
//   take()    the cache a new request starts with: its conversation's own one cut to the longest
//             common prefix, else a copy of the best prefix of another (one that belongs to no
//             conversation is taken over instead), else an empty one
//   keep()    a finished sequence's cache goes to rest
//   extend()  SequenceCache::extend; idle caches give up their pages, least recently used first
//
// Invariant: at least one token of a prompt is never taken from a cache, since its logits are
// needed. Running sequences are not in here and therefore never lose a page.
// Errors: extend() says false when even without idle caches no page is free (the plan makes this
// impossible).
// Thread: engine thread only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/units.h"
#include "engine/cache/kv_pages.h"
#include "engine/cache/sequence_cache.h"

namespace agens::cache {

// A page copy costs about as much as computing a row; a shorter prefix is not worth one.
constexpr std::uint32_t kCopyMinTokens = 8;

class PrefixStore {
 public:
    PrefixStore(KvPages& pages, std::uint32_t contextTokens);

    // Conversation 0 = none. `prompt` is not empty.
    SequenceCache take(std::uint64_t conversation, std::span<const TokenId> prompt,
                       const CopyPage& copyPage);
    void keep(std::uint64_t conversation, SequenceCache cache);
    bool extend(SequenceCache& cache, std::span<const TokenId> tokens);
    std::size_t idleCaches() const { return m_idle.size(); }

 private:
    struct Idle {
        std::uint64_t conversation = 0;
        SequenceCache cache;
    };
    SequenceCache takeOver(std::size_t index, std::uint32_t length);

    KvPages& m_pages;
    std::uint32_t m_contextTokens;
    std::vector<Idle> m_idle;  // least recently used first
};

}  // namespace agens::cache
