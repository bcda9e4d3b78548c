// SPDX-License-Identifier: Apache-2.0
// Schema of the store, version 1, and the two numbers in the file's header that name it. What the
// tables mean and when they are written: README.md of this folder.
// A change is a new version with a migration; the text of a released version never changes.
#pragma once

#include <cstdint>

namespace agens::chat {

constexpr std::uint32_t kSchemaVersion = 1;
constexpr std::uint32_t kApplicationId = 0x4147444B;  // "AGDK"

// All CREATE statements.
extern const char* const kSchemaSql;

}  // namespace agens::chat
