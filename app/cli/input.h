// SPDX-License-Identifier: Apache-2.0
// Reading what a person pipes in: all of stdin, line by line, or a file; base64 of raw bytes.
// Limits: a text of 64 MiB. Errors: Io; InvalidRequest with the line number.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/base/units.h"

namespace agens::cli {

Result<std::string> readStandardInput();
Result<std::string> readWholeFile(const std::filesystem::path& path);

// Calls `handle` with each JSON object of stdin, one a line; empty lines are passed over. The first
// Error ends it; errors of the input name the line.
Result<void> forEachJsonLine(const std::function<Result<void>(const Json&)>& handle);

// Nothing when it is not base64 (RFC 4648, padded).
std::optional<std::string> decodeBase64(std::string_view text);
std::string encodeBase64(std::string_view bytes);

// A JSON list of token ids. Errors: InvalidRequest.
Result<std::vector<TokenId>> idsFrom(const Json& list);

}  // namespace agens::cli
