// SPDX-License-Identifier: Apache-2.0
// The golden files are the ones that were made: each is listed in its folder's SHA256SUMS with the
// hash it has. A golden that was regenerated or cut by accident fails here, not in a kernel test.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "engine/base/mapped_file.h"
#include "engine/base/sha256.h"
#include "tests/support/test_paths.h"

namespace agens::test {
namespace {

namespace fs = std::filesystem;

// Relative path → hash, as sha256sum writes them.
std::map<std::string, std::string> listedHashes(const fs::path& folder) {
    std::map<std::string, std::string> hashes;
    std::istringstream lines(readText(folder / "SHA256SUMS"));
    std::string hash;
    std::string path;
    while (lines >> hash >> path)
        hashes[path] = hash;
    return hashes;
}

bool isGolden(const fs::path& path) {
    return path.filename() != "SHA256SUMS" && path.filename() != "README.md";
}

TEST(GoldenFiles, HaveTheHashesTheyWereMadeWith) {
    std::size_t checked = 0;
    for (const auto& folder : fs::directory_iterator(goldenFolder())) {
        if (!folder.is_directory()) continue;
        std::map<std::string, std::string> listed = listedHashes(folder.path());
        for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
            if (!entry.is_regular_file() || !isGolden(entry.path())) continue;
            const auto file = MappedFile::open(entry.path());
            ASSERT_TRUE(file.ok()) << file.error().text();
            const std::string name = fs::relative(entry.path(), folder.path()).string();
            EXPECT_EQ(sha256Hex(file->bytes()), listed[name]) << entry.path();
            listed.erase(name);
            ++checked;
        }
        for (const auto& [name, hash] : listed)
            ADD_FAILURE() << folder.path() / name << " is missing";
    }
    EXPECT_GT(checked, 0u);
}

}  // namespace
}  // namespace agens::test
