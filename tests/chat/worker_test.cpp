// SPDX-License-Identifier: Apache-2.0
// The command queue and the futures: order by priority, nothing forgotten, one delivery.
#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "app/chat/future.h"
#include "app/chat/store_worker.h"

namespace agens::chat {
namespace {

TEST(StoreWorker, HigherPriorityGoesFirstAndEqualOnesInOrder) {
    std::vector<int> order;
    std::promise<void> isHeld;
    std::promise<void> mayGo;
    {
        StoreWorker worker;
        worker.post(Priority::Maintenance, [&] {
            isHeld.set_value();
            mayGo.get_future().wait();
        });
        isHeld.get_future().wait();
        const std::vector<Priority> posted{Priority::Maintenance, Priority::Read,
                                           Priority::Checkpoint,  Priority::UserWrite,
                                           Priority::Search,      Priority::UserWrite};
        for (std::size_t i = 0; i < posted.size(); ++i) {
            worker.post(posted[i], [&order, i] { order.push_back(static_cast<int>(i)); });
        }
        mayGo.set_value();
    }
    EXPECT_EQ(order, (std::vector<int>{3, 5, 2, 1, 4, 0}));
}

TEST(StoreWorker, AThrowingCommandDoesNotEndTheThread) {
    std::promise<void> isDone;
    StoreWorker worker;
    worker.post(Priority::Read, [] { throw std::runtime_error("a receiver's bug"); });
    worker.post(Priority::Read, [&] { isDone.set_value(); });
    isDone.get_future().wait();
}

TEST(StoreWorker, NothingIsTakenWhileItStops) {
    bool isTaken = true;
    {
        StoreWorker worker;
        StoreWorker* pointer = &worker;
        std::promise<void> isStopping;
        auto stopping = isStopping.get_future().share();
        worker.post(Priority::Read, [&, pointer, stopping] {
            // The destructor has begun once a post is refused.
            while (pointer->post(Priority::Maintenance, [] {}))
                std::this_thread::yield();
            isTaken = false;
        });
    }
    EXPECT_FALSE(isTaken);
}

TEST(Future, DeliversOnceWhetherAskedBeforeOrAfter) {
    for (const bool before : {true, false}) {
        const Promise<int> promise;
        Future<int> future = promise.future();
        std::vector<int> got;
        const auto take = [&](Result<int> result) { got.push_back(*result); };
        if (before) future.then(inlineExecutor(), take);
        EXPECT_EQ(future.isReady(), false);
        promise.set(7);
        promise.set(8);
        if (!before) future.then(inlineExecutor(), take);
        EXPECT_EQ(got, std::vector<int>{7});
    }
}

TEST(Future, TheExecutorDecidesWhereTheCallRuns) {
    const Promise<void> promise;
    std::vector<std::function<void()>> loop;
    bool isCalled = false;
    promise.future().then([&](std::function<void()> call) { loop.push_back(std::move(call)); },
                          [&](const Result<void>& result) { isCalled = result.ok(); });
    promise.set({});
    EXPECT_FALSE(isCalled);
    ASSERT_EQ(loop.size(), 1u);
    loop.front()();
    EXPECT_TRUE(isCalled);
}

TEST(Future, GetWaitsForAnotherThread) {
    const Promise<int> promise;
    std::thread other([&] { promise.set(3); });
    EXPECT_EQ(*promise.future().get(), 3);
    other.join();
}

}  // namespace
}  // namespace agens::chat
