// SPDX-License-Identifier: Apache-2.0
// JSON on stdout: one document or one line. Bytes of foreign names that are no UTF-8 become U+FFFD.
#pragma once

#include <string>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace agens::cli {

std::string toLine(const Json& json);      // one line with its newline
std::string toDocument(const Json& json);  // indented, with its newline
// {"error": {"kind", "id", "what", "where"}}
Json errorJson(const Error& error);

}  // namespace agens::cli
