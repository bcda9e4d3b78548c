// SPDX-License-Identifier: Apache-2.0
// Which idle cache serves a prompt, and which one goes when pages are needed.
#include "engine/cache/prefix_store.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace agens::cache {
namespace {

std::uint32_t commonPrefix(std::span<const TokenId> a, std::span<const TokenId> b) {
    const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return static_cast<std::uint32_t>(ends.first - a.begin());
}

}  // namespace

PrefixStore::PrefixStore(KvPages& pages, std::uint32_t contextTokens)
    : m_pages(pages), m_contextTokens(contextTokens) {
    m_idle.reserve(pages.total());
}

SequenceCache PrefixStore::take(std::uint64_t conversation, std::span<const TokenId> prompt,
                                const CopyPage& copyPage) {
    CHECK(!prompt.empty()) << "a prompt has at least one token";
    const std::span<const TokenId> reusable = prompt.first(prompt.size() - 1);
    std::size_t best = m_idle.size();
    std::uint32_t bestLength = 0;
    for (std::size_t index = 0; index < m_idle.size(); ++index) {
        const std::uint32_t length = commonPrefix(m_idle[index].cache.tokens(), reusable);
        if (conversation != 0 && m_idle[index].conversation == conversation) {
            return takeOver(index, length);
        }
        if (length > bestLength) {
            best = index;
            bestLength = length;
        }
    }
    if (best < m_idle.size() && m_idle[best].conversation == 0) return takeOver(best, bestLength);
    SequenceCache fresh(m_pages, m_contextTokens);
    if (bestLength >= kCopyMinTokens &&
        fresh.copyPrefix(m_idle[best].cache, bestLength, copyPage)) {
        // The source was of use, so it is not the next to go.
        std::rotate(m_idle.begin() + static_cast<std::ptrdiff_t>(best),
                    m_idle.begin() + static_cast<std::ptrdiff_t>(best) + 1, m_idle.end());
    }
    return fresh;
}

SequenceCache PrefixStore::takeOver(std::size_t index, std::uint32_t length) {
    SequenceCache cache = std::move(m_idle[index].cache);
    m_idle.erase(m_idle.begin() + static_cast<std::ptrdiff_t>(index));
    cache.truncate(length);
    return cache;
}

void PrefixStore::keep(std::uint64_t conversation, SequenceCache cache) {
    if (conversation != 0) {
        std::erase_if(m_idle, [&](const Idle& idle) { return idle.conversation == conversation; });
    }
    if (cache.length() > 0) m_idle.push_back({conversation, std::move(cache)});
}

bool PrefixStore::extend(SequenceCache& cache, std::span<const TokenId> tokens) {
    while (!cache.extend(tokens)) {
        if (m_idle.empty()) return false;
        m_idle.erase(m_idle.begin());
    }
    return true;
}

}  // namespace agens::cache
