// SPDX-License-Identifier: Apache-2.0
// Rows of reply_stats: what a reply took and what a replay needs. Columns of draft sources are 0
// while there are none. Errors: throws SQLite::Exception. Thread: store worker.
#pragma once

#include "app/chat/types.h"

namespace SQLite {
class Database;
}

namespace agens::chat {

// Nothing is written for a reply without statistics.
void writeStats(SQLite::Database& db, MessageId id, const FinishedReply& reply);
// Fills stats and reasoningTokens, if there is a row.
void readStats(SQLite::Database& db, Message& message);

}  // namespace agens::chat
