// SPDX-License-Identifier: Apache-2.0
// The XDG rules as a function of the values main read.
#include "app/chat/store_paths.h"

namespace agens::chat {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "agens-desktop";

// The folder of an XDG variable, else the place below home that the specification names.
fs::path xdgFolder(const std::string& value, const std::string& home, const char* below) {
    const fs::path folder(value);
    return (folder.is_absolute() ? folder : fs::path(home) / below) / kProgram;
}

}  // namespace

Result<StorePaths> storePaths(const PathInputs& inputs) {
    StorePaths paths;
    if (const fs::path runtime(inputs.xdgRuntimeDir); runtime.is_absolute()) {
        paths.runtime = runtime;
    }
    if (!inputs.dataDir.empty()) {
        const fs::path given(inputs.dataDir);
        paths.data = given.is_absolute() ? given : fs::path(inputs.currentFolder) / given;
        paths.data = paths.data.lexically_normal();
        paths.config = paths.data;
        paths.log = paths.data / "log";
    } else {
        const auto isKnown = [&](const std::string& xdg) {
            return fs::path(xdg).is_absolute() || fs::path(inputs.home).is_absolute();
        };
        if (!isKnown(inputs.xdgDataHome) || !isKnown(inputs.xdgConfigHome) ||
            !isKnown(inputs.xdgStateHome)) {
            return Error{ErrorKind::InvalidRequest, "store.no_home",
                         "There is no home folder to keep the history in (HOME is not set). Choose "
                         "a folder with --data-dir.",
                         "HOME"};
        }
        paths.data = xdgFolder(inputs.xdgDataHome, inputs.home, ".local/share");
        paths.config = xdgFolder(inputs.xdgConfigHome, inputs.home, ".config");
        paths.log = xdgFolder(inputs.xdgStateHome, inputs.home, ".local/state") / "log";
    }
    paths.models = paths.data / "models";
    paths.engineState = paths.data / "state";
    return paths;
}

}  // namespace agens::chat
