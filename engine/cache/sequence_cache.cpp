// SPDX-License-Identifier: Apache-2.0
// Length and page table of one sequence.
#include "engine/cache/sequence_cache.h"

#include <utility>

#include "engine/base/check.h"

namespace agens::cache {

SequenceCache::SequenceCache(KvPages& pages, std::uint32_t contextTokens)
    : m_pages(&pages), m_contextTokens(contextTokens) {
    m_tokens.reserve(contextTokens);
    m_pageTable.reserve(pagesFor(contextTokens));
}

SequenceCache::SequenceCache(SequenceCache&& other) noexcept
    : m_pages(std::exchange(other.m_pages, nullptr)),
      m_contextTokens(other.m_contextTokens),
      m_length(std::exchange(other.m_length, 0)),
      m_tokens(std::exchange(other.m_tokens, {})),
      m_pageTable(std::exchange(other.m_pageTable, {})) {}

SequenceCache& SequenceCache::operator=(SequenceCache&& other) noexcept {
    std::swap(m_pages, other.m_pages);
    std::swap(m_contextTokens, other.m_contextTokens);
    std::swap(m_length, other.m_length);
    std::swap(m_tokens, other.m_tokens);
    std::swap(m_pageTable, other.m_pageTable);
    return *this;
}

SequenceCache::~SequenceCache() {
    freePagesBeyond(0);
}

bool SequenceCache::extend(std::span<const TokenId> tokens) {
    CHECK(m_tokens.size() == m_length) << "extend() twice in one step";
    const auto rows = static_cast<std::uint32_t>(tokens.size());
    CHECK(m_length + rows <= m_contextTokens)
        << m_length << " + " << rows << " rows in a context of " << m_contextTokens;
    if (!reservePages(pagesFor(m_length + rows))) return false;
    m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
    return true;
}

void SequenceCache::commit(std::uint32_t rows) {
    CHECK(m_length + rows <= m_tokens.size())
        << rows << " of " << m_tokens.size() - m_length << " rows";
    m_length += rows;
    m_tokens.resize(m_length);
}

void SequenceCache::truncate(std::uint32_t length) {
    CHECK(m_tokens.size() == m_length) << "truncate() inside a step";
    if (length >= m_length) return;
    m_length = length;
    m_tokens.resize(length);
    freePagesBeyond(pagesFor(length));
}

bool SequenceCache::copyPrefix(const SequenceCache& source, std::uint32_t length,
                               const CopyPage& copyPage) {
    CHECK(m_tokens.empty() && length <= source.m_length) << "copy of " << length << " rows";
    const std::uint32_t count = pagesFor(length);
    if (!reservePages(count)) return false;
    // The last page is copied whole; its rows beyond `length` are overwritten before they are read.
    for (std::uint32_t page = 0; page < count; ++page) {
        copyPage(source.m_pageTable[page], m_pageTable[page]);
    }
    m_tokens.assign(source.m_tokens.begin(), source.m_tokens.begin() + length);
    m_length = length;
    return true;
}

bool SequenceCache::reservePages(std::uint32_t count) {
    const auto before = static_cast<std::uint32_t>(m_pageTable.size());
    if (count > before && count - before > m_pages->freeCount()) return false;
    while (m_pageTable.size() < count)
        m_pageTable.push_back(*m_pages->allocate());
    return true;
}

void SequenceCache::freePagesBeyond(std::uint32_t count) {
    while (m_pageTable.size() > count) {
        m_pages->free(m_pageTable.back());
        m_pageTable.pop_back();
    }
}

}  // namespace agens::cache
