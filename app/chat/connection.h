// SPDX-License-Identifier: Apache-2.0
// Opening the one connection by the rules that make SQLite 3.40.1 safe: locking_mode=EXCLUSIVE
// first (so a second connection is refused and no -shm file exists), then the pragmas in their
// order, every value read back.
//
// Until acceptConnection() a close leaves file and WAL exactly as they were found: a store that is
// refused (newer, damaged, foreign) is never written, not even by a checkpoint.
// Thread: opening thread or store worker, one at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "app/chat/file_system.h"
#include "engine/base/result.h"

namespace SQLite {
class Database;
}

namespace agens::chat {

struct DatabaseFile {
    std::filesystem::path path;  // real path; empty = in memory
    std::string vfs;             // empty = the system's
    bool isMemory() const { return path.empty(); }
};

enum class FileOrigin { New, Existing };

// Reads the header before SQLite sees the file. Errors: store.newer, store.damaged, store.foreign.
Result<FileOrigin> inspectHeader(FileSystem& files, const std::filesystem::path& path);

// A WAL beside the file means that the last owner did not close it: a clean close removes it. This
// is the whole "unclean end" mark; nothing has to be written for it.
Result<bool> endedUnclean(FileSystem& files, const std::filesystem::path& path);

// The connection, with a store of exactly this schema behind it (made now if the file is new).
// `mustCheck`: quick_check before anything is written.
Result<std::unique_ptr<SQLite::Database>> connect(const DatabaseFile& file, bool mustCheck);

// SQLite's own check of every page and index. Errors: store.damaged.
Result<void> integrityOf(SQLite::Database& db);

// From here on closing checkpoints and removes the WAL.
void acceptConnection(SQLite::Database& db);

}  // namespace agens::chat
