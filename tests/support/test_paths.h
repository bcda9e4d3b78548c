// SPDX-License-Identifier: Apache-2.0
// Where tests find their data. Every test that needs data made by others, or a model, asks here and
// prints SKIPPED with the reason when it is missing; the summary of tests/run.sh counts those.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace agens::test {

std::filesystem::path sourceFolder();
std::filesystem::path buildFolder();
std::filesystem::path goldenFolder();                 // tests/golden of the checkout
std::optional<std::filesystem::path> sharedFolder();  // AGENS_SHARED, if it is there
// A fresh folder for this process, below the test's HOME; removed by the wrapper.
std::filesystem::path scratchFolder();
// The starter model: AGENS_MODEL_DIR (set by tests/run.sh), else build/models, else the installed
// one.
std::optional<std::filesystem::path> starterModel();
std::string readText(const std::filesystem::path& path);

}  // namespace agens::test
