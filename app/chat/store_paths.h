// SPDX-License-Identifier: Apache-2.0
// StorePaths: where everything of a person lies. Computed from values that main read from the
// environment; nothing here looks at the environment or the disk.
//
//   default      data  $XDG_DATA_HOME/agens-desktop, config $XDG_CONFIG_HOME/…, state
//   $XDG_STATE_HOME/…
//   --data-dir   everything under that one folder
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/base/result.h"

namespace agens::chat {

// What main reads: --data-dir, HOME and the XDG variables. Empty = not set. XDG values that are not
// absolute paths are ignored, as the base directory specification demands.
struct PathInputs {
    std::string dataDir = {};
    std::string home = {};
    std::string xdgDataHome = {};
    std::string xdgConfigHome = {};
    std::string xdgStateHome = {};
    std::string xdgRuntimeDir = {};
    std::string currentFolder = {};  // base of a relative --data-dir
};

struct StorePaths {
    std::filesystem::path data;         // history.db, attachments, backups, reserve, lock
    std::filesystem::path config;       // endpoint.key
    std::filesystem::path log;          // log files
    std::filesystem::path models;       // the program's own model folder
    std::filesystem::path engineState;  // conversation states of the engine; deletable
    std::optional<std::filesystem::path> runtime;  // folder of the instance socket

    std::filesystem::path database() const { return data / "history.db"; }
    std::filesystem::path wal() const { return data / "history.db-wal"; }
    std::filesystem::path lock() const { return data / "lock"; }
    std::filesystem::path reserve() const { return data / "reserve"; }
    std::filesystem::path attachments() const { return data / "attachments"; }
    std::filesystem::path backups() const { return data / "backups"; }
};

// Errors: InvalidRequest "store.no_home" when neither a data folder nor a home is known.
Result<StorePaths> storePaths(const PathInputs& inputs);

}  // namespace agens::chat
