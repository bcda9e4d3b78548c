// SPDX-License-Identifier: Apache-2.0
// The free list.
#include "engine/cache/kv_pages.h"

#include "engine/base/check.h"

namespace agens::cache {

KvPages::KvPages(std::uint32_t count) : m_isFree(count, true) {
    m_free.reserve(count);
    for (std::uint32_t page = count; page-- > 0;)
        m_free.emplace_back(page);
}

std::optional<device::PageId> KvPages::allocate() {
    if (m_free.empty()) return std::nullopt;
    const device::PageId page = m_free.back();
    m_free.pop_back();
    m_isFree[page.value] = false;
    return page;
}

void KvPages::free(device::PageId page) {
    CHECK(page.value < m_isFree.size()) << "page " << page.value << " of " << m_isFree.size();
    CHECK(!m_isFree[page.value]) << "page " << page.value << " freed twice";
    m_isFree[page.value] = true;
    m_free.push_back(page);
}

}  // namespace agens::cache
