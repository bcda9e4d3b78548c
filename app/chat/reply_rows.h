// SPDX-License-Identifier: Apache-2.0
// Writing messages: sending, regenerating, switching branches, and the life of a reply.
//
//   Queued -begin-> Generating -finish-> Complete | Stopped | Limit | Interrupted | Error
//   Queued -finish-> Stopped | Interrupted | Error      (it never started)
//   Generating -start after a crash-> Interrupted       (recoverReplies)
//
// active_leaf and the active_child of every ancestor are written together, so that a switch back
// finds the branch it left. Errors: store.missing, store.state, store.too_long, store.not_utf8;
// throws SQLite::Exception. Thread: store worker.
#pragma once

#include <string>
#include <vector>

#include "app/chat/random_source.h"
#include "app/chat/types.h"

namespace SQLite {
class Database;
}

namespace agens::chat {

// What a write needs from outside.
struct WriteContext {
    RandomSource& random;
    Timestamp now;
};

Result<Sent> sendMessage(SQLite::Database& db, ConversationId id, const Outgoing& outgoing,
                         const WriteContext& context);
Result<MessageId> addReplyBeside(SQLite::Database& db, MessageId reply,
                                 const std::string& modelName, const WriteContext& context);
Result<MessageId> activateBranch(SQLite::Database& db, ConversationId id, MessageId message);
Result<void> beginReply(SQLite::Database& db, MessageId reply);
// After the end of the reply: nothing to do, the whole text is there already.
Result<void> appendTail(SQLite::Database& db, MessageId reply,
                        const std::vector<TailPiece>& pieces);
Result<void> finishReply(SQLite::Database& db, MessageId reply, const FinishedReply& finished,
                         Timestamp now);
// Whether a start has anything to repair or to drop; a clean one writes nothing.
bool needsRecovery(SQLite::Database& db);
// How many replies were Generating and are Interrupted now.
int recoverReplies(SQLite::Database& db, Timestamp now);

}  // namespace agens::chat
