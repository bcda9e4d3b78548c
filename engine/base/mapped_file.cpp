// SPDX-License-Identifier: Apache-2.0
// mmap with the errors a person can act on.
#include "engine/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace agens {
namespace {

Error ioError(const char* id, const std::filesystem::path& path, const std::string& reason) {
    return {ErrorKind::Io, id,
            "\"" + path.filename().string() + "\" cannot be opened: " + reason + ".",
            path.string()};
}

std::int64_t modifiedNs(const struct stat& status) {
    return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

// Closes a descriptor at the end of a scope.
struct Descriptor {
    int number = -1;
    explicit Descriptor(int fd) : number(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
};

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    // O_NONBLOCK: opening a pipe must not wait for a writer; it has no effect on regular files.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.number < 0) return ioError("io.open", path, std::generic_category().message(errno));
    struct stat status {};
    if (::fstat(file.number, &status) != 0) {
        return ioError("io.stat", path, std::generic_category().message(errno));
    }
    if (S_ISDIR(status.st_mode))
        return ioError("io.folder", path, "it is a folder, a file is needed");
    if (!S_ISREG(status.st_mode)) return ioError("io.special", path, "it is not a regular file");

    MappedFile mapped;
    mapped.m_path = path;
    mapped.m_size = static_cast<std::size_t>(status.st_size);
    mapped.m_inode = status.st_ino;
    mapped.m_modifiedNs = modifiedNs(status);
    if (mapped.m_size == 0) return mapped;
    void* begin = ::mmap(nullptr, mapped.m_size, PROT_READ, MAP_PRIVATE, file.number, 0);
    if (begin == MAP_FAILED) return ioError("io.map", path, std::generic_category().message(errno));
    mapped.m_begin = static_cast<const std::byte*>(begin);
    return mapped;
}

MappedFile::MappedFile(MappedFile&& other) noexcept {
    *this = std::move(other);
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    if (this == &other) return *this;
    unmap();
    m_path = std::move(other.m_path);
    m_begin = std::exchange(other.m_begin, nullptr);
    m_size = std::exchange(other.m_size, 0);
    m_inode = other.m_inode;
    m_modifiedNs = other.m_modifiedNs;
    return *this;
}

MappedFile::~MappedFile() {
    unmap();
}

void MappedFile::unmap() {
    if (m_begin != nullptr) ::munmap(const_cast<std::byte*>(m_begin), m_size);
    m_begin = nullptr;
}

bool MappedFile::isUnchanged() const {
    struct stat status {};
    if (::stat(m_path.c_str(), &status) != 0) return false;
    return static_cast<std::size_t>(status.st_size) == m_size && status.st_ino == m_inode &&
           modifiedNs(status) == m_modifiedNs;
}

void MappedFile::release(std::uint64_t offset, std::uint64_t size) const {
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t from = (offset + page - 1) / page * page;
    const std::uint64_t to = std::min<std::uint64_t>(offset + size, m_size) / page * page;
    if (from >= to) return;
    ::madvise(const_cast<std::byte*>(m_begin) + from, to - from, MADV_DONTNEED);
}

}  // namespace agens
