// SPDX-License-Identifier: Apache-2.0
// Reading messages: whole values with parts, siblings and statistics, and pages of the active
// branch. Work is bounded by the page, not by the conversation: upwards by parent_id, downwards by
// active_child. A damaged part or name spoils its own message only.
// Errors: store.missing; throws SQLite::Exception. Thread: store worker.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/chat/types.h"

namespace SQLite {
class Database;
}

namespace agens::chat {

// The bare row, for those who change it.
struct MessageRow {
    MessageId id;
    ConversationId conversation;
    std::optional<MessageId> parent;
    Role role = Role::User;
    MessageState state = MessageState::Complete;
};
Result<MessageRow> readMessageRow(SQLite::Database& db, MessageId id);

Result<Page> readBranch(SQLite::Database& db, ConversationId id, const PageAnchor& anchor);

// The deepest message below `from` by remembered choices (the newest child where none is noted).
MessageId deepestLeaf(SQLite::Database& db, MessageId from);

// What the checkpoints of a reply hold, runs of one kind joined.
std::vector<ReplyPart> partsFromTail(SQLite::Database& db, MessageId id);

}  // namespace agens::chat
