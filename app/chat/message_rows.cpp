// SPDX-License-Identifier: Apache-2.0
// Branch pages and whole messages.
#include "app/chat/message_rows.h"

#include <algorithm>
#include <iterator>

#include "app/chat/content_hash.h"
#include "app/chat/query.h"
#include "app/chat/stats_rows.h"
#include "app/chat/store_errors.h"

namespace agens::chat {
namespace {

// The ids from `from` upwards, nearest first; at most `count`. The limit also ends a cycle that
// damage may have made.
std::vector<MessageId> idsUpwards(SQLite::Database& db, std::optional<MessageId> from, int count) {
    std::vector<MessageId> ids;
    Query parent(db, "SELECT parent_id FROM message WHERE id=?");
    while (from && static_cast<int>(ids.size()) < count) {
        if (!parent.with(*from).next()) break;
        ids.push_back(*from);
        from = parent.optionalId<MessageId>(0);
    }
    return ids;
}

// The ids below `from` on the remembered branch, nearest first; at most `count`.
std::vector<MessageId> idsDownwards(SQLite::Database& db, MessageId from, int count) {
    std::vector<MessageId> ids;
    // A child that is not one (damage) counts as none; without a choice the newest child is taken.
    Query child(db,
                "SELECT c.id FROM message m JOIN message c ON c.parent_id=m.id"
                " WHERE m.id=? AND c.deleted_ms IS NULL"
                " ORDER BY (c.id IS m.active_child) DESC, c.sibling DESC LIMIT 1");
    while (static_cast<int>(ids.size()) < count && child.with(from).next()) {
        from = child.id<MessageId>(0);
        ids.push_back(from);
    }
    return ids;
}

std::optional<MessageId> activeLeaf(SQLite::Database& db, ConversationId id) {
    Query row(db, "SELECT active_leaf FROM conversation WHERE id=?", id);
    return row.next() ? row.optionalId<MessageId>(0) : std::nullopt;
}

// Ids of a page, root's side first, and whether there is more.
struct Window {
    std::vector<MessageId> ids;
    bool moreBefore = false;
    bool moreAfter = false;
};

Window windowOf(std::vector<MessageId> upwards, std::vector<MessageId> downwards, int upLimit,
                int downLimit) {
    Window window;
    window.moreBefore = static_cast<int>(upwards.size()) > upLimit;
    window.moreAfter = static_cast<int>(downwards.size()) > downLimit;
    if (window.moreBefore) upwards.resize(static_cast<std::size_t>(upLimit));
    if (window.moreAfter) downwards.resize(static_cast<std::size_t>(downLimit));
    window.ids.assign(upwards.rbegin(), upwards.rend());
    window.ids.insert(window.ids.end(), downwards.begin(), downwards.end());
    return window;
}

Result<Window> findWindow(SQLite::Database& db, ConversationId id, const PageAnchor& anchor) {
    const int limit = std::clamp(anchor.limit, 1, PageAnchor::kWholeBranch);
    if (anchor.place == PageAnchor::Place::End) {
        return windowOf(idsUpwards(db, activeLeaf(db, id), limit + 1), {}, limit, 0);
    }
    TRY(const MessageRow row, readMessageRow(db, anchor.message));
    if (row.conversation != id) return notFound("message");
    switch (anchor.place) {
        case PageAnchor::Place::Before: {
            Window window = windowOf(idsUpwards(db, row.parent, limit + 1), {}, limit, 0);
            window.moreAfter = true;
            return window;
        }
        case PageAnchor::Place::After: {
            Window window = windowOf({}, idsDownwards(db, row.id, limit + 1), 0, limit);
            window.moreBefore = true;
            return window;
        }
        default: {
            const int up = limit / 2 + 1;
            const int down = limit - up;
            return windowOf(idsUpwards(db, row.id, up + 1), idsDownwards(db, row.id, down + 1), up,
                            down);
        }
    }
}

// Reads whole messages one after the other with statements prepared once.
class MessageReader {
 public:
    explicit MessageReader(SQLite::Database& db)
        : m_db(db),
          m_row(db,
                "SELECT parent_id, role, state, model_name, created_ms, finished_ms, error_code,"
                " error_text, conversation_id FROM message WHERE id=?"),
          m_siblings(db,
                     "SELECT id FROM message WHERE conversation_id=? AND parent_id IS ?"
                     " AND deleted_ms IS NULL ORDER BY sibling"),
          m_parts(db,
                  "SELECT id, kind, text, name, data, content_hash, duration_ms FROM part"
                  " WHERE message_id=? ORDER BY position") {}

    std::optional<Message> read(MessageId id) {
        if (!m_row.with(id).next()) return std::nullopt;
        Message message;
        message.id = id;
        message.parent = m_row.optionalId<MessageId>(0);
        message.role = parseRole(m_row.text(1)).value_or(Role::User);
        message.state = parseMessageState(m_row.text(2)).value_or(MessageState::Interrupted);
        message.modelName = m_row.text(3);
        message.created = m_row.id<Timestamp>(4);
        message.finished = m_row.optionalId<Timestamp>(5);
        if (message.state == MessageState::Error) {
            message.error = Error{ErrorKind::Internal, m_row.text(6), m_row.text(7), ""};
        }
        placeAmongSiblings(message, m_row.id<ConversationId>(8));
        readParts(message);
        if (message.role == Role::Assistant) readStats(m_db, message);
        return message;
    }

 private:
    void placeAmongSiblings(Message& message, ConversationId conversation) {
        message.siblingCount = 0;
        m_siblings.with(conversation, message.parent);
        std::optional<MessageId> before;
        bool isPassed = false;
        while (m_siblings.next()) {
            const auto id = m_siblings.id<MessageId>(0);
            if (id == message.id) {
                message.siblingIndex = message.siblingCount;
                message.previousSibling = before;
                isPassed = true;
            } else if (isPassed && !message.nextSibling) {
                message.nextSibling = id;
            }
            before = id;
            ++message.siblingCount;
        }
    }

    void readParts(Message& message) {
        if (isOpen(message.state)) {
            for (ReplyPart& tail : partsFromTail(m_db, message.id)) {
                message.parts.push_back(
                    {PartId(), tail.kind, std::move(tail.text), {}, tail.duration, false});
            }
            return;
        }
        m_parts.with(message.id);
        while (m_parts.next())
            message.parts.push_back(partFrom(m_parts));
    }

    static Part partFrom(const Query& row) {
        const std::optional<PartKind> kind = parsePartKind(row.text(1));
        Part part;
        part.id = row.id<PartId>(0);
        part.kind = kind.value_or(PartKind::Text);
        part.text = row.text(2);
        part.name = row.text(3);
        part.duration = std::chrono::milliseconds(row.integer(6));
        const std::int64_t hash = contentHash(row.text(1), part.text, part.name, row.text(4));
        if (!kind || hash != row.integer(5)) {
            part.damaged = true;
            part.text.clear();
            part.name.clear();
        }
        return part;
    }

    SQLite::Database& m_db;
    Query m_row;
    Query m_siblings;
    Query m_parts;
};

}  // namespace

Result<MessageRow> readMessageRow(SQLite::Database& db, MessageId id) {
    Query query(db,
                "SELECT conversation_id, parent_id, role, state FROM message"
                " WHERE id=? AND deleted_ms IS NULL",
                id);
    if (!query.next()) return notFound("message");
    return MessageRow{id, query.id<ConversationId>(0), query.optionalId<MessageId>(1),
                      parseRole(query.text(2)).value_or(Role::User),
                      parseMessageState(query.text(3)).value_or(MessageState::Interrupted)};
}

Result<Page> readBranch(SQLite::Database& db, ConversationId id, const PageAnchor& anchor) {
    if (!Query(db, "SELECT 1 FROM conversation WHERE id=?", id).next()) return notFound("chat");
    TRY(const Window window, findWindow(db, id, anchor));
    Page page;
    page.moreBefore = window.moreBefore;
    page.moreAfter = window.moreAfter;
    MessageReader reader(db);
    for (const MessageId message : window.ids) {
        if (auto read = reader.read(message)) page.messages.push_back(std::move(*read));
    }
    return page;
}

MessageId deepestLeaf(SQLite::Database& db, MessageId from) {
    const std::vector<MessageId> below = idsDownwards(db, from, PageAnchor::kWholeBranch);
    return below.empty() ? from : below.back();
}

std::vector<ReplyPart> partsFromTail(SQLite::Database& db, MessageId id) {
    std::vector<ReplyPart> parts;
    Query rows(db, "SELECT kind, text FROM reply_tail WHERE message_id=? ORDER BY seq", id);
    while (rows.next()) {
        const PartKind kind = parsePartKind(rows.text(0)).value_or(PartKind::Text);
        if (parts.empty() || parts.back().kind != kind) parts.push_back({kind, {}, {}, {}});
        parts.back().text += rows.text(1);
    }
    return parts;
}

}  // namespace agens::chat
