// SPDX-License-Identifier: Apache-2.0
// Opens the person's store for a command. The store belongs to one process: beside an open window
// the command fails with a sentence that says so.
#pragma once

#include <memory>
#include <string>

#include "app/chat/store.h"

namespace agens::cli {

// `owner` is the name other programs show ("agens chat").
Result<std::unique_ptr<chat::Store>> openHistory(const std::string& dataDir,
                                                 const std::string& owner);

}  // namespace agens::cli
