// SPDX-License-Identifier: Apache-2.0
// Opening: files and modes, lock, connection rules, and every file that is refused untouched.
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "app/chat/schema.h"
#include "tests/chat/store_fixture.h"

namespace agens::chat::test {
namespace {

namespace fs = std::filesystem;

using StoreOpen = StoreTest;

unsigned modeOf(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
    return status.st_mode & 0777U;
}

// Writes `bytes` over the file from `offset`.
void patch(const fs::path& path, std::size_t offset, const std::string& bytes) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(offset));
    file << bytes;
}

TEST_F(StoreOpen, MakesPrivateFilesWhateverTheUmask) {
    const mode_t before = ::umask(0);
    open();
    newConversation();
    ::umask(before);
    EXPECT_EQ(modeOf(m_paths.data), 0700u);
    EXPECT_EQ(modeOf(m_paths.attachments()), 0700u);
    EXPECT_EQ(modeOf(m_paths.backups()), 0700u);
    for (const fs::path& file :
         {m_paths.database(), m_paths.wal(), m_paths.lock(), m_paths.reserve()}) {
        EXPECT_EQ(modeOf(file), 0600u) << file;
    }
    EXPECT_EQ(fs::file_size(m_paths.reserve()), 32u << 20);
    EXPECT_FALSE(fs::exists(m_folder / "history.db-shm"));
}

TEST_F(StoreOpen, TightensModesThatBecameOpen) {
    open();
    m_store.reset();
    ::chmod(m_paths.data.c_str(), 0755);
    ::chmod(m_paths.database().c_str(), 0644);
    open();
    EXPECT_EQ(modeOf(m_paths.data), 0700u);
    EXPECT_EQ(modeOf(m_paths.database()), 0600u);
}

TEST_F(StoreOpen, HeaderAndPragmasAreThoseOfTheDesign) {
    open();
    m_store.reset();
    const std::string header = agens::test::readText(m_paths.database()).substr(0, 100);
    EXPECT_EQ(header.substr(60, 4), std::string("\0\0\0\1", 4));
    EXPECT_EQ(header.substr(68, 4), "AGDK");
    EXPECT_EQ(sql(m_paths.database(), "PRAGMA page_size; PRAGMA auto_vacuum; PRAGMA journal_mode"),
              "4096\n2\nwal");
}

TEST_F(StoreOpen, TheVersionIsInTheHeaderBeforeTheFirstCleanEnd) {
    open();
    const std::string header = agens::test::readText(m_paths.database()).substr(0, 100);
    EXPECT_EQ(header.substr(60, 4), std::string("\0\0\0\1", 4));
}

TEST_F(StoreOpen, NobodyElseCanOpenTheFileMeanwhile) {
    open();
    for (const int flags : {SQLITE_OPEN_READWRITE, SQLITE_OPEN_READONLY}) {
        sqlite3* other = nullptr;
        sqlite3_open_v2(m_paths.database().c_str(), &other, flags, nullptr);
        EXPECT_EQ(sqlite3_exec(other, "SELECT count(*) FROM meta", nullptr, nullptr, nullptr),
                  SQLITE_BUSY);
        sqlite3_close(other);
    }
}

TEST_F(StoreOpen, SecondOwnerIsToldWhoHasIt) {
    open();
    const auto second = tryOpen();
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().id, "store.locked");
    EXPECT_EQ(second.error().what, "The history is in use by store test (process " +
                                       std::to_string(::getpid()) +
                                       "). Close it, or choose another folder with --data-dir.");
}

TEST_F(StoreOpen, TheLockEndsWithItsOwner) {
    open();
    m_store.reset();
    EXPECT_EQ(agens::test::readText(m_paths.lock()), "");
    EXPECT_TRUE(tryOpen().ok());
}

// Two SQLite users in one folder: our lock file was removed, the file's own lock still holds.
TEST_F(StoreOpen, AForeignHolderOfTheFileIsRefusedAtOnce) {
    open();
    m_store.reset();
    sqlite3* other = nullptr;
    sqlite3_open(m_paths.database().c_str(), &other);
    sqlite3_exec(other, "BEGIN IMMEDIATE; DELETE FROM setting", nullptr, nullptr, nullptr);
    const auto second = tryOpen();
    sqlite3_close(other);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().id, "store.locked");
}

TEST_F(StoreOpen, NewerStoreIsRefusedAndNotChanged) {
    open();
    newConversation();
    m_store.reset();
    sql(m_paths.database(), "PRAGMA user_version=7");
    const std::string before = bytesOf(m_paths);
    const auto opened = tryOpen();
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().id, "store.newer");
    EXPECT_EQ(opened.error().what,
              "This history belongs to a newer version: schema 7, this program knows 1. It was not "
              "opened and not changed. Update the program, or read a copy with agens history "
              "export.");
    EXPECT_EQ(bytesOf(m_paths), before);
}

// A newer program was killed: its number is in the WAL only. SQLite has to open the file to see it.
TEST_F(StoreOpen, NewerStoreWithItsVersionInTheWalIsNotChangedEither) {
    open();
    m_store.reset();
    sqlite3* other = nullptr;
    sqlite3_open(m_paths.database().c_str(), &other);
    sqlite3_db_config(other, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_exec(other, "PRAGMA user_version=2", nullptr, nullptr, nullptr);
    sqlite3_close(other);
    fs::remove(m_folder / "history.db-shm");
    const std::string before = bytesOf(m_paths);
    const auto opened = tryOpen();
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().id, "store.newer");
    EXPECT_EQ(bytesOf(m_paths), before);
}

TEST_F(StoreOpen, ForeignDatabaseIsRefusedAndNotChanged) {
    fs::create_directories(m_folder);
    sql(m_paths.database(), "CREATE TABLE theirs(x); INSERT INTO theirs VALUES(1)");
    const std::string before = bytesOf(m_paths);
    const auto opened = tryOpen();
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().id, "store.foreign");
    EXPECT_EQ(bytesOf(m_paths), before);
}

TEST_F(StoreOpen, GarbageIsRefusedAndNotChanged) {
    fs::create_directories(m_folder);
    for (const std::string& content :
         {std::string("x"), std::string(5000, 'x'), std::string("SQLite format 3\0", 16)}) {
        std::ofstream(m_paths.database(), std::ios::binary) << content;
        const auto opened = tryOpen();
        ASSERT_FALSE(opened.ok());
        EXPECT_EQ(opened.error().id, "store.damaged");
        EXPECT_EQ(agens::test::readText(m_paths.database()), content);
    }
}

TEST_F(StoreOpen, ALonelyWalIsNotThrownAway) {
    fs::create_directories(m_folder);
    std::ofstream(m_paths.wal()) << "may be all that is left";
    const auto opened = tryOpen();
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().id, "store.damaged");
    EXPECT_EQ(agens::test::readText(m_paths.wal()), "may be all that is left");
}

// A store that was not closed and has a damaged page: the check finds it before anything is
// written.
TEST_F(StoreOpen, DamageAfterAnUncleanEndIsFoundBeforeTheFirstWrite) {
    open();
    const auto id = newConversation();
    for (int i = 0; i < 50; ++i) {
        const Sent sent = send(id, "text " + std::to_string(i));
        finish(sent.reply, std::string(500, 'a'));
    }
    m_store.reset();
    // The root of `part`, which nothing reads while opening.
    const std::string root =
        sql(m_paths.database(), "SELECT rootpage FROM sqlite_schema WHERE name='part'");
    patch(m_paths.database(), (std::stoul(root) - 1) * 4096, std::string(64, '\xFF'));
    EXPECT_TRUE(tryOpen().ok());  // a clean end: no check, the damage is met when it is read
    std::ofstream(m_paths.wal()).flush();
    const std::string before = bytesOf(m_paths);
    const auto opened = tryOpen();
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().id, "store.damaged");
    EXPECT_EQ(bytesOf(m_paths), before);
}

TEST_F(StoreOpen, ACreationThatWasCutOffBeginsAgain) {
    fs::create_directories(m_folder);
    std::ofstream(m_paths.database()).flush();
    sql(m_paths.database(), "PRAGMA page_size=4096; PRAGMA auto_vacuum=2; PRAGMA journal_mode=WAL");
    open();
    EXPECT_TRUE(store().check().get().ok());
}

TEST_F(StoreOpen, AFolderThatCannotBeMadeIsNamed) {
    fs::create_directories(m_folder);
    std::ofstream(m_folder / "file").flush();
    m_paths = *storePaths({.dataDir = (m_folder / "file" / "below").string()});
    const auto opened = tryOpen();
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().id, "store.folder");
    EXPECT_EQ(opened.error().kind, ErrorKind::Io);
}

TEST_F(StoreOpen, ALinkInTheFilesPlaceIsNotFollowed) {
    open();
    m_store.reset();
    fs::rename(m_paths.database(), m_folder / "elsewhere");
    fs::create_symlink(m_folder / "elsewhere", m_paths.database());
    EXPECT_FALSE(tryOpen().ok());
}

TEST_F(StoreOpen, ALinkedDataFolderIsResolved) {
    fs::create_directories(m_folder / "real");
    fs::create_directory_symlink(m_folder / "real", m_folder / "link");
    m_paths = *storePaths({.dataDir = (m_folder / "link").string()});
    open();
    EXPECT_TRUE(fs::exists(m_folder / "real" / "history.db"));
}

TEST_F(StoreOpen, AMemoryStoreLeavesNothingBehind) {
    auto memory = Store::open(m_paths, OpenMode::Memory, "test", seams());
    ASSERT_TRUE(memory.ok()) << memory.error().text();
    m_store = std::move(*memory);
    const auto id = newConversation();
    send(id, "hello");
    EXPECT_EQ(branchText(id), "user: hello | assistant(generating): ");
    EXPECT_EQ(store().condition(), StoreCondition::MemoryOnly);
    EXPECT_FALSE(fs::exists(m_folder));
}

}  // namespace
}  // namespace agens::chat::test
