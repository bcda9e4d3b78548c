// SPDX-License-Identifier: Apache-2.0
// Texts are fixed here; ids are what the window maps to banners.
#include "app/chat/store_errors.h"

#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <cerrno>

#include "app/chat/schema.h"

namespace agens::chat {

Error storeInUse(std::string_view holder) {
    const std::size_t line = holder.find('\n');
    const std::string name(holder.substr(0, line));
    std::string process;
    if (line != std::string_view::npos)
        process = holder.substr(line + 1, holder.find('\n', line + 1) - line - 1);
    const bool isKnown = !name.empty() && !process.empty() &&
                         process.find_first_not_of("0123456789") == std::string::npos;
    const std::string who = isKnown ? name + " (process " + process + ")" : "another program";
    return Error{
        ErrorKind::Busy, "store.locked",
        "The history is in use by " + who + ". Close it, or choose another folder with --data-dir.",
        ""};
}

Error storeNewer(std::uint32_t schema, const std::filesystem::path& file) {
    return Error{ErrorKind::Unsupported, "store.newer",
                 "This history belongs to a newer version: schema " + std::to_string(schema) +
                     ", this program knows " + std::to_string(kSchemaVersion) +
                     ". It was not opened and not changed. Update the program, or read a copy with "
                     "agens history export.",
                 file.string()};
}

Error storeDamaged(const std::string& detail, const std::filesystem::path& file) {
    return Error{ErrorKind::InvalidFile, "store.damaged",
                 "The history is damaged (" + detail +
                     "). The file is kept as it is and was not written to. Restore a backup, or "
                     "choose another folder with --data-dir.",
                 file.string()};
}

Error storeForeign(const std::filesystem::path& file) {
    return Error{
        ErrorKind::InvalidFile, "store.foreign",
        "The file is a database of another program, not a history of Agens Desktop. It was "
        "not changed. Choose another folder with --data-dir.",
        file.string()};
}

Error storeFull(ByteCount freeBytes, const std::filesystem::path& folder) {
    return Error{ErrorKind::Io, "store.full",
                 "The disk is full: " + toText(freeBytes) +
                     " free on the data folder. This was not saved; free some space and try again.",
                 folder.string()};
}

Error storeIo(const std::string& reason, const std::filesystem::path& file) {
    return Error{ErrorKind::Io, "store.io", "Writing the history failed: " + reason + ".",
                 file.string()};
}

Error notFound(const char* thing) {
    return Error{ErrorKind::InvalidRequest, "store.missing",
                 std::string("The ") + thing + " is not there any more.", ""};
}

Error wrongState(const std::string& what) {
    return Error{ErrorKind::InvalidRequest, "store.state", what, ""};
}

SqlFault faultOf(const SQLite::Exception& failure, int systemErrno) {
    switch (failure.getErrorCode() & 0xFF) {
        case SQLITE_FULL:
            return SqlFault::Full;
        case SQLITE_IOERR:
            // SQLite maps only ENOSPC to "full"; a used-up quota is the same thing to a person.
            return systemErrno == EDQUOT ? SqlFault::Full : SqlFault::Io;
        case SQLITE_CANTOPEN:
        case SQLITE_READONLY:
            return SqlFault::Io;
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return SqlFault::Damage;
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return SqlFault::Locked;
        default:
            return SqlFault::Other;
    }
}

}  // namespace agens::chat
