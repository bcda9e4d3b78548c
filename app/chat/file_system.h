// SPDX-License-Identifier: Apache-2.0
// FileSystem: the seam to the disk for everything the store does beside SQLite: folders and their
// modes, the lock, the reserve, free space. Tests fail it. Files are made 0600, folders 0700,
// whatever the umask.
// Errors: Io with errno in words and the path in `where`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/base/units.h"

namespace agens::chat {

struct FileFacts {
    bool isFolder = false;
    bool isRegular = false;
    bool isOwn = false;      // belongs to the user of this process
    std::uint32_t mode = 0;  // permission bits
    std::uint64_t bytes = 0;
};

// Held as long as the object lives.
class FileLock {
 public:
    virtual ~FileLock() = default;
};

class FileSystem {
 public:
    virtual ~FileSystem() = default;
    // Makes the folder and its missing parents (0700 each). Existing ones are left alone.
    virtual Result<void> makeFolder(const std::filesystem::path& folder) = 0;
    virtual Result<std::filesystem::path> realPath(const std::filesystem::path& path) = 0;
    // Never follows a link in the last place; nothing = no such file.
    virtual Result<std::optional<FileFacts>> facts(const std::filesystem::path& path) = 0;
    virtual Result<void> setMode(const std::filesystem::path& path, std::uint32_t mode) = 0;
    // At most the first `bytes` bytes.
    virtual Result<std::string> readHead(const std::filesystem::path& path, std::size_t bytes) = 0;
    // flock without waiting; then the file holds `content`. Busy, id "store.locked", with the
    // content of the holder in `where`; Unsupported, id "store.no_lock", where locks do not work.
    virtual Result<std::unique_ptr<FileLock>> lock(const std::filesystem::path& path,
                                                   const std::string& content) = 0;
    // A file whose blocks are really there.
    virtual Result<void> allocate(const std::filesystem::path& path, ByteCount bytes) = 0;
    // No file is fine too.
    virtual Result<void> remove(const std::filesystem::path& path) = 0;
    virtual Result<ByteCount> freeBytes(const std::filesystem::path& folder) = 0;
};

class SystemFiles : public FileSystem {
 public:
    Result<void> makeFolder(const std::filesystem::path& folder) override;
    Result<std::filesystem::path> realPath(const std::filesystem::path& path) override;
    Result<std::optional<FileFacts>> facts(const std::filesystem::path& path) override;
    Result<void> setMode(const std::filesystem::path& path, std::uint32_t mode) override;
    Result<std::string> readHead(const std::filesystem::path& path, std::size_t bytes) override;
    Result<std::unique_ptr<FileLock>> lock(const std::filesystem::path& path,
                                           const std::string& content) override;
    Result<void> allocate(const std::filesystem::path& path, ByteCount bytes) override;
    Result<void> remove(const std::filesystem::path& path) override;
    Result<ByteCount> freeBytes(const std::filesystem::path& folder) override;
};

}  // namespace agens::chat
