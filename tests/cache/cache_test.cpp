// SPDX-License-Identifier: Apache-2.0
// Pages, sequence caches and the store of idle ones. The "device" here is a table page → tokens, so
// that a copied or stale row shows.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <vector>

#include "engine/base/check.h"
#include "engine/cache/kv_pages.h"
#include "engine/cache/prefix_store.h"
#include "engine/cache/sequence_cache.h"

namespace agens::cache {
namespace {

constexpr std::uint32_t kContext = 2048;

std::vector<TokenId> tokens(std::uint32_t count, std::int32_t first = 0) {
    std::vector<TokenId> ids;
    for (std::uint32_t i = 0; i < count; ++i)
        ids.emplace_back(first + static_cast<std::int32_t>(i));
    return ids;
}

void fill(PrefixStore& store, SequenceCache& cache, std::span<const TokenId> ids) {
    ASSERT_TRUE(store.extend(cache, ids));
    cache.commit(static_cast<std::uint32_t>(ids.size()));
}

const CopyPage kNoCopy = [](device::PageId, device::PageId) { FAIL() << "a page was copied"; };

TEST(KvPages, HandsOutEveryPageOnce) {
    KvPages pages(3);
    std::vector<bool> seen(3);
    for (int i = 0; i < 3; ++i) {
        const auto page = pages.allocate();
        ASSERT_TRUE(page);
        EXPECT_FALSE(seen[page->value]);
        seen[page->value] = true;
    }
    EXPECT_FALSE(pages.allocate());
    pages.free(device::PageId(1));
    EXPECT_EQ(pages.freeCount(), 1u);
    EXPECT_EQ(pages.allocate(), device::PageId(1));
}

TEST(KvPages, FreeingTwiceIsCaught) {
    KvPages pages(2);
    const auto page = pages.allocate();
    pages.free(*page);
    EXPECT_THROW(pages.free(*page), CheckFailure);
    EXPECT_THROW(pages.free(device::PageId(2)), CheckFailure);
}

TEST(SequenceCache, CommitKeepsTheFirstRowsOnly) {
    KvPages pages(8);
    SequenceCache cache(pages, kContext);
    const auto ids = tokens(5);
    ASSERT_TRUE(cache.extend(ids));
    EXPECT_EQ(cache.length(), 0u);
    cache.commit(3);
    EXPECT_EQ(std::vector<TokenId>(cache.tokens().begin(), cache.tokens().end()), tokens(3));
    ASSERT_TRUE(cache.extend(ids));
    cache.rollback();
    EXPECT_EQ(cache.length(), 3u);
}

TEST(SequenceCache, MisuseInsideAStepIsCaught) {
    KvPages pages(8);
    SequenceCache cache(pages, 4);
    ASSERT_TRUE(cache.extend(tokens(2)));
    EXPECT_THROW((void)cache.extend(tokens(1)), CheckFailure);
    EXPECT_THROW(cache.truncate(0), CheckFailure);
    EXPECT_THROW(cache.commit(3), CheckFailure);
    cache.commit(2);
    EXPECT_THROW((void)cache.extend(tokens(3)), CheckFailure) << "beyond the context";
}

TEST(SequenceCache, NoFreePageChangesNothing) {
    KvPages pages(2);
    SequenceCache cache(pages, kContext);
    EXPECT_FALSE(cache.extend(tokens(513)));
    EXPECT_EQ(pages.freeCount(), 2u);
    EXPECT_TRUE(cache.extend(tokens(512)));
    EXPECT_EQ(pages.freeCount(), 0u);
}

// Random verbs against a plain vector; pages in use always equal those the rows need at most.
TEST(SequenceCache, BehavesLikeAVectorWithAnUncommittedTail) {
    std::mt19937 random(3);
    KvPages pages(16);
    {
        SequenceCache cache(pages, kContext);
        std::vector<TokenId> model;
        for (int step = 0; step < 3000; ++step) {
            const auto rows = static_cast<std::uint32_t>(random() % 300);
            if (model.size() + rows > kContext || random() % 4 == 0) {
                const auto length = static_cast<std::uint32_t>(random() % (model.size() + 1));
                cache.truncate(length);
                model.resize(length);
                ASSERT_EQ(cache.pageTable().size(), pagesFor(length));
                continue;
            }
            const auto ids = tokens(rows, step);
            ASSERT_TRUE(cache.extend(ids));
            const auto kept = static_cast<std::uint32_t>(random() % (rows + 1));
            cache.commit(kept);
            model.insert(model.end(), ids.begin(), ids.begin() + kept);
            ASSERT_TRUE(std::equal(model.begin(), model.end(), cache.tokens().begin(),
                                   cache.tokens().end()));
            ASSERT_GE(cache.pageTable().size(), pagesFor(cache.length()));
        }
    }
    EXPECT_EQ(pages.freeCount(), pages.total());
}

TEST(SequenceCache, MovingHandsThePagesOn) {
    KvPages pages(4);
    SequenceCache first(pages, kContext);
    ASSERT_TRUE(first.extend(tokens(300)));
    first.commit(300);
    SequenceCache second = std::move(first);
    EXPECT_EQ(second.length(), 300u);
    second = SequenceCache(pages, kContext);
    EXPECT_EQ(pages.freeCount(), 4u);
}

TEST(PrefixStore, ConversationContinuesItsOwnCache) {
    KvPages pages(16);
    PrefixStore store(pages, kContext);
    SequenceCache cache = store.take(7, tokens(400), kNoCopy);
    EXPECT_EQ(cache.length(), 0u);
    fill(store, cache, tokens(400));
    store.keep(7, std::move(cache));

    EXPECT_EQ(store.take(7, tokens(500), kNoCopy).length(), 400u);
}

TEST(PrefixStore, EditedHistoryIsCutAtTheFirstDifference) {
    KvPages pages(16);
    PrefixStore store(pages, kContext);
    SequenceCache cache(pages, kContext);
    fill(store, cache, tokens(400));
    store.keep(7, std::move(cache));
    std::vector<TokenId> edited = tokens(400);
    edited[123] = TokenId(9999);
    const SequenceCache again = store.take(7, edited, kNoCopy);
    EXPECT_EQ(again.length(), 123u);
    EXPECT_EQ(again.pageTable().size(), 1u);
    EXPECT_EQ(pages.freeCount(), 15u);
}

TEST(PrefixStore, OneTokenOfThePromptIsAlwaysComputed) {
    KvPages pages(16);
    PrefixStore store(pages, kContext);
    SequenceCache cache(pages, kContext);
    fill(store, cache, tokens(100));
    store.keep(7, std::move(cache));
    EXPECT_EQ(store.take(7, tokens(100), kNoCopy).length(), 99u);
    EXPECT_EQ(store.take(7, tokens(1), kNoCopy).length(), 0u);
}

TEST(PrefixStore, AnotherConversationStartsFromACopy) {
    KvPages pages(16);
    PrefixStore store(pages, kContext);
    SequenceCache cache(pages, kContext);
    fill(store, cache, tokens(600));
    const std::vector<device::PageId> sourcePages(cache.pageTable().begin(),
                                                  cache.pageTable().end());
    store.keep(7, std::move(cache));

    std::map<std::uint32_t, std::uint32_t> copied;
    std::vector<TokenId> prompt = tokens(500);
    prompt.back() = TokenId(77777);
    const SequenceCache copy = store.take(
        8, prompt, [&](device::PageId from, device::PageId to) { copied[from.value] = to.value; });
    EXPECT_EQ(copy.length(), 499u);
    ASSERT_EQ(copied.size(), 2u);
    EXPECT_EQ(copied[sourcePages[0].value], copy.pageTable()[0].value);
    EXPECT_EQ(copied[sourcePages[1].value], copy.pageTable()[1].value);
    EXPECT_EQ(store.take(7, tokens(601), kNoCopy).length(), 600u) << "the source is untouched";
}

TEST(PrefixStore, ShortCommonPrefixIsNotWorthACopy) {
    KvPages pages(16);
    PrefixStore store(pages, kContext);
    SequenceCache cache(pages, kContext);
    fill(store, cache, tokens(kCopyMinTokens - 1));
    store.keep(7, std::move(cache));
    EXPECT_EQ(store.take(8, tokens(300), kNoCopy).length(), 0u);
}

TEST(PrefixStore, CacheOfNoConversationIsTakenOver) {
    KvPages pages(16);
    PrefixStore store(pages, kContext);
    SequenceCache cache(pages, kContext);
    fill(store, cache, tokens(300));
    store.keep(0, std::move(cache));
    EXPECT_EQ(store.take(5, tokens(400), kNoCopy).length(), 300u);
    EXPECT_EQ(store.idleCaches(), 0u);
}

TEST(PrefixStore, CopyNeedsFreePagesAndElseStartsEmpty) {
    KvPages pages(3);
    PrefixStore store(pages, kContext);
    SequenceCache cache(pages, kContext);
    fill(store, cache, tokens(512));
    store.keep(7, std::move(cache));
    EXPECT_EQ(store.take(8, tokens(513), kNoCopy).length(), 0u);
    EXPECT_EQ(store.idleCaches(), 1u);
}

TEST(PrefixStore, LeastRecentlyUsedGivesUpItsPagesFirst) {
    KvPages pages(4);
    PrefixStore store(pages, kContext);
    for (const std::uint64_t conversation : {1u, 2u, 3u}) {
        SequenceCache cache(pages, kContext);
        fill(store, cache, tokens(200, static_cast<std::int32_t>(1000 * conversation)));
        store.keep(conversation, std::move(cache));
    }
    // Conversation 1 comes back and rests again: now 2 is the oldest.
    store.keep(1, store.take(1, tokens(201, 1000), kNoCopy));
    SequenceCache running(pages, kContext);
    fill(store, running, tokens(512, 9000));  // one page is free, one more is needed
    EXPECT_EQ(store.idleCaches(), 2u);
    EXPECT_EQ(store.take(2, tokens(201, 2000), kNoCopy).length(), 0u);
    EXPECT_EQ(store.take(1, tokens(201, 1000), kNoCopy).length(), 200u);
}

TEST(PrefixStore, RunningCachesNeverGiveUpPages) {
    KvPages pages(2);
    PrefixStore store(pages, kContext);
    SequenceCache first(pages, kContext);
    SequenceCache second(pages, kContext);
    fill(store, first, tokens(256));
    fill(store, second, tokens(256));
    EXPECT_FALSE(store.extend(first, tokens(1)));
    EXPECT_EQ(second.length(), 256u);
}

TEST(PrefixStore, ConversationKeepsItsNewestCacheOnly) {
    KvPages pages(4);
    PrefixStore store(pages, kContext);
    for (const std::uint32_t length : {100u, 50u}) {
        SequenceCache cache(pages, kContext);
        fill(store, cache, tokens(length));
        store.keep(7, std::move(cache));
    }
    EXPECT_EQ(store.idleCaches(), 1u);
    EXPECT_EQ(store.take(7, tokens(200), kNoCopy).length(), 50u);
    EXPECT_EQ(pages.freeCount(), 4u);
}

}  // namespace
}  // namespace agens::cache
