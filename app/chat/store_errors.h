// SPDX-License-Identifier: Apache-2.0
// The errors of the store with their texts, in one place, and the translation of SQLite's codes.
// No text carries words of a conversation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/base/units.h"

namespace SQLite {
class Exception;
}

namespace agens::chat {

// `holder`: content of the lock file, "NAME\nPID\n"; may be empty or odd.
Error storeInUse(std::string_view holder);
Error storeNewer(std::uint32_t schema, const std::filesystem::path& file);
Error storeDamaged(const std::string& detail, const std::filesystem::path& file);
Error storeForeign(const std::filesystem::path& file);
Error storeFull(ByteCount freeBytes, const std::filesystem::path& folder);
Error storeIo(const std::string& reason, const std::filesystem::path& file);
Error notFound(const char* thing);  // "The chat is not there any more."
Error wrongState(const std::string& what);

enum class SqlFault { Full, Io, Damage, Locked, Other };
SqlFault faultOf(const SQLite::Exception& failure, int systemErrno);

}  // namespace agens::chat
