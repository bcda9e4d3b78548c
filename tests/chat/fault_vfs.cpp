// SPDX-License-Identifier: Apache-2.0
// The shim: every call is passed on, changing ones after asking the plan.
#include "tests/chat/fault_vfs.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstddef>
#include <new>
#include <utility>

namespace agens::chat::test {
namespace {

// SQLite allocates szOsFile bytes: ours first, the system's file behind it.
struct FaultFile {
    sqlite3_file base;
    FaultVfs* plan;
};

constexpr std::size_t kOurs = (sizeof(FaultFile) + alignof(std::max_align_t) - 1) /
                              alignof(std::max_align_t) * alignof(std::max_align_t);

sqlite3_file* realOf(sqlite3_file* file) {
    return reinterpret_cast<sqlite3_file*>(reinterpret_cast<std::byte*>(file) + kOurs);
}
FaultVfs& planOf(sqlite3_file* file) {
    return *reinterpret_cast<FaultFile*>(file)->plan;
}

int codeOf(FaultVfs& plan, int ioError) {
    return plan.fault() == Fault::Full ? SQLITE_FULL : ioError;
}

int closeFile(sqlite3_file* file) {
    return realOf(file)->pMethods->xClose(realOf(file));
}
int readFile(sqlite3_file* file, void* into, int bytes, sqlite3_int64 at) {
    return realOf(file)->pMethods->xRead(realOf(file), into, bytes, at);
}
int writeFile(sqlite3_file* file, const void* from, int bytes, sqlite3_int64 at) {
    if (planOf(file).takesFault(false)) {
        // Half of it arrives, as on a real disk.
        realOf(file)->pMethods->xWrite(realOf(file), from, bytes / 2, at);
        return codeOf(planOf(file), SQLITE_IOERR_WRITE);
    }
    return realOf(file)->pMethods->xWrite(realOf(file), from, bytes, at);
}
int truncateFile(sqlite3_file* file, sqlite3_int64 size) {
    if (planOf(file).takesFault(false)) return codeOf(planOf(file), SQLITE_IOERR_TRUNCATE);
    return realOf(file)->pMethods->xTruncate(realOf(file), size);
}
int syncFile(sqlite3_file* file, int) {
    return planOf(file).takesFault(true) ? codeOf(planOf(file), SQLITE_IOERR_FSYNC) : SQLITE_OK;
}
int sizeOfFile(sqlite3_file* file, sqlite3_int64* size) {
    return realOf(file)->pMethods->xFileSize(realOf(file), size);
}
int lockFile(sqlite3_file* file, int level) {
    return realOf(file)->pMethods->xLock(realOf(file), level);
}
int unlockFile(sqlite3_file* file, int level) {
    return realOf(file)->pMethods->xUnlock(realOf(file), level);
}
int checkLock(sqlite3_file* file, int* isReserved) {
    return realOf(file)->pMethods->xCheckReservedLock(realOf(file), isReserved);
}
int controlFile(sqlite3_file* file, int what, void* value) {
    if (what == SQLITE_FCNTL_LAST_ERRNO && planOf(file).failures() > 0) {
        *static_cast<int*>(value) = planOf(file).fault() == Fault::Quota ? EDQUOT : EIO;
        return SQLITE_OK;
    }
    return realOf(file)->pMethods->xFileControl(realOf(file), what, value);
}
int sectorSize(sqlite3_file* file) {
    return realOf(file)->pMethods->xSectorSize(realOf(file));
}
int traits(sqlite3_file* file) {
    return realOf(file)->pMethods->xDeviceCharacteristics(realOf(file));
}

// Version 1: no shared memory. In exclusive mode SQLite needs none, and this shows it.
const sqlite3_io_methods kMethods{1,           closeFile,  readFile, writeFile,  truncateFile,
                                  syncFile,    sizeOfFile, lockFile, unlockFile, checkLock,
                                  controlFile, sectorSize, traits,   nullptr,    nullptr,
                                  nullptr,     nullptr,    nullptr,  nullptr};

int openFile(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* outFlags) {
    auto* ours = new (file) FaultFile{{nullptr}, static_cast<FaultVfs*>(vfs->pAppData)};
    sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
    const int code = system->xOpen(system, name, realOf(file), flags, outFlags);
    if (realOf(file)->pMethods != nullptr) ours->base.pMethods = &kMethods;
    return code;
}

// Without the sync of the folder.
int deleteFile(sqlite3_vfs*, const char* name, int) {
    sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
    return system->xDelete(system, name, 0);
}

}  // namespace

struct FaultVfs::Table {
    sqlite3_vfs vfs;
};

FaultVfs::FaultVfs(std::string name) : m_name(std::move(name)), m_table(new Table) {
    m_table->vfs = *sqlite3_vfs_find(nullptr);
    m_table->vfs.pNext = nullptr;
    m_table->vfs.zName = m_name.c_str();
    m_table->vfs.szOsFile += static_cast<int>(kOurs);
    m_table->vfs.pAppData = this;
    m_table->vfs.xOpen = openFile;
    m_table->vfs.xDelete = deleteFile;
    sqlite3_vfs_register(&m_table->vfs, 0);
}

FaultVfs::~FaultVfs() {
    sqlite3_vfs_unregister(&m_table->vfs);
    delete m_table;
}

void FaultVfs::failAt(int call, Fault fault, bool forever) {
    m_calls = 0;
    m_failures = 0;
    m_failAt = call;
    m_fault = fault;
    m_forever = forever;
}

void FaultVfs::heal() {
    m_failAt = 0;
}

bool FaultVfs::takesFault(bool isSync) {
    if ((m_fault == Fault::Sync) != isSync) return false;
    const int call = ++m_calls;
    const bool fails = m_failAt > 0 && (m_forever ? call >= m_failAt : call == m_failAt);
    if (fails) ++m_failures;
    return fails;
}

}  // namespace agens::chat::test
