// SPDX-License-Identifier: Apache-2.0
// The data folder before the store opens: made, resolved, private, locked.
// Modes are tightened, never loosened: folders 0700, files 0600. A folder of somebody else is
// refused. The lock comes before anything of the store is read.
// Errors: store.folder, store.permissions, store.locked, store.no_lock.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/chat/file_system.h"
#include "app/chat/store_paths.h"

namespace agens::chat {

struct StoreFolder {
    std::filesystem::path database;  // real path, as SQLITE_OPEN_NOFOLLOW wants it
    std::filesystem::path reserve;
    std::unique_ptr<FileLock> lock;  // held for life
};

Result<StoreFolder> prepareFolder(FileSystem& files, const StorePaths& paths,
                                  const std::string& owner, std::int64_t process);

}  // namespace agens::chat
