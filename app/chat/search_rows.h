// SPDX-License-Identifier: Apache-2.0
// The search tables, kept by hand in the same transaction as the rows they mirror (triggers may not
// write to FTS5 under trusted_schema=OFF). Text goes into search_word; text with an unspaced script
// into search_tri as well; titles into search_title.
// Invariant: part.indexed tells which tables hold the part; a title is in search_title iff not
// empty. The tables hold no text of their own, so a row must be taken out with the text it was put
// in with. Errors: throws SQLite::Exception. Thread: store worker.
#pragma once

#include <string>

#include "app/chat/types.h"

namespace SQLite {
class Database;
}

namespace agens::chat {

// For parts of kind text and file of finished messages; others are left alone.
void indexPart(SQLite::Database& db, PartId id, PartKind kind, const std::string& text);

// Replaces the title's row. `before` is the title as stored until now.
void indexTitle(SQLite::Database& db, ConversationId id, const std::string& before,
                const std::string& after);

// FTS5's own check of the three indexes. Throws on damage.
void checkSearchTables(SQLite::Database& db);

}  // namespace agens::chat
