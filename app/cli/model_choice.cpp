// SPDX-License-Identifier: Apache-2.0
// Looks into the model folder only when no path was given.
#include "app/cli/model_choice.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <vector>

namespace agens::cli {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// Model files of the folder, by name.
std::vector<fs::path> installedModels(const fs::path& folder) {
    std::vector<fs::path> models;
    std::error_code ignored;  // a folder that is not there holds no models
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.is_regular_file(ignored) && entry.path().extension() == ".gguf") {
            models.push_back(entry.path());
        }
    }
    std::ranges::sort(models);
    return models;
}

Error choiceError(std::string what, const fs::path& folder) {
    return {ErrorKind::InvalidRequest, "model.choice", std::move(what), folder.string()};
}

}  // namespace

Result<chat::StorePaths> personalPaths(const std::string& dataDir) {
    std::error_code ignored;
    return chat::storePaths({.dataDir = dataDir,
                             .home = variable("HOME"),
                             .xdgDataHome = variable("XDG_DATA_HOME"),
                             .xdgConfigHome = variable("XDG_CONFIG_HOME"),
                             .xdgStateHome = variable("XDG_STATE_HOME"),
                             .xdgRuntimeDir = variable("XDG_RUNTIME_DIR"),
                             .currentFolder = fs::current_path(ignored).string()});
}

Result<fs::path> chosenModel(const std::string& model, const std::string& dataDir) {
    std::error_code ignored;
    const bool isPath = model.find('/') != std::string::npos || fs::exists(model, ignored);
    if (isPath) return fs::path(model);
    TRY(const chat::StorePaths paths, personalPaths(dataDir));
    const std::vector<fs::path> installed = installedModels(paths.models);
    if (!model.empty()) {
        for (const fs::path& path : installed) {
            if (path.filename() == model || path.stem() == model) return path;
        }
        return choiceError(
            "There is no model named \"" + model + "\" here and none in the model folder.",
            paths.models);
    }
    if (installed.size() == 1) return installed.front();
    if (installed.empty()) {
        return choiceError(
            "No model is installed; run installer/run.sh, or name a file with --model.",
            paths.models);
    }
    return choiceError("Several models are installed; choose one with --model.", paths.models);
}

}  // namespace agens::cli
