// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/chat/store_folder.h"

#include "app/chat/store_errors.h"

namespace agens::chat {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kFolderMode = 0700;
constexpr std::uint32_t kFileMode = 0600;

Error notPrivate(const fs::path& path) {
    return Error{ErrorKind::Io, "store.permissions",
                 "The history cannot be kept here: this folder or file belongs to another user. "
                 "Choose another folder with --data-dir.",
                 path.string()};
}

// Takes away what others may do with it.
Result<void> tighten(FileSystem& files, const fs::path& path, std::uint32_t mode) {
    TRY(const std::optional<FileFacts> facts, files.facts(path));
    if (!facts) return {};
    if (!facts->isOwn) return notPrivate(path);
    if ((facts->mode & 0077U) == 0) return {};
    return files.setMode(path, mode);
}

Result<void> makePrivateFolder(FileSystem& files, const fs::path& folder) {
    TRY_VOID(files.makeFolder(folder));
    return tighten(files, folder, kFolderMode);
}

Result<std::unique_ptr<FileLock>> takeLock(FileSystem& files, const fs::path& path,
                                           const std::string& owner, std::int64_t process) {
    Result<std::unique_ptr<FileLock>> lock =
        files.lock(path, owner + "\n" + std::to_string(process) + "\n");
    if (!lock && lock.error().id == "store.locked") return storeInUse(lock.error().where);
    return lock;
}

}  // namespace

Result<StoreFolder> prepareFolder(FileSystem& files, const StorePaths& paths,
                                  const std::string& owner, std::int64_t process) {
    TRY_VOID(files.makeFolder(paths.data));
    StorePaths real = paths;
    TRY(real.data, files.realPath(paths.data));
    TRY_VOID(tighten(files, real.data, kFolderMode));

    StoreFolder folder;
    folder.database = real.database();
    folder.reserve = real.reserve();
    TRY(folder.lock, takeLock(files, real.lock(), owner, process));
    TRY_VOID(makePrivateFolder(files, real.attachments()));
    TRY_VOID(makePrivateFolder(files, real.backups()));
    TRY(const std::optional<FileFacts> database, files.facts(folder.database));
    // Made here with its mode; SQLite gives the WAL the mode of its file.
    if (!database) TRY_VOID(files.allocate(folder.database, ByteCount(0)));
    for (const fs::path& file : {folder.database, real.wal(), real.lock(), folder.reserve}) {
        TRY_VOID(tighten(files, file, kFileMode));
    }
    return folder;
}

}  // namespace agens::chat
