// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/chat/search_rows.h"

#include "app/chat/query.h"
#include "app/chat/text_rules.h"

namespace agens::chat {
namespace {

constexpr int kInWords = 1;
constexpr int kInTrigrams = 2;

}  // namespace

void indexPart(SQLite::Database& db, PartId id, PartKind kind, const std::string& text) {
    if (kind != PartKind::Text && kind != PartKind::File) return;
    if (text.empty()) return;
    int tables = kInWords;
    Query(db, "INSERT INTO search_word(rowid, text) VALUES(?, ?)", id, text).run();
    if (needsTrigrams(text)) {
        Query(db, "INSERT INTO search_tri(rowid, text) VALUES(?, ?)", id, text).run();
        tables |= kInTrigrams;
    }
    Query(db, "UPDATE part SET indexed=? WHERE id=?", tables, id).run();
}

void indexTitle(SQLite::Database& db, ConversationId id, const std::string& before,
                const std::string& after) {
    if (!before.empty()) {
        Query(db, "INSERT INTO search_title(search_title, rowid, title) VALUES('delete', ?, ?)", id,
              before)
            .run();
    }
    if (!after.empty()) {
        Query(db, "INSERT INTO search_title(rowid, title) VALUES(?, ?)", id, after).run();
    }
}

void checkSearchTables(SQLite::Database& db) {
    // Rank 0: the index against itself. Rank 1 would compare with every row of part, and reasoning
    // and streaming text are left out on purpose.
    db.exec("INSERT INTO search_word(search_word, rank) VALUES('integrity-check', 0)");
    db.exec("INSERT INTO search_tri(search_tri, rank) VALUES('integrity-check', 0)");
    db.exec("INSERT INTO search_title(search_title, rank) VALUES('integrity-check', 0)");
}

}  // namespace agens::chat
