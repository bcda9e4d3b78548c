// SPDX-License-Identifier: Apache-2.0
// StoreDatabase: the one connection with its transactions, and what happens when the disk fails.
//
//   write(work)   BEGIN IMMEDIATE · work · commit number + 1 · COMMIT; all of it or nothing
//   read(work)    work in one read transaction, so that a page is one state of the store
//
// Disk full: the reserve is given up and the transaction runs once more, then store.full. I/O
// error: the failed transaction is not tried again (after a failed fsync the kernel may have
// dropped the pages); the connection is closed without a checkpoint, opened and checked anew, and
// the commit number in the file is compared with the last acknowledged one. Damage: writes stop,
// reads go on. Errors: store.full, store.io, store.damaged, or the Error that `work` returned.
// Thread: opening thread, then the store worker; condition() from any.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "app/chat/connection.h"
#include "app/chat/store.h"

namespace SQLite {
class Database;
class Exception;
}  // namespace SQLite

namespace agens::chat {

constexpr ByteCount kReserve = mebibytes(32);

class StoreDatabase {
 public:
    // `reserve` empty = none (in memory).
    StoreDatabase(DatabaseFile file, std::filesystem::path reserve, const StoreSeams& seams);
    ~StoreDatabase();
    StoreDatabase(const StoreDatabase&) = delete;
    StoreDatabase& operator=(const StoreDatabase&) = delete;

    // Connects and checks; nothing else works before.
    Result<void> open();

    template <class T>
    Result<T> write(const std::function<Result<T>(SQLite::Database&)>& work) {
        return carried<T>(work, [this](const Work& plain) { return runWrite(plain); });
    }
    template <class T>
    Result<T> read(const std::function<Result<T>(SQLite::Database&)>& work) {
        return carried<T>(work, [this](const Work& plain) { return runRead(plain); });
    }

    StoreCondition condition() const { return m_condition.load(); }

 private:
    using Work = std::function<Result<void>(SQLite::Database&)>;
    struct Failure {
        Error error;
        bool isFull = false;
        bool isIo = false;
    };

    template <class T, class Run>
    static Result<T> carried(const std::function<Result<T>(SQLite::Database&)>& work,
                             const Run& run) {
        if constexpr (std::is_void_v<T>) {
            return run(work);
        } else {
            std::optional<T> value;
            TRY_VOID(run([&](SQLite::Database& db) -> Result<void> {
                TRY(value, work(db));
                return {};
            }));
            return std::move(*value);
        }
    }

    Result<void> runWrite(const Work& work);
    Result<void> runRead(const Work& work);
    std::optional<Failure> attempt(const Work& work);
    void transact(const Work& work);
    Failure explain(const SQLite::Exception& failure);
    Result<void> mayWrite();
    void reopen();
    Result<void> connectAgain();
    std::int64_t commitsInFile();
    void keepReserve();
    bool giveUpReserve();
    Error fullError();

    DatabaseFile m_file;
    std::filesystem::path m_reserve;
    const StoreSeams m_seams;
    std::unique_ptr<SQLite::Database> m_db;
    std::int64_t m_commits = 0;  // acknowledged so far
    bool m_hasReserve = false;
    std::chrono::nanoseconds m_reserveLookedAt{0};
    std::chrono::nanoseconds m_reopenedAt{0};
    std::atomic<StoreCondition> m_condition{StoreCondition::Normal};
};

}  // namespace agens::chat
