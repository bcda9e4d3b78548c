// SPDX-License-Identifier: Apache-2.0
// See the header. Order is order_key, one more than the highest at each activity.
#include "app/chat/conversation_rows.h"

#include <SQLiteCpp/Database.h>

#include <nlohmann/json.hpp>

#include "app/chat/query.h"
#include "app/chat/search_rows.h"
#include "app/chat/store_errors.h"
#include "app/chat/text_rules.h"
#include "engine/base/json.h"

namespace agens::chat {
namespace {

// Columns of a head, in the order headFrom() reads them.
#define AGENS_HEAD_COLUMNS                                                                      \
    "c.id, c.uid, c.title, c.title_source, c.pinned, c.order_key, c.created_ms, c.updated_ms, " \
    "c.unread, c.deleted_ms, "                                                                  \
    "EXISTS(SELECT 1 FROM draft d WHERE d.conversation_id=c.id), "                              \
    "EXISTS(SELECT 1 FROM message m WHERE m.state IN('queued','generating') AND "               \
    "m.conversation_id=c.id)"

#define AGENS_UNUSED                                                                           \
    "title='' AND NOT EXISTS(SELECT 1 FROM message m WHERE m.conversation_id=conversation.id)" \
    " AND NOT EXISTS(SELECT 1 FROM draft d WHERE d.conversation_id=conversation.id)"

constexpr const char* kListSql =
    "SELECT " AGENS_HEAD_COLUMNS
    " FROM conversation c WHERE c.deleted_ms IS NULL"
    " AND (EXISTS(SELECT 1 FROM message m WHERE m.conversation_id=c.id)"
    "   OR EXISTS(SELECT 1 FROM draft d WHERE d.conversation_id=c.id))"
    " AND (c.pinned, c.order_key) < (?, ?)"
    " ORDER BY c.pinned DESC, c.order_key DESC LIMIT ?";
constexpr const char* kTrashSql =
    "SELECT " AGENS_HEAD_COLUMNS
    " FROM conversation c WHERE c.deleted_ms IS NOT NULL AND (c.pinned, c.order_key) < (?, ?)"
    " ORDER BY c.pinned DESC, c.order_key DESC LIMIT ?";
constexpr const char* kHeadSql = "SELECT " AGENS_HEAD_COLUMNS " FROM conversation c WHERE c.id=?";

ConversationHead headFrom(const Query& row) {
    ConversationHead head;
    head.id = row.id<ConversationId>(0);
    head.uid = row.text(1);
    head.title = row.text(2);
    head.titleSource = parseTitleSource(row.text(3)).value_or(TitleSource::None);
    head.pinned = row.flag(4);
    head.orderKey = row.integer(5);
    head.created = row.id<Timestamp>(6);
    head.updated = row.id<Timestamp>(7);
    head.unread = row.flag(8);
    head.deleted = row.optionalId<Timestamp>(9);
    head.hasDraft = row.flag(10);
    head.running = row.flag(11);
    return head;
}

// Runs one UPDATE whose last parameter is the conversation; no row changed = it is gone.
template <class... Values>
Result<void> update(SQLite::Database& db, const char* sql, const Values&... values) {
    Query(db, sql, values...).run();
    if (db.getChanges() == 0) return notFound("chat");
    return {};
}

Result<void> setTitle(SQLite::Database& db, ConversationId id, const std::string& title,
                      TitleSource source) {
    TRY(const ConversationHead head, readHead(db, id));
    indexTitle(db, id, head.title, title);
    return update(db, "UPDATE conversation SET title=?, title_source=? WHERE id=?", title,
                  toString(source), id);
}

std::int64_t nextOrderKey(SQLite::Database& db) {
    // Three look-ups in conversation_list (the trash is short) instead of a walk over all rows.
    Query query(
        db,
        "SELECT 1 + max(coalesce((SELECT order_key FROM conversation WHERE deleted_ms IS NULL"
        " AND pinned=1 ORDER BY order_key DESC LIMIT 1), 0),"
        " coalesce((SELECT order_key FROM conversation WHERE deleted_ms IS NULL"
        " AND pinned=0 ORDER BY order_key DESC LIMIT 1), 0),"
        " coalesce((SELECT max(order_key) FROM conversation WHERE deleted_ms IS NOT NULL), 0))");
    query.next();
    return query.integer(0);
}

}  // namespace

Result<void> checkText(const std::string& text, const char* thing) {
    if (text.size() > kMaxTextBytes) {
        return Error{ErrorKind::InvalidRequest, "store.too_long",
                     std::string("The ") + thing + " has " + toText(ByteCount(text.size())) +
                         "; at most " + toText(ByteCount(kMaxTextBytes)) + " can be kept.",
                     ""};
    }
    if (!isUtf8(text)) {
        return Error{ErrorKind::InvalidRequest, "store.not_utf8",
                     std::string("The ") + thing + " is not valid UTF-8 text.", ""};
    }
    return {};
}

Result<std::vector<ConversationHead>> listConversations(SQLite::Database& db,
                                                        const ListRequest& request) {
    const ListRequest::Place after = request.after.value_or(ListRequest::Place{true, INT64_MAX});
    Query rows(db, request.filter == ListFilter::Trash ? kTrashSql : kListSql, after.pinned,
               after.orderKey, request.limit);
    std::vector<ConversationHead> heads;
    while (rows.next())
        heads.push_back(headFrom(rows));
    return heads;
}

Result<ConversationHead> readHead(SQLite::Database& db, ConversationId id) {
    Query row(db, kHeadSql, id);
    if (!row.next()) return notFound("chat");
    return headFrom(row);
}

Result<Conversation> readConversation(SQLite::Database& db, ConversationId id) {
    Conversation conversation;
    TRY(conversation.head, readHead(db, id));
    Query row(db, "SELECT system_prompt, options, active_leaf FROM conversation WHERE id=?", id);
    row.next();
    conversation.systemPrompt = row.text(0);
    conversation.options = row.text(1);
    conversation.activeLeaf = row.optionalId<MessageId>(2);
    return conversation;
}

ConversationId createConversation(SQLite::Database& db, RandomSource& random, Timestamp now) {
    Query(db, "INSERT INTO conversation(uid, created_ms, updated_ms, order_key) VALUES(?, ?, ?, ?)",
          makeUid(random), now, now, nextOrderKey(db))
        .run();
    return ConversationId(db.getLastInsertRowid());
}

Result<void> renameConversation(SQLite::Database& db, ConversationId id, const std::string& title) {
    TRY_VOID(checkText(title, "title"));
    const std::string line = oneLine(title);
    if (line.empty()) return wrongState("A chat needs a title.");
    if (const std::size_t count = characterCount(line); count > kMaxTitleCharacters) {
        return Error{
            ErrorKind::InvalidRequest, "store.too_long",
            "The title has " + std::to_string(count) + " characters; at most 500 can be kept.", ""};
    }
    return setTitle(db, id, line, TitleSource::User);
}

Result<void> setPinnedFlag(SQLite::Database& db, ConversationId id, bool pinned) {
    return update(db, "UPDATE conversation SET pinned=? WHERE id=?", pinned, id);
}

Result<void> setUnreadFlag(SQLite::Database& db, ConversationId id, bool unread) {
    return update(db, "UPDATE conversation SET unread=? WHERE id=?", unread, id);
}

Result<void> setPrompt(SQLite::Database& db, ConversationId id, const std::string& text) {
    TRY_VOID(checkText(text, "system prompt"));
    return update(db, "UPDATE conversation SET system_prompt=? WHERE id=?", text, id);
}

Result<void> setOptionsText(SQLite::Database& db, ConversationId id, const std::string& json) {
    TRY(const Json options, parseJson(json, "options", {.depth = 8, .bytes = 65'536}));
    if (!options.is_object()) {
        return Error{ErrorKind::InvalidRequest, "store.options",
                     "The options of a chat are a JSON object.", ""};
    }
    return update(db, "UPDATE conversation SET options=? WHERE id=?", json, id);
}

Result<void> moveToTrash(SQLite::Database& db, ConversationId id, Timestamp now) {
    return update(db, "UPDATE conversation SET deleted_ms=coalesce(deleted_ms, ?) WHERE id=?", now,
                  id);
}

Result<void> takeFromTrash(SQLite::Database& db, ConversationId id) {
    return update(db, "UPDATE conversation SET deleted_ms=NULL WHERE id=?", id);
}

Result<void> noteActivity(SQLite::Database& db, ConversationId id, const std::string& firstText,
                          Timestamp now) {
    TRY(const ConversationHead head, readHead(db, id));
    if (head.titleSource == TitleSource::None) {
        const std::string title = titleFromText(firstText);
        if (!title.empty()) TRY_VOID(setTitle(db, id, title, TitleSource::FirstLine));
    }
    return update(db, "UPDATE conversation SET updated_ms=?, order_key=? WHERE id=?", now,
                  nextOrderKey(db), id);
}

bool hasUnused(SQLite::Database& db) {
    return Query(db, "SELECT 1 FROM conversation WHERE " AGENS_UNUSED " LIMIT 1").next();
}

void dropUnused(SQLite::Database& db) {
    db.exec("DELETE FROM conversation WHERE " AGENS_UNUSED);
}

Result<void> writeDraft(SQLite::Database& db, ConversationId id, const Draft& draft,
                        Timestamp now) {
    TRY_VOID(checkText(draft.text, "text"));
    TRY(const ConversationHead head, readHead(db, id));
    if (draft.text.empty() && !draft.editOf) {
        Query(db, "DELETE FROM draft WHERE conversation_id=?", id).run();
        return {};
    }
    Query(db,
          "INSERT INTO draft(conversation_id, text, cursor, edit_of, thinking, updated_ms)"
          " VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT(conversation_id) DO UPDATE SET text=excluded.text,"
          " cursor=excluded.cursor, edit_of=excluded.edit_of, thinking=excluded.thinking,"
          " updated_ms=excluded.updated_ms",
          id, draft.text, draft.cursor, draft.editOf, toString(draft.thinking), now)
        .run();
    return {};
}

Result<Draft> readDraft(SQLite::Database& db, ConversationId id) {
    TRY(const ConversationHead head, readHead(db, id));
    Query row(db, "SELECT text, cursor, edit_of, thinking FROM draft WHERE conversation_id=?", id);
    Draft draft;
    if (!row.next()) return draft;
    draft.text = row.text(0);
    draft.cursor = static_cast<int>(row.integer(1));
    draft.editOf = row.optionalId<MessageId>(2);
    draft.thinking = parseThinkingMode(row.text(3)).value_or(ThinkingMode::Auto);
    return draft;
}

Settings readSettings(SQLite::Database& db) {
    std::map<std::string, std::string, std::less<>> rows;
    Query query(db, "SELECT key, value FROM setting");
    while (query.next())
        rows.emplace(query.text(0), query.text(1));
    return Settings(std::move(rows));
}

void writeSetting(SQLite::Database& db, const std::string& key, const std::string& value) {
    Query(db,
          "INSERT INTO setting(key, value) VALUES(?, ?)"
          " ON CONFLICT(key) DO UPDATE SET value=excluded.value",
          key, value)
        .run();
}

void removeSetting(SQLite::Database& db, const std::string& key) {
    Query(db, "DELETE FROM setting WHERE key=?", key).run();
}

}  // namespace agens::chat
