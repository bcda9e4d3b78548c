// SPDX-License-Identifier: Apache-2.0
// See the header for the states.
#include "app/chat/reply_rows.h"

#include <SQLiteCpp/Database.h>

#include "app/chat/content_hash.h"
#include "app/chat/conversation_rows.h"
#include "app/chat/message_rows.h"
#include "app/chat/query.h"
#include "app/chat/search_rows.h"
#include "app/chat/stats_rows.h"
#include "app/chat/store_errors.h"

namespace agens::chat {
namespace {

struct NewMessage {
    ConversationId conversation;
    std::optional<MessageId> parent;
    Role role = Role::User;
    MessageState state = MessageState::Complete;
    std::string modelName;
};

// Behind the last sibling, deleted ones counted, so that a number is never used twice.
MessageId insertMessage(SQLite::Database& db, const NewMessage& message,
                        const WriteContext& context) {
    std::optional<Timestamp> finished;
    if (!isOpen(message.state)) finished = context.now;
    Query(db,
          "INSERT INTO message(uid, conversation_id, parent_id, sibling, role, state, model_name,"
          " created_ms, finished_ms) VALUES(?1, ?2, ?3, (SELECT coalesce(max(sibling), -1) + 1"
          " FROM message WHERE conversation_id=?2 AND parent_id IS ?3), ?4, ?5, ?6, ?7, ?8)",
          makeUid(context.random), message.conversation, message.parent, toString(message.role),
          toString(message.state), message.modelName, context.now, finished)
        .run();
    return MessageId(db.getLastInsertRowid());
}

void insertParts(SQLite::Database& db, MessageId message, const std::vector<ReplyPart>& parts) {
    int position = 0;
    for (const ReplyPart& part : parts) {
        Query(db,
              "INSERT INTO part(message_id, position, kind, text, name, content_hash, duration_ms)"
              " VALUES(?, ?, ?, ?, ?, ?, ?)",
              message, position++, toString(part.kind), part.text, part.name,
              contentHash(toString(part.kind), part.text, part.name, "{}"),
              std::int64_t{part.duration.count()})
            .run();
        indexPart(db, PartId(db.getLastInsertRowid()), part.kind, part.text);
    }
}

void setActiveLeaf(SQLite::Database& db, ConversationId id, MessageId leaf) {
    Query(db, "UPDATE conversation SET active_leaf=? WHERE id=?", leaf, id).run();
    Query above(db, "SELECT parent_id FROM message WHERE id=?");
    Query choose(db, "UPDATE message SET active_child=?1 WHERE id=?2 AND active_child IS NOT ?1");
    MessageId child = leaf;
    // Bounded like every walk: damage may have made a cycle.
    for (int level = 0; level < PageAnchor::kWholeBranch; ++level) {
        if (!above.with(child).next()) return;
        const auto parent = above.optionalId<MessageId>(0);
        if (!parent) return;
        choose.with(child, *parent).run();
        child = *parent;
    }
}

// Only the last step of a path that is active already.
void extendActiveLeaf(SQLite::Database& db, ConversationId id, MessageId parent, MessageId leaf) {
    Query(db, "UPDATE conversation SET active_leaf=? WHERE id=?", leaf, id).run();
    Query(db, "UPDATE message SET active_child=? WHERE id=?", leaf, parent).run();
}

// Under which message the new one goes: the parent of the edited one, else the active leaf.
Result<std::optional<MessageId>> parentOfNew(SQLite::Database& db, const Conversation& conversation,
                                             const Outgoing& outgoing) {
    if (outgoing.editOf) {
        TRY(const MessageRow edited, readMessageRow(db, *outgoing.editOf));
        if (edited.conversation != conversation.head.id) return notFound("message");
        if (edited.role != Role::User) return wrongState("Only an own message can be edited.");
        return edited.parent;
    }
    if (!conversation.activeLeaf) return std::optional<MessageId>();
    TRY(const MessageRow leaf, readMessageRow(db, *conversation.activeLeaf));
    if (isOpen(leaf.state)) {
        return wrongState("The reply before is still being made. Stop it, or wait for its end.");
    }
    return conversation.activeLeaf;
}

Result<void> checkParts(const FinishedReply& finished) {
    for (const ReplyPart& part : finished.parts) {
        TRY_VOID(checkText(part.text, "reply"));
        TRY_VOID(checkText(part.name, "reply"));
    }
    return {};
}

Result<void> mayFinish(const MessageRow& row, MessageState end) {
    if (row.role != Role::Assistant || isOpen(end)) return wrongState("This is no end of a reply.");
    const bool neverStarted = row.state == MessageState::Queued;
    const bool needsStart = end == MessageState::Complete || end == MessageState::Limit;
    if (!isOpen(row.state) || (neverStarted && needsStart)) {
        return wrongState(std::string("A reply cannot go from ") + toString(row.state) + " to " +
                          toString(end) + ".");
    }
    return {};
}

}  // namespace

Result<Sent> sendMessage(SQLite::Database& db, ConversationId id, const Outgoing& outgoing,
                         const WriteContext& context) {
    TRY_VOID(checkText(outgoing.text, "message"));
    TRY_VOID(checkText(outgoing.modelName, "model's name"));
    TRY(const Conversation conversation, readConversation(db, id));
    if (conversation.head.deleted)
        return wrongState("This chat is in the trash. Restore it first.");
    TRY(const std::optional<MessageId> parent, parentOfNew(db, conversation, outgoing));

    Sent sent;
    sent.user = insertMessage(db, {id, parent, Role::User, MessageState::Complete, {}}, context);
    insertParts(db, sent.user, {{PartKind::Text, outgoing.text, {}, {}}});
    const MessageState start = outgoing.waits ? MessageState::Queued : MessageState::Generating;
    sent.reply =
        insertMessage(db, {id, sent.user, Role::Assistant, start, outgoing.modelName}, context);
    if (outgoing.editOf || !parent) {
        setActiveLeaf(db, id, sent.reply);
    } else {
        extendActiveLeaf(db, id, *parent, sent.user);
        extendActiveLeaf(db, id, sent.user, sent.reply);
    }
    Query(db, "DELETE FROM draft WHERE conversation_id=?", id).run();
    TRY_VOID(noteActivity(db, id, outgoing.text, context.now));
    TRY(sent.head, readHead(db, id));
    return sent;
}

Result<MessageId> addReplyBeside(SQLite::Database& db, MessageId reply,
                                 const std::string& modelName, const WriteContext& context) {
    TRY_VOID(checkText(modelName, "model's name"));
    TRY(const MessageRow row, readMessageRow(db, reply));
    if (row.role != Role::Assistant) return wrongState("Only a reply can be made again.");
    const MessageId sibling = insertMessage(
        db, {row.conversation, row.parent, Role::Assistant, MessageState::Generating, modelName},
        context);
    setActiveLeaf(db, row.conversation, sibling);
    TRY_VOID(noteActivity(db, row.conversation, {}, context.now));
    return sibling;
}

Result<MessageId> activateBranch(SQLite::Database& db, ConversationId id, MessageId message) {
    TRY(const MessageRow row, readMessageRow(db, message));
    if (row.conversation != id) return notFound("message");
    const MessageId leaf = deepestLeaf(db, message);
    setActiveLeaf(db, id, leaf);
    return leaf;
}

Result<void> beginReply(SQLite::Database& db, MessageId reply) {
    TRY(const MessageRow row, readMessageRow(db, reply));
    if (row.role != Role::Assistant || row.state != MessageState::Queued) {
        return wrongState(std::string("A reply that is ") + toString(row.state) +
                          " cannot be started.");
    }
    Query(db, "UPDATE message SET state='generating' WHERE id=?", reply).run();
    return {};
}

Result<void> appendTail(SQLite::Database& db, MessageId reply,
                        const std::vector<TailPiece>& pieces) {
    TRY(const MessageRow row, readMessageRow(db, reply));
    if (row.role != Role::Assistant || row.state == MessageState::Queued) {
        return wrongState("This message is not being generated.");
    }
    if (!isOpen(row.state)) return {};
    Query last(db, "SELECT coalesce(max(seq), -1) FROM reply_tail WHERE message_id=?", reply);
    last.next();
    std::int64_t seq = last.integer(0);
    for (const TailPiece& piece : pieces) {
        TRY_VOID(checkText(piece.text, "reply"));
        Query(db, "INSERT INTO reply_tail(message_id, seq, kind, text) VALUES(?, ?, ?, ?)", reply,
              ++seq, toString(piece.kind), piece.text)
            .run();
    }
    return {};
}

Result<void> finishReply(SQLite::Database& db, MessageId reply, const FinishedReply& finished,
                         Timestamp now) {
    TRY_VOID(checkParts(finished));
    TRY(const MessageRow row, readMessageRow(db, reply));
    TRY_VOID(mayFinish(row, finished.state));
    const Error error = finished.error.value_or(Error{ErrorKind::Internal, "", "", ""});
    const std::int64_t tokens = finished.stats ? std::int64_t{finished.stats->replyTokens} : -1;
    Query(db,
          "UPDATE message SET state=?, finished_ms=?, token_count=?, error_code=?, error_text=?"
          " WHERE id=?",
          toString(finished.state), now, tokens, error.id, error.what, reply)
        .run();
    insertParts(db, reply, finished.parts);
    writeStats(db, reply, finished);
    Query(db, "DELETE FROM reply_tail WHERE message_id=?", reply).run();
    Query(db, "UPDATE conversation SET updated_ms=? WHERE id=?", now, row.conversation).run();
    return {};
}

bool needsRecovery(SQLite::Database& db) {
    return Query(db, "SELECT 1 FROM message WHERE state='generating' LIMIT 1").next() ||
           hasUnused(db);
}

int recoverReplies(SQLite::Database& db, Timestamp now) {
    std::vector<MessageId> cutOff;
    Query open(db, "SELECT id FROM message WHERE state='generating'");
    while (open.next())
        cutOff.push_back(open.id<MessageId>(0));
    for (const MessageId reply : cutOff) {
        insertParts(db, reply, partsFromTail(db, reply));
        Query(db, "DELETE FROM reply_tail WHERE message_id=?", reply).run();
        Query(db, "UPDATE message SET state='interrupted', finished_ms=? WHERE id=?", now, reply)
            .run();
    }
    return static_cast<int>(cutOff.size());
}

}  // namespace agens::chat
