// SPDX-License-Identifier: Apache-2.0
// What tests of the service need: a real store in a fresh folder, a clock the test moves, a sink
// that remembers, and a way to let queued calls run until something is true.
#pragma once

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QThread>
#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "app/chat/file_system.h"
#include "app/chat/random_source.h"
#include "app/chat/store.h"
#include "app/service/reply_sink.h"
#include "tests/support/test_paths.h"

namespace agens::test {

class MovableClock final : public Clock {
 public:
    std::chrono::nanoseconds now() const override { return std::chrono::nanoseconds(m_now.load()); }
    std::int64_t wallMs() const override { return 1'700'000'000'000 + m_now.load() / 1'000'000; }
    void advance(std::chrono::nanoseconds by) { m_now += by.count(); }

 private:
    std::atomic<std::int64_t> m_now{1'000'000'000};
};

// Runs the event loop until `isTrue`, at most 20 s: a bound for a broken program, not a pace.
template <class Condition>
bool waitFor(Condition isTrue) {
    const QDeadlineTimer deadline(20'000);
    while (!isTrue()) {
        if (deadline.hasExpired()) return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QThread::yieldCurrentThread();
    }
    return true;
}

class RememberingSink final : public service::ReplySink {
 public:
    void show(service::ReplyBatch batch) override {
        const std::lock_guard lock(m_mutex);
        m_batches.push_back(std::move(batch));
    }
    std::vector<service::ReplyBatch> batches() const {
        const std::lock_guard lock(m_mutex);
        return m_batches;
    }
    std::string text() const {
        std::string all;
        for (const service::ReplyBatch& batch : batches())
            all += batch.text;
        return all;
    }
    int ends() const {
        int count = 0;
        for (const service::ReplyBatch& batch : batches())
            count += batch.phase == service::ReplyPhase::Ended ? 1 : 0;
        return count;
    }

 private:
    mutable std::mutex m_mutex;
    std::vector<service::ReplyBatch> m_batches;
};

class StoreFixture : public testing::Test {
 protected:
    StoreFixture() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = scratchFolder() / (std::string(test->test_suite_name()) + "." + test->name());
        m_paths = *chat::storePaths({.dataDir = m_folder.string()});
        openStore();
    }
    ~StoreFixture() override {
        m_store.reset();
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
    void openStore() {
        m_store.reset();
        auto store = chat::Store::open(m_paths, chat::OpenMode::Live, "service test",
                                       {m_clock, m_files, m_random});
        ASSERT_TRUE(store.ok()) << store.error().text();
        m_store = std::move(*store);
    }
    chat::Sent send(const std::string& text) {
        m_conversation = *m_store->create().get();
        auto sent = m_store->send(m_conversation, {.text = text}).get();
        EXPECT_TRUE(sent.ok());
        return sent.ok() ? *sent : chat::Sent();
    }
    chat::Message stored(chat::MessageId id) {
        auto page = m_store->branch(m_conversation, chat::PageAnchor::whole()).get();
        if (page) {
            for (chat::Message& message : page->messages) {
                if (message.id == id) return std::move(message);
            }
        }
        ADD_FAILURE() << "message " << id.value << " is not on the branch";
        return {};
    }

    std::filesystem::path m_folder;
    chat::StorePaths m_paths;
    MovableClock m_clock;
    chat::SystemFiles m_files;
    chat::SystemRandom m_random;
    std::unique_ptr<chat::Store> m_store;
    chat::ConversationId m_conversation;
};

}  // namespace agens::test
