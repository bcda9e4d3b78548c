// SPDX-License-Identifier: Apache-2.0
// Transactions and the answers to a full, failing or damaged disk.
#include "app/chat/store_database.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <string>
#include <system_error>

#include "app/chat/query.h"
#include "app/chat/store_errors.h"
#include "engine/base/log.h"

namespace agens::chat {
namespace {

// Below this a reserve would take what the person is just trying to free.
constexpr ByteCount kRoomForReserve = mebibytes(256);
constexpr std::chrono::seconds kLookInterval{10};

// Leaves `work` with its Error through the transaction, which rolls back.
struct WorkFailed {
    Error error;
};

void rollBack(SQLite::Database& db) {
    // Some failures have already rolled back; a failed ROLLBACK leaves nothing more to undo.
    if (sqlite3_get_autocommit(db.getHandle()) == 0) {
        sqlite3_exec(db.getHandle(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
}

// errno of the last failed call on one file; 0 = none.
int errnoOf(sqlite3_file* file) {
    int code = 0;
    if (file == nullptr || file->pMethods == nullptr) return 0;
    file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &code);
    return code;
}

// sqlite3_system_errno() says nothing about a failed COMMIT, so both files are asked, the WAL
// first.
int diskErrno(SQLite::Database& db) {
    for (const int which : {SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER}) {
        sqlite3_file* file = nullptr;
        sqlite3_file_control(db.getHandle(), "main", which, static_cast<void*>(&file));
        if (const int code = errnoOf(file); code != 0) return code;
    }
    return 0;
}

}  // namespace

StoreDatabase::StoreDatabase(DatabaseFile file, std::filesystem::path reserve,
                             const StoreSeams& seams)
    : m_file(std::move(file)), m_reserve(std::move(reserve)), m_seams(seams) {
    if (m_file.isMemory()) m_condition = StoreCondition::MemoryOnly;
}

StoreDatabase::~StoreDatabase() = default;

Result<void> StoreDatabase::open() {
    bool isUnclean = false;
    if (!m_file.isMemory()) {
        TRY_VOID(inspectHeader(m_seams.files, m_file.path));
        TRY(isUnclean, endedUnclean(m_seams.files, m_file.path));
    }
    TRY(m_db, connect(m_file, isUnclean));
    m_commits = commitsInFile();
    acceptConnection(*m_db);
    m_reserveLookedAt = m_seams.clock.now() - kLookInterval;
    keepReserve();
    return {};
}

Result<void> StoreDatabase::runRead(const Work& work) {
    if (!m_db) return storeIo("the history could not be opened again", m_file.path);
    try {
        m_db->exec("BEGIN");
        Result<void> done = work(*m_db);
        rollBack(*m_db);
        return done;
    } catch (const SQLite::Exception& failure) {
        rollBack(*m_db);
        return explain(failure).error;
    }
}

Result<void> StoreDatabase::mayWrite() {
    // The disk may work again: one look every ten seconds.
    if (m_condition == StoreCondition::WritingStopped &&
        m_seams.clock.now() - m_reopenedAt >= kLookInterval) {
        reopen();
    }
    switch (m_condition.load()) {
        case StoreCondition::ReadOnlyDamaged:
            return storeDamaged("met while it was open", m_file.path);
        case StoreCondition::WritingStopped:
            return storeIo("the disk failed before and writing is stopped", m_file.path);
        default:
            return {};
    }
}

Result<void> StoreDatabase::runWrite(const Work& work) {
    TRY_VOID(mayWrite());
    keepReserve();
    std::optional<Failure> failure = attempt(work);
    if (failure && failure->isFull && giveUpReserve()) failure = attempt(work);
    if (!failure) return {};
    if (failure->isIo) reopen();
    return std::move(failure->error);
}

// One try of the whole transaction; nothing = committed, on disk.
std::optional<StoreDatabase::Failure> StoreDatabase::attempt(const Work& work) {
    try {
        transact(work);
        return std::nullopt;
    } catch (WorkFailed& failed) {
        rollBack(*m_db);
        return Failure{std::move(failed.error), false, false};
    } catch (const SQLite::Exception& failure) {
        // errno of the failed call has to be read before anything else is asked of SQLite.
        Failure explained = explain(failure);
        rollBack(*m_db);
        return explained;
    } catch (...) {
        rollBack(*m_db);
        throw;
    }
}

void StoreDatabase::transact(const Work& work) {
    m_db->exec("BEGIN IMMEDIATE");
    Result<void> done = work(*m_db);
    if (!done) throw WorkFailed{std::move(done).error()};
    Query(*m_db, "UPDATE meta SET value=? WHERE key='commits'", std::to_string(m_commits + 1))
        .run();
    m_db->exec("COMMIT");
    ++m_commits;
}

StoreDatabase::Failure StoreDatabase::explain(const SQLite::Exception& failure) {
    const int code = diskErrno(*m_db);
    switch (faultOf(failure, code)) {
        case SqlFault::Full:
            return {fullError(), true, false};
        case SqlFault::Io: {
            const std::string reason =
                code != 0 ? std::generic_category().message(code) : failure.what();
            return {storeIo(reason, m_file.path), false, true};
        }
        case SqlFault::Damage:
            m_condition = StoreCondition::ReadOnlyDamaged;
            // Even a close shall not write to a damaged file any more.
            sqlite3_db_config(m_db->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
            return {storeDamaged(failure.what(), m_file.path), false, false};
        default:
            return {Error{ErrorKind::Internal, "store.sqlite",
                          std::string("The history refused a command: ") + failure.what() + ".",
                          m_file.path.string()},
                    false, false};
    }
}

// After a failed write or fsync nobody knows what this connection holds; the file tells.
void StoreDatabase::reopen() {
    if (m_file.isMemory()) return;
    m_reopenedAt = m_seams.clock.now();
    if (m_db) sqlite3_db_config(m_db->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    m_db.reset();
    const Result<void> done = connectAgain();
    if (done) {
        m_condition = StoreCondition::Normal;
        m_reserveLookedAt = m_seams.clock.now() - kLookInterval;
        return;
    }
    log::error("store", "opening again after an I/O error: " + done.error().what);
    m_condition = done.error().id == "store.damaged" ? StoreCondition::ReadOnlyDamaged
                                                     : StoreCondition::WritingStopped;
}

Result<void> StoreDatabase::connectAgain() {
    TRY(m_db, connect(m_file, true));
    try {
        const std::int64_t commits = commitsInFile();
        if (commits < m_commits) {
            return storeIo("the file holds commit " + std::to_string(commits) +
                               ", acknowledged was " + std::to_string(m_commits),
                           m_file.path);
        }
        // The WAL's last frames may be in the page cache only, marked clean by the failed fsync: a
        // later commit behind them would be lost with them at a power cut. So they are written
        // anew, into the file, and the WAL begins again.
        Query checkpoint(*m_db, "PRAGMA wal_checkpoint(TRUNCATE)");
        if (!checkpoint.next() || checkpoint.flag(0)) {
            return storeIo("the write-ahead log could not be moved into the file", m_file.path);
        }
        // A commit that failed at its fsync may have survived: it counts from here on.
        m_commits = commits;
    } catch (const SQLite::Exception& failure) {
        return explain(failure).error;
    }
    acceptConnection(*m_db);
    return {};
}

std::int64_t StoreDatabase::commitsInFile() {
    Query query(*m_db, "SELECT CAST(value AS INTEGER) FROM meta WHERE key='commits'");
    return query.next() ? query.integer(0) : 0;
}

// Makes the reserve when it is missing and there is room; looks at most every ten seconds.
void StoreDatabase::keepReserve() {
    if (m_reserve.empty() || m_hasReserve) return;
    const std::chrono::nanoseconds now = m_seams.clock.now();
    if (now - m_reserveLookedAt < kLookInterval) return;
    m_reserveLookedAt = now;
    const Result<std::optional<FileFacts>> facts = m_seams.files.facts(m_reserve);
    m_hasReserve = facts && *facts && (*facts)->bytes == kReserve.value;
    if (!m_hasReserve) {
        const Result<ByteCount> room = m_seams.files.freeBytes(m_reserve.parent_path());
        m_hasReserve =
            room && *room >= kRoomForReserve && m_seams.files.allocate(m_reserve, kReserve).ok();
    }
    const StoreCondition before = m_condition;
    if (before == StoreCondition::Normal || before == StoreCondition::ReserveInUse) {
        m_condition = m_hasReserve ? StoreCondition::Normal : StoreCondition::ReserveInUse;
    }
}

// True if there was a reserve and its blocks are free now.
bool StoreDatabase::giveUpReserve() {
    if (!m_hasReserve) return false;
    m_hasReserve = false;
    m_reserveLookedAt = m_seams.clock.now();
    m_condition = StoreCondition::ReserveInUse;
    return m_seams.files.remove(m_reserve).ok();
}

Error StoreDatabase::fullError() {
    const std::filesystem::path folder = m_file.path.parent_path();
    const Result<ByteCount> room = m_seams.files.freeBytes(folder);
    return storeFull(room ? *room : ByteCount(0), folder);
}

}  // namespace agens::chat
