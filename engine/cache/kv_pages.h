// SPDX-License-Identifier: Apache-2.0
// KvPages: which pages of the device's KV pool are free. Knows numbers only, never their content.
//
// Invariant: every page is either free or owned by exactly one SequenceCache.
// Errors: allocate() gives nothing when no page is free; freeing a free page is our bug (CHECK).
// Allocates memory only when made.
// Thread: engine thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/device/step_io.h"

namespace agens::cache {

class KvPages {
 public:
    explicit KvPages(std::uint32_t count);
    KvPages(const KvPages&) = delete;
    KvPages& operator=(const KvPages&) = delete;

    std::optional<device::PageId> allocate();
    void free(device::PageId page);
    std::uint32_t total() const { return static_cast<std::uint32_t>(m_isFree.size()); }
    std::uint32_t freeCount() const { return static_cast<std::uint32_t>(m_free.size()); }

 private:
    std::vector<device::PageId> m_free;  // last in, first out: a page just freed is warm
    std::vector<bool> m_isFree;
};

}  // namespace agens::cache
