// SPDX-License-Identifier: Apache-2.0
// MappedFile: a regular file mapped read-only. Owns the mapping; bytes() is valid as long as it
// lives. A file that shrinks under the mapping is the reader's risk (GuardedRead in a later piece):
// open() therefore remembers size, inode and time, and isUnchanged() tells whether they still hold.
// Errors: Io (missing, unreadable, a directory, a pipe). Thread: any, immutable after open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "engine/base/result.h"

namespace agens {

class MappedFile {
 public:
    static Result<MappedFile> open(const std::filesystem::path& path);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    std::span<const std::byte> bytes() const { return {m_begin, m_size}; }
    const std::filesystem::path& path() const { return m_path; }
    bool isUnchanged() const;
    // Tells the kernel that the pages of [offset, offset + size) will not be needed again soon.
    void release(std::uint64_t offset, std::uint64_t size) const;

 private:
    MappedFile() = default;
    void unmap();

    std::filesystem::path m_path;
    const std::byte* m_begin = nullptr;
    std::size_t m_size = 0;
    std::uint64_t m_inode = 0;
    std::int64_t m_modifiedNs = 0;
};

}  // namespace agens
