// SPDX-License-Identifier: Apache-2.0
// A disk that fails: the n-th write, truncate or sync of one evening of chatting fails, for every
// n, once or for ever. Nothing acknowledged is lost, the file stays sound, and the store works
// again.
#include <filesystem>
#include <fstream>
#include <map>

#include "app/chat/store_database.h"
#include "engine/base/log.h"
#include "tests/chat/fault_vfs.h"
#include "tests/chat/store_fixture.h"

namespace agens::chat::test {
namespace {

// What the store said yes to.
struct Acknowledged {
    std::map<MessageId, std::string> users;
    std::map<MessageId, std::string> finished;
    std::map<MessageId, std::string> tails;
    std::string title;
    std::string theme;
};

class StoreFault : public StoreTest {
 protected:
    StoreFault() : m_vfs("fault") {
        // Hundreds of failures on purpose.
        EXPECT_TRUE(log::setUpLog(log::Level::Off, {}).ok());
    }
    // The store may outlive neither the VFS nor the other way round.
    ~StoreFault() override { m_store.reset(); }

    static bool isDiskError(const Error& error) {
        return error.id == "store.full" || error.id == "store.io";
    }
    // True = acknowledged. Any refusal has to be about the disk.
    template <class T>
    bool said(const Result<T>& result) {
        if (!result.ok()) {
            EXPECT_TRUE(isDiskError(result.error())) << result.error().id << result.error().what;
        }
        return result.ok();
    }

    // One message with its reply; false = given up because the disk does not take it.
    bool turn(ConversationId id, int number) {
        const std::string text = "message " + std::to_string(number);
        const Result<Sent> sent = store().send(id, {.text = text}).get();
        if (!said(sent)) return false;
        m_said.users[sent->user] = text;
        for (int piece = 0; piece < 2; ++piece) {
            const std::string more = "piece " + std::to_string(piece) + " ";
            if (said(store().checkpoint(sent->reply, {{PartKind::Text, more}}).get())) {
                m_said.tails[sent->reply] += more;
            }
        }
        FinishedReply end;
        end.parts.push_back({PartKind::Text, "piece 0 piece 1 end", {}, {}});
        for (int attempt = 0; attempt < 2; ++attempt) {
            const Result<void> done = store().finish(sent->reply, end).get();
            // The commit of a failed sync may have survived: the second try finds it there.
            if (!done.ok() && done.error().id == "store.state") return attempt == 1;
            if (said(done)) {
                m_said.finished[sent->reply] = end.parts[0].text;
                m_said.tails.erase(sent->reply);
                return true;
            }
        }
        return false;
    }

    void evening(ConversationId id) {
        turn(id, 0);
        if (said(store().rename(id, "Evening").get())) m_said.title = "Evening";
        if (said(store().setSetting("ui.theme", "dark").get())) m_said.theme = "dark";
    }

    void expectNothingLost(ConversationId id, const std::string& when) {
        std::map<MessageId, Message> messages;
        for (Message& message : branch(id))
            messages.emplace(message.id, std::move(message));
        for (const auto& [user, text] : m_said.users) {
            ASSERT_TRUE(messages.contains(user)) << when;
            EXPECT_EQ(messages[user].text(), text) << when;
        }
        for (const auto& [reply, text] : m_said.finished) {
            EXPECT_EQ(messages[reply].state, MessageState::Complete) << when;
            EXPECT_EQ(messages[reply].text(), text) << when;
        }
        for (const auto& [reply, text] : m_said.tails) {
            EXPECT_TRUE(messages[reply].text().starts_with(text)) << when;
        }
        if (!m_said.title.empty()) {
            EXPECT_EQ(store().conversation(id).get()->head.title, m_said.title) << when;
        }
        if (!m_said.theme.empty()) {
            EXPECT_EQ(store().settings().get()->text("ui.theme"), m_said.theme) << when;
        }
        const Result<void> sound = store().check().get();
        EXPECT_TRUE(sound.ok()) << when << ": " << sound.error().text();
    }

    // A fresh folder with a store of one chat, open on the failing disk.
    ConversationId begin() {
        m_store.reset();
        m_vfs.heal();
        std::filesystem::remove_all(m_folder);
        m_said = {};
        open(m_vfs.name());
        const ConversationId id = newConversation();
        // With a draft it is no unused conversation, which the next start would drop.
        EXPECT_TRUE(store().saveDraft(id, {.text = "message 0"}).get().ok());
        return id;
    }

    // Runs the evening with every n until one run meets no fault any more. Gives the number of
    // runs.
    int everyCall(Fault fault, bool forever) {
        for (int call = 1;; ++call) {
            const std::string when = "call " + std::to_string(call);
            const ConversationId id = begin();
            m_vfs.failAt(call, fault, forever);
            evening(id);
            const bool isDone = m_vfs.failures() == 0;
            m_vfs.heal();
            if (!forever && store().condition() != StoreCondition::WritingStopped) {
                EXPECT_TRUE(store().saveDraft(id, {.text = "works again"}).get().ok()) << when;
            }
            if (forever) m_vfs.failAt(1, fault, true);  // the close fails as well
            m_store.reset();
            m_vfs.heal();
            open(m_vfs.name());
            expectNothingLost(id, when);
            if (testing::Test::HasFailure() || isDone) return call;
        }
    }

    FaultVfs m_vfs;
    Acknowledged m_said;
};

TEST_F(StoreFault, EveryWriteFindsTheDiskFullOnce) {
    m_files.room = ByteCount(0);  // no reserve: the error reaches the caller
    EXPECT_GT(everyCall(Fault::Full, false), 30);
}

TEST_F(StoreFault, EveryWriteFindsTheDiskFullForEver) {
    m_files.room = ByteCount(0);
    EXPECT_GT(everyCall(Fault::Full, true), 30);
}

TEST_F(StoreFault, EveryWriteFailsOnce) {
    m_files.room = ByteCount(0);
    EXPECT_GT(everyCall(Fault::Write, false), 30);
}

TEST_F(StoreFault, EveryWriteFailsForEver) {
    m_files.room = ByteCount(0);
    EXPECT_GT(everyCall(Fault::Write, true), 30);
}

TEST_F(StoreFault, EverySyncFailsOnce) {
    m_files.room = ByteCount(0);
    EXPECT_GT(everyCall(Fault::Sync, false), 6);
}

TEST_F(StoreFault, EverySyncFailsForEver) {
    m_files.room = ByteCount(0);
    EXPECT_GT(everyCall(Fault::Sync, true), 6);
}

TEST_F(StoreFault, AFullDiskTakesTheReserveAndTheMessageIsKept) {
    const ConversationId id = begin();
    ASSERT_EQ(store().condition(), StoreCondition::Normal);
    m_vfs.failAt(1, Fault::Full, false);
    EXPECT_TRUE(store().send(id, {.text = "kept"}).get().ok());
    EXPECT_EQ(m_vfs.failures(), 1);
    EXPECT_EQ(store().condition(), StoreCondition::ReserveInUse);
    EXPECT_FALSE(std::filesystem::exists(m_paths.reserve()));
    // Space comes back: the reserve too.
    m_clock.monotonic += std::chrono::seconds(10);
    EXPECT_TRUE(store().saveDraft(id, {.text = "x"}).get().ok());
    EXPECT_EQ(store().condition(), StoreCondition::Normal);
    EXPECT_EQ(std::filesystem::file_size(m_paths.reserve()), kReserve.value);
}

// SQLite calls a used-up quota an I/O error; to a person it is a full disk, and the reserve helps.
TEST_F(StoreFault, AUsedUpQuotaIsAFullDisk) {
    const ConversationId id = begin();
    m_vfs.failAt(1, Fault::Quota, false);
    EXPECT_TRUE(store().send(id, {.text = "kept"}).get().ok());
    EXPECT_EQ(store().condition(), StoreCondition::ReserveInUse);
}

TEST_F(StoreFault, AReserveUsedUpIsSaidInNumbers) {
    const ConversationId id = begin();
    m_vfs.failAt(1, Fault::Full, true);
    m_files.room = ByteCount(512);
    const auto sent = store().send(id, {.text = "lost"}).get();
    ASSERT_FALSE(sent.ok());
    EXPECT_EQ(sent.error().id, "store.full");
    EXPECT_EQ(sent.error().what,
              "The disk is full: 512 bytes free on the data folder. This was not saved; free some "
              "space and try again.");
    // Reading goes on, and writing as soon as there is room.
    EXPECT_TRUE(store().branch(id).get().ok());
    m_vfs.heal();
    EXPECT_TRUE(store().send(id, {.text = "kept"}).get().ok());
}

TEST_F(StoreFault, AfterAFailedSyncTheFileIsOpenedAgainAndTheNextWriteWorks) {
    const ConversationId id = begin();
    const Sent first = send(id, "acknowledged");
    m_vfs.failAt(1, Fault::Sync, false);
    const auto failed = store().checkpoint(first.reply, {{PartKind::Text, "abc"}}).get();
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().id, "store.io");
    EXPECT_EQ(failed.error().what, "Writing the history failed: Input/output error.");
    EXPECT_EQ(store().condition(), StoreCondition::Normal);
    // Nothing that comes later stands behind frames of which nobody knows whether they are on disk.
    EXPECT_EQ(std::filesystem::file_size(m_paths.wal()), 0u);
    // Still running: opening again is no crash of the program.
    EXPECT_EQ(branch(id).back().state, MessageState::Generating);
    finish(first.reply, "whole");
    EXPECT_EQ(branchText(id), "user: acknowledged | assistant(complete): whole");
}

TEST_F(StoreFault, ADiskThatStaysBrokenStopsWritingUntilItWorksAgain) {
    const ConversationId id = begin();
    const Sent first = send(id, "acknowledged");
    m_vfs.failAt(1, Fault::Sync, true);
    EXPECT_EQ(store().rename(id, "x").get().error().id, "store.io");
    EXPECT_EQ(store().condition(), StoreCondition::WritingStopped);
    EXPECT_EQ(branch(id).front().text(), "acknowledged");
    m_vfs.heal();
    EXPECT_EQ(store().rename(id, "x").get().error().id, "store.io");  // not looked at yet
    m_clock.monotonic += std::chrono::seconds(10);
    finish(first.reply, "whole");
    EXPECT_EQ(store().condition(), StoreCondition::Normal);
    EXPECT_EQ(branchText(id), "user: acknowledged | assistant(complete): whole");
}

// The kernel threw pages away that it had taken: what was acknowledged is not in the file any more.
TEST_F(StoreFault, LostCommitsAreNoticedAndNotWrittenOver) {
    const ConversationId id = begin();
    send(id, "acknowledged");
    std::filesystem::resize_file(m_paths.wal(), 0);
    m_vfs.failAt(1, Fault::Sync, false);
    EXPECT_EQ(store().rename(id, "x").get().error().id, "store.io");
    EXPECT_EQ(store().condition(), StoreCondition::WritingStopped);
    EXPECT_EQ(store().create().get().error().id, "store.io");
}

TEST_F(StoreFault, DamageMetWhileRunningStopsWritesAndNotReads) {
    const ConversationId id = begin();
    finish(send(id, "hello").reply, "r");
    m_store.reset();
    // The index of message.uid points nowhere: only the next insert meets it.
    const std::string root =
        sql(m_paths.database(), "SELECT rootpage FROM sqlite_schema WHERE name='search_word_data'");
    {
        std::fstream file(m_paths.database(), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp((std::stoll(root) - 1) * 4096);
        file << std::string(4096, '\xFF');
    }
    open();
    const auto sent = store().send(id, {.text = "more"}).get();
    ASSERT_FALSE(sent.ok());
    EXPECT_EQ(sent.error().id, "store.damaged");
    EXPECT_EQ(store().condition(), StoreCondition::ReadOnlyDamaged);
    EXPECT_EQ(branchText(id), "user: hello | assistant(complete): r");
    const std::string before = bytesOf(m_paths);
    EXPECT_EQ(store().rename(id, "x").get().error().id, "store.damaged");
    m_store.reset();
    EXPECT_EQ(bytesOf(m_paths), before);
}

}  // namespace
}  // namespace agens::chat::test
