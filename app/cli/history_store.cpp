// SPDX-License-Identifier: Apache-2.0
// The seams of the store that main brings.
#include "app/cli/history_store.h"

#include "app/chat/file_system.h"
#include "app/chat/random_source.h"
#include "app/cli/model_choice.h"
#include "engine/base/clock.h"

namespace agens::cli {
namespace {

// The store may outlive every caller's scope; these live as long as the process.
const SystemClock kClock;
chat::SystemFiles kFiles;
chat::SystemRandom kRandom;

}  // namespace

Result<std::unique_ptr<chat::Store>> openHistory(const std::string& dataDir,
                                                 const std::string& owner) {
    TRY(const chat::StorePaths paths, personalPaths(dataDir));
    return chat::Store::open(paths, chat::OpenMode::Live, owner,
                             {.clock = kClock, .files = kFiles, .random = kRandom});
}

}  // namespace agens::cli
