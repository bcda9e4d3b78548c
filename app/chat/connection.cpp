// SPDX-License-Identifier: Apache-2.0
// Header check, pragmas with their expected answers, creation of a new store.
#include "app/chat/connection.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Transaction.h>
#include <sqlite3.h>

#include <array>
#include <optional>
#include <string_view>

#include "app/chat/query.h"
#include "app/chat/schema.h"
#include "app/chat/store_errors.h"

namespace agens::chat {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeaderBytes = 100;
constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kUserVersionAt = 60;
constexpr std::size_t kApplicationIdAt = 68;

std::uint32_t bigEndian(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return value;
}

enum class Applies { Always, ToFiles, ToNewFiles };

struct Pragma {
    const char* set;
    const char* ask;
    const char* answer;
    Applies applies;
};

constexpr const char* kExclusive = "PRAGMA locking_mode=EXCLUSIVE";

// In this order, after kExclusive. What shapes a new file is only compared later: auto_vacuum would
// write to the header each time. synchronous=FULL: with NORMAL a power cut loses acknowledged
// messages.
constexpr std::array kPragmas = std::to_array<Pragma>({
    {kExclusive, "PRAGMA locking_mode", "exclusive", Applies::Always},
    {"PRAGMA page_size=4096", "PRAGMA page_size", "4096", Applies::ToNewFiles},
    {"PRAGMA auto_vacuum=INCREMENTAL", "PRAGMA auto_vacuum", "2", Applies::ToNewFiles},
    {"PRAGMA journal_mode=WAL", "PRAGMA journal_mode", "wal", Applies::ToFiles},
    {"PRAGMA synchronous=FULL", "PRAGMA synchronous", "2", Applies::Always},
    {"PRAGMA foreign_keys=ON", "PRAGMA foreign_keys", "1", Applies::Always},
    {"PRAGMA trusted_schema=OFF", "PRAGMA trusted_schema", "0", Applies::Always},
    {"PRAGMA cell_size_check=ON", "PRAGMA cell_size_check", "1", Applies::Always},
    {"PRAGMA mmap_size=0", "PRAGMA mmap_size", "0", Applies::ToFiles},
    {"PRAGMA temp_store=MEMORY", "PRAGMA temp_store", "2", Applies::Always},
    {"PRAGMA busy_timeout=0", "PRAGMA busy_timeout", "0", Applies::Always},
    {"PRAGMA journal_size_limit=67108864", "PRAGMA journal_size_limit", "67108864",
     Applies::ToFiles},
    {"PRAGMA cache_size=-16384", "PRAGMA cache_size", "-16384", Applies::Always},
});

struct Switch {
    int option;
    int value;
};
constexpr std::array<Switch, 5> kSwitches{{
    {SQLITE_DBCONFIG_DEFENSIVE, 1},
    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_DQS_DML, 0},
    {SQLITE_DBCONFIG_DQS_DDL, 0},
    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
}};

Error ruleBroken(const std::string& rule, const std::string& got, const fs::path& path) {
    return Error{ErrorKind::Internal, "store.open",
                 "The history could not be opened safely: " + rule + " answers " + got + ".",
                 path.string()};
}

std::string answerTo(SQLite::Database& db, const char* sql) {
    Query query(db, sql);
    return query.next() ? query.text(0) : std::string();
}

std::int64_t numberFor(SQLite::Database& db, const char* sql) {
    Query query(db, sql);
    return query.next() ? query.integer(0) : 0;
}

// `isNew`: nothing is in the file yet.
Result<void> applyPragmas(SQLite::Database& db, const DatabaseFile& file, bool isNew) {
    for (const Pragma& pragma : kPragmas) {
        if (pragma.applies != Applies::Always && file.isMemory()) continue;
        if (pragma.applies != Applies::ToNewFiles || isNew) Query(db, pragma.set).run();
        const std::string answer = answerTo(db, pragma.ask);
        if (answer != pragma.answer) return ruleBroken(pragma.ask, answer, file.path);
    }
    for (const Switch& setting : kSwitches) {
        int now = -1;
        sqlite3_db_config(db.getHandle(), setting.option, setting.value, &now);
        if (now != setting.value) {
            return ruleBroken("option " + std::to_string(setting.option), std::to_string(now),
                              file.path);
        }
    }
    return {};
}

// Tables and both numbers in one transaction, then into the file itself: its header has to tell the
// version to whoever looks at it before the WAL.
void createSchema(SQLite::Database& db, const DatabaseFile& file) {
    SQLite::Transaction transaction(db);
    db.exec(kSchemaSql);
    db.exec("INSERT INTO meta(key, value) VALUES('commits', '0')");
    db.exec("PRAGMA application_id=" + std::to_string(kApplicationId));
    db.exec("PRAGMA user_version=" + std::to_string(kSchemaVersion));
    transaction.commit();
    if (!file.isMemory()) Query(db, "PRAGMA wal_checkpoint(TRUNCATE)").run();
}

// Whose file it is and of which version, as the WAL has it. Nothing in it = true: new, or a
// creation that was cut off.
Result<bool> isEmptyStore(SQLite::Database& db, const DatabaseFile& file) {
    const std::int64_t version = numberFor(db, "PRAGMA user_version");
    if (version == 0 && numberFor(db, "SELECT count(*) FROM sqlite_schema") == 0) return true;
    if (numberFor(db, "PRAGMA application_id") != kApplicationId) return storeForeign(file.path);
    if (version > kSchemaVersion) {
        return storeNewer(static_cast<std::uint32_t>(version), file.path);
    }
    if (version < kSchemaVersion) return storeDamaged("no schema number", file.path);
    return false;
}

Result<void> quickCheck(SQLite::Database& db, const fs::path& path) {
    const std::string answer = answerTo(db, "PRAGMA quick_check(1)");
    if (answer != "ok") return storeDamaged("the check after an unclean end failed", path);
    return {};
}

// The order matters: nothing is written before version and check have passed.
Result<std::unique_ptr<SQLite::Database>> connectOrThrow(const DatabaseFile& file, bool mustCheck) {
    const std::string name = file.isMemory() ? ":memory:" : file.path.string();
    auto db = std::make_unique<SQLite::Database>(
        name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW, 0, file.vfs);
    sqlite3_extended_result_codes(db->getHandle(), 1);
    sqlite3_db_config(db->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    db->exec(kExclusive);
    TRY(const bool isNew, isEmptyStore(*db, file));
    TRY_VOID(applyPragmas(*db, file, isNew));
    if (mustCheck) TRY_VOID(quickCheck(*db, file.path));
    if (isNew) createSchema(*db, file);
    return db;
}

}  // namespace

Result<FileOrigin> inspectHeader(FileSystem& files, const fs::path& path) {
    TRY(const std::optional<FileFacts> facts, files.facts(path));
    if (!facts || facts->bytes == 0) {
        fs::path walPath = path;
        walPath += "-wal";
        TRY(const std::optional<FileFacts> wal, files.facts(walPath));
        // SQLite would delete such a WAL; it may be all that is left of a history.
        if (wal && wal->bytes > 0) return storeDamaged("only its write-ahead log is left", path);
        return FileOrigin::New;
    }
    if (!facts->isRegular) return storeDamaged("it is not an ordinary file", path);
    TRY(const std::string header, files.readHead(path, kHeaderBytes));
    if (header.size() < kHeaderBytes || !header.starts_with(kMagic)) {
        return storeDamaged("the start of the file is not that of a database", path);
    }
    const std::uint32_t application = bigEndian(header, kApplicationIdAt);
    if (application != kApplicationId && application != 0) return storeForeign(path);
    const std::uint32_t version = bigEndian(header, kUserVersionAt);
    if (application == kApplicationId && version > kSchemaVersion) return storeNewer(version, path);
    return FileOrigin::Existing;
}

Result<bool> endedUnclean(FileSystem& files, const fs::path& path) {
    fs::path wal = path;
    wal += "-wal";
    TRY(const std::optional<FileFacts> facts, files.facts(wal));
    return facts.has_value();
}

Result<std::unique_ptr<SQLite::Database>> connect(const DatabaseFile& file, bool mustCheck) {
    try {
        return connectOrThrow(file, mustCheck);
    } catch (const SQLite::Exception& failure) {
        switch (faultOf(failure, 0)) {
            case SqlFault::Damage:
                return storeDamaged(failure.what(), file.path);
            case SqlFault::Locked:
                return Error{
                    ErrorKind::Busy, "store.locked",
                    "Another program has the history file open. Close it, or choose another "
                    "folder with --data-dir.",
                    file.path.string()};
            case SqlFault::Full:
                return storeFull(ByteCount(0), file.path.parent_path());
            default:
                return storeIo(failure.what(), file.path);
        }
    }
}

Result<void> integrityOf(SQLite::Database& db) {
    const std::string answer = answerTo(db, "PRAGMA integrity_check(1)");
    if (answer != "ok") return storeDamaged("integrity check: " + answer, db.getFilename());
    return {};
}

void acceptConnection(SQLite::Database& db) {
    sqlite3_db_config(db.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
}

}  // namespace agens::chat
