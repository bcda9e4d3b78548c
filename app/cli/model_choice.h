// SPDX-License-Identifier: Apache-2.0
// Which file --model means: a path, a file in the model folder by name, or, left out, the only
// model that is installed there. A path needs no data folder.
#pragma once

#include <filesystem>
#include <string>

#include "app/chat/store_paths.h"
#include "engine/base/result.h"

namespace agens::cli {

// Folders of this person, from --data-dir, HOME and the XDG variables.
Result<chat::StorePaths> personalPaths(const std::string& dataDir);

// Errors: InvalidRequest with the remedy; Io when a named path is missing.
Result<std::filesystem::path> chosenModel(const std::string& model, const std::string& dataDir);

}  // namespace agens::cli
