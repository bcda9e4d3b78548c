// SPDX-License-Identifier: Apache-2.0
// Direct SQL for tests that damage or inspect a closed store.
#include "tests/chat/store_fixture.h"

#include <sqlite3.h>

#include <span>

#include "engine/base/sha256.h"

namespace agens::chat::test {

std::string bytesOf(const StorePaths& paths) {
    std::string print;
    for (const auto& path : {paths.database(), paths.wal()}) {
        const std::string bytes = agens::test::readText(path);
        print += std::to_string(bytes.size()) + " " +
                 sha256Hex(std::as_bytes(std::span(bytes.data(), bytes.size()))) + "\n";
    }
    return print;
}

std::string sql(const std::filesystem::path& database, const std::string& statement) {
    sqlite3* db = nullptr;
    EXPECT_EQ(sqlite3_open(database.c_str(), &db), SQLITE_OK);
    std::string answer;
    const auto collect = [](void* into, int columns, char** values, char**) {
        auto& text = *static_cast<std::string*>(into);
        if (!text.empty()) text += '\n';
        for (int i = 0; i < columns; ++i) {
            if (i > 0) text += '|';
            text += values[i] != nullptr ? values[i] : "NULL";
        }
        return 0;
    };
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db, statement.c_str(), collect, &answer, &message), SQLITE_OK)
        << (message != nullptr ? message : "");
    sqlite3_free(message);
    sqlite3_close(db);
    return answer;
}

}  // namespace agens::chat::test
