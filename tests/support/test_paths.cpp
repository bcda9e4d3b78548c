// SPDX-License-Identifier: Apache-2.0
// Paths from CMake and the environment.
#include "tests/support/test_paths.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace agens::test {
namespace {

constexpr const char* kStarterFile = "SmolLM2-135M-Instruct.Q4_1.gguf";

std::optional<std::filesystem::path> fromEnvironment(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::filesystem::path(value);
}

}  // namespace

std::filesystem::path sourceFolder() {
    return AGENS_SOURCE_DIR;
}
std::filesystem::path buildFolder() {
    return AGENS_BUILD_DIR;
}
std::filesystem::path goldenFolder() {
    return sourceFolder() / "tests" / "golden";
}

std::optional<std::filesystem::path> sharedFolder() {
    const std::filesystem::path folder = fromEnvironment("AGENS_SHARED").value_or(AGENS_SHARED_DIR);
    if (!std::filesystem::is_directory(folder)) return std::nullopt;
    return folder;
}

std::filesystem::path scratchFolder() {
    static const std::filesystem::path folder = [] {
        std::string pattern = (std::filesystem::temp_directory_path() / "agens-XXXXXX").string();
        return std::filesystem::path(::mkdtemp(pattern.data()));
    }();
    return folder;
}

std::optional<std::filesystem::path> starterModel() {
    for (const auto& folder :
         {fromEnvironment("AGENS_MODEL_DIR"), std::optional(sourceFolder() / "build" / "models")}) {
        if (folder && std::filesystem::exists(*folder / kStarterFile))
            return *folder / kStarterFile;
    }
    return std::nullopt;
}

std::string readText(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace agens::test
