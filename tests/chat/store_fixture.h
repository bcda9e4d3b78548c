// SPDX-License-Identifier: Apache-2.0
// What every test of the store needs: a fresh folder, a clock and random bits that the test
// decides, a file system that can be made to fail, and short ways to send and finish.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/chat/file_system.h"
#include "app/chat/random_source.h"
#include "app/chat/store.h"
#include "tests/support/test_paths.h"

namespace agens::chat::test {

class FakeClock final : public Clock {
 public:
    std::chrono::nanoseconds now() const override { return monotonic; }
    std::int64_t wallMs() const override { return wall; }
    std::chrono::nanoseconds monotonic{0};
    std::int64_t wall = 1'700'000'000'000;
};

// 1, 2, 3 … so that a failing test prints the same uids again.
class CountingRandom final : public RandomSource {
 public:
    std::array<std::uint8_t, 16> bits128() override {
        std::array<std::uint8_t, 16> bits{};
        ++m_count;
        for (std::size_t i = 0; i < 8; ++i) {
            bits[15 - i] = static_cast<std::uint8_t>(m_count >> (8 * i));
        }
        return bits;
    }

 private:
    std::uint64_t m_count = 0;
};

// The real disk, with what a test wants to hear about it.
class TestFiles final : public SystemFiles {
 public:
    Result<ByteCount> freeBytes(const std::filesystem::path& folder) override {
        if (room) return *room;
        return SystemFiles::freeBytes(folder);
    }
    Result<void> allocate(const std::filesystem::path& path, ByteCount bytes) override {
        if (bytes.value > 0) ++allocations;
        return SystemFiles::allocate(path, bytes);
    }
    std::optional<ByteCount> room;
    int allocations = 0;
};

class StoreTest : public testing::Test {
 protected:
    StoreTest() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = agens::test::scratchFolder() /
                   (std::string(test->test_suite_name()) + "." + test->name());
        m_paths = *storePaths({.dataDir = m_folder.string()});
    }
    ~StoreTest() override {
        m_store.reset();
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }

    StoreSeams seams(const std::string& vfs = {}) { return {m_clock, m_files, m_random, vfs}; }
    Result<std::unique_ptr<Store>> tryOpen(const std::string& vfs = {}) {
        return Store::open(m_paths, OpenMode::Live, "store test", seams(vfs));
    }
    // Opens, or fails the test.
    void open(const std::string& vfs = {}) {
        auto store = tryOpen(vfs);
        ASSERT_TRUE(store.ok()) << store.error().text();
        m_store = std::move(*store);
    }
    void reopen() {
        m_store.reset();
        open();
    }
    Store& store() {
        if (!m_store) throw std::runtime_error("the store is not open");
        return *m_store;
    }

    ConversationId newConversation() { return *store().create().get(); }
    Sent send(ConversationId id, const std::string& text,
              std::optional<MessageId> editOf = std::nullopt) {
        Result<Sent> sent = store().send(id, {.text = text, .editOf = editOf}).get();
        EXPECT_TRUE(sent.ok()) << sent.error().text();
        return sent.ok() ? *sent : Sent();
    }
    void finish(MessageId reply, const std::string& text,
                MessageState state = MessageState::Complete) {
        FinishedReply finished;
        finished.state = state;
        if (!text.empty()) finished.parts.push_back({PartKind::Text, text, {}, {}});
        const Result<void> done = store().finish(reply, finished).get();
        EXPECT_TRUE(done.ok()) << done.error().text();
    }
    std::vector<Message> branch(ConversationId id) {
        Result<Page> page = store().branch(id, PageAnchor::whole()).get();
        EXPECT_TRUE(page.ok()) << page.error().text();
        return page.ok() ? page->messages : std::vector<Message>();
    }
    // "user: text | assistant(state): text" of the active branch.
    std::string branchText(ConversationId id) {
        std::string text;
        for (const Message& message : branch(id)) {
            if (!text.empty()) text += " | ";
            text += toString(message.role);
            if (message.role == Role::Assistant)
                text += std::string("(") + toString(message.state) + ")";
            text += ": " + message.text();
        }
        return text;
    }

    std::filesystem::path m_folder;
    StorePaths m_paths;
    FakeClock m_clock;
    CountingRandom m_random;
    TestFiles m_files;
    std::unique_ptr<Store> m_store;
};

// A print of the store's files, to show that nothing was written.
std::string bytesOf(const StorePaths& paths);

// One statement on a closed store, as another program would run it.
std::string sql(const std::filesystem::path& database, const std::string& statement);

}  // namespace agens::chat::test
