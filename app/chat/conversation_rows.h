// SPDX-License-Identifier: Apache-2.0
// Rows of conversation, draft and setting: what the sidebar, the composer and the settings need.
// Each function is one step inside a transaction of StoreDatabase.
// Errors: store.missing, store.state, store.too_long, store.not_utf8; throws SQLite::Exception.
// Thread: store worker.
#pragma once

#include <string>
#include <vector>

#include "app/chat/random_source.h"
#include "app/chat/settings.h"
#include "app/chat/types.h"

namespace SQLite {
class Database;
}

namespace agens::chat {

constexpr std::size_t kMaxTextBytes = std::size_t{16} << 20;  // message, prompt, draft
constexpr std::size_t kMaxTitleCharacters = 500;

// UTF-8 and not longer than kMaxTextBytes.
Result<void> checkText(const std::string& text, const char* thing);

Result<std::vector<ConversationHead>> listConversations(SQLite::Database& db,
                                                        const ListRequest& request);
Result<ConversationHead> readHead(SQLite::Database& db, ConversationId id);
Result<Conversation> readConversation(SQLite::Database& db, ConversationId id);

ConversationId createConversation(SQLite::Database& db, RandomSource& random, Timestamp now);
Result<void> renameConversation(SQLite::Database& db, ConversationId id, const std::string& title);
Result<void> setPinnedFlag(SQLite::Database& db, ConversationId id, bool pinned);
Result<void> setUnreadFlag(SQLite::Database& db, ConversationId id, bool unread);
Result<void> setPrompt(SQLite::Database& db, ConversationId id, const std::string& text);
Result<void> setOptionsText(SQLite::Database& db, ConversationId id, const std::string& json);
Result<void> moveToTrash(SQLite::Database& db, ConversationId id, Timestamp now);
Result<void> takeFromTrash(SQLite::Database& db, ConversationId id);

// A message was sent: moves the conversation to the top, and gives it a title if it has none.
Result<void> noteActivity(SQLite::Database& db, ConversationId id, const std::string& firstText,
                          Timestamp now);
// Conversations that were opened and left without a word.
bool hasUnused(SQLite::Database& db);
void dropUnused(SQLite::Database& db);

Result<void> writeDraft(SQLite::Database& db, ConversationId id, const Draft& draft, Timestamp now);
Result<Draft> readDraft(SQLite::Database& db, ConversationId id);

Settings readSettings(SQLite::Database& db);
void writeSetting(SQLite::Database& db, const std::string& key, const std::string& value);
void removeSetting(SQLite::Database& db, const std::string& key);

}  // namespace agens::chat
