// SPDX-License-Identifier: Apache-2.0
// SystemFiles: the POSIX calls behind FileSystem. Nothing follows a link in the last place.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "app/chat/file_system.h"

namespace agens::chat {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLockBytes = 256;

Error ioError(int code, const std::string& doing, const fs::path& path) {
    return Error{ErrorKind::Io, "store.folder",
                 doing + " failed: " + std::generic_category().message(code) + ".", path.string()};
}

class Descriptor {
 public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    ~Descriptor() {
        if (m_fd >= 0) ::close(m_fd);
    }
    Descriptor(Descriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    bool isOpen() const { return m_fd >= 0; }
    int get() const { return m_fd; }

 private:
    int m_fd;
};

Descriptor openFile(const fs::path& path, int flags) {
    return Descriptor(::open(path.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, 0600));
}

// Up to `bytes` bytes from the start.
Result<std::string> readFrom(const Descriptor& file, const fs::path& path, std::size_t bytes) {
    std::string text(bytes, '\0');
    std::size_t got = 0;
    while (got < bytes) {
        const ssize_t count =
            ::pread(file.get(), text.data() + got, bytes - got, static_cast<off_t>(got));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return ioError(errno, "Reading", path);
        if (count == 0) break;
        got += static_cast<std::size_t>(count);
    }
    text.resize(got);
    return text;
}

// flock belongs to the open file, so closing the descriptor gives it back, whatever ends the
// process.
class HeldLock final : public FileLock {
 public:
    explicit HeldLock(Descriptor file) : m_file(std::move(file)) {}
    // Nobody shall read the name of an owner that is gone.
    ~HeldLock() override { [[maybe_unused]] const int ignored = ::ftruncate(m_file.get(), 0); }

 private:
    Descriptor m_file;
};

}  // namespace

Result<void> SystemFiles::makeFolder(const fs::path& folder) {
    fs::path made;
    for (const fs::path& step : folder) {
        made /= step;
        if (::mkdir(made.c_str(), 0700) != 0 && errno != EEXIST && errno != EISDIR) {
            const int code = errno;
            std::error_code ignored;
            if (fs::is_directory(made, ignored)) continue;  // e.g. a read-only parent
            return ioError(code, "Making the folder", made);
        }
    }
    std::error_code code;
    if (!fs::is_directory(folder, code)) return ioError(ENOTDIR, "Opening the folder", folder);
    return {};
}

Result<fs::path> SystemFiles::realPath(const fs::path& path) {
    std::error_code code;
    fs::path real = fs::canonical(path, code);
    if (code) return ioError(code.value(), "Opening the folder", path);
    return real;
}

Result<std::optional<FileFacts>> SystemFiles::facts(const fs::path& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
        if (errno == ENOENT) return std::optional<FileFacts>();
        return ioError(errno, "Looking at the file", path);
    }
    FileFacts facts;
    facts.isFolder = S_ISDIR(status.st_mode);
    facts.isRegular = S_ISREG(status.st_mode);
    facts.isOwn = status.st_uid == ::geteuid();
    facts.mode = status.st_mode & 07777U;
    facts.bytes = static_cast<std::uint64_t>(status.st_size);
    return std::optional(facts);
}

Result<void> SystemFiles::setMode(const fs::path& path, std::uint32_t mode) {
    if (::chmod(path.c_str(), mode) != 0) return ioError(errno, "Changing the permissions", path);
    return {};
}

Result<std::string> SystemFiles::readHead(const fs::path& path, std::size_t bytes) {
    const Descriptor file = openFile(path, O_RDONLY | O_NONBLOCK);
    if (!file.isOpen()) return ioError(errno, "Opening the file", path);
    return readFrom(file, path, bytes);
}

Result<std::unique_ptr<FileLock>> SystemFiles::lock(const fs::path& path,
                                                    const std::string& content) {
    Descriptor file = openFile(path, O_RDWR | O_CREAT | O_NONBLOCK);
    if (!file.isOpen()) return ioError(errno, "Opening the lock file", path);
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) {
            return Error{ErrorKind::Unsupported, "store.no_lock",
                         "The folder of the history cannot be locked: " +
                             std::generic_category().message(errno) +
                             ". Choose a folder on another file system with --data-dir.",
                         path.string()};
        }
        TRY(std::string holder, readFrom(file, path, kLockBytes));
        return Error{ErrorKind::Busy, "store.locked", "The history is in use.", std::move(holder)};
    }
    if (::ftruncate(file.get(), 0) != 0 || ::pwrite(file.get(), content.data(), content.size(),
                                                    0) != static_cast<ssize_t>(content.size())) {
        // A full disk must not keep a person from reading: the lock counts, the name is courtesy.
        if (errno != ENOSPC) return ioError(errno, "Writing the lock file", path);
    }
    return std::unique_ptr<FileLock>(std::make_unique<HeldLock>(std::move(file)));
}

Result<void> SystemFiles::allocate(const fs::path& path, ByteCount bytes) {
    const Descriptor file = openFile(path, O_RDWR | O_CREAT);
    if (!file.isOpen()) return ioError(errno, "Making the file", path);
    if (bytes.value == 0) return {};
    const int code = ::posix_fallocate(file.get(), 0, static_cast<off_t>(bytes.value));
    if (code != 0) {
        ::unlink(path.c_str());
        return ioError(code, "Keeping space free", path);
    }
    return {};
}

Result<void> SystemFiles::remove(const fs::path& path) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return ioError(errno, "Removing", path);
    return {};
}

Result<ByteCount> SystemFiles::freeBytes(const fs::path& folder) {
    struct statvfs status {};
    if (::statvfs(folder.c_str(), &status) != 0)
        return ioError(errno, "Looking at the disk", folder);
    return ByteCount(static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize);
}

}  // namespace agens::chat
