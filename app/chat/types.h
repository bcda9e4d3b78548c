// SPDX-License-Identifier: Apache-2.0
// The values that chat, service and window exchange: conversations as trees of messages, their
// parts, what is sent and what a reply ended with. Plain values; strings are UTF-8; no Qt.
//
// A conversation is a tree: each message names its parent, children of one parent are siblings
// (regenerated replies, edited user messages). The shown branch is the path from the active leaf
// up.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/events.h"

namespace agens::chat {

using ConversationId = Unit<struct ConversationTag, std::int64_t>;
using MessageId = Unit<struct MessageTag, std::int64_t>;
using PartId = Unit<struct PartTag, std::int64_t>;
using Timestamp = Unit<struct TimestampTag, std::int64_t>;  // ms since 1970, for display only

enum class Role { System, User, Assistant, Tool };
enum class MessageState { Queued, Generating, Complete, Stopped, Limit, Interrupted, Error };
enum class PartKind { Text, Reasoning, Image, File, ToolCall, ToolResult };
enum class TitleSource { None, FirstLine, Model, User };
enum class ThinkingMode { Auto, On, Off };

// Names as they stand in the store and in exports ("generating", "tool_call", "first_line").
const char* toString(Role role);
const char* toString(MessageState state);
const char* toString(PartKind kind);
const char* toString(TitleSource source);
const char* toString(ThinkingMode mode);

// The value of such a name; nothing = no such name.
std::optional<Role> parseRole(std::string_view name);
std::optional<MessageState> parseMessageState(std::string_view name);
std::optional<PartKind> parsePartKind(std::string_view name);
std::optional<TitleSource> parseTitleSource(std::string_view name);
std::optional<ThinkingMode> parseThinkingMode(std::string_view name);

// True while the engine owes text for it.
constexpr bool isOpen(MessageState state) {
    return state == MessageState::Queued || state == MessageState::Generating;
}

// A row of the sidebar.
struct ConversationHead {
    ConversationId id;
    std::string uid;  // 32 hex digits, stable across export and import
    std::string title;
    TitleSource titleSource = TitleSource::None;
    bool pinned = false;
    std::int64_t orderKey = 0;  // last activity: highest + 1 each time, independent of the clock
    Timestamp created;
    Timestamp updated;
    bool hasDraft = false;
    bool running = false;  // a reply is queued or generating
    bool unread = false;
    std::optional<Timestamp> deleted;  // when it went to the trash
};

struct Conversation {
    ConversationHead head;
    std::string systemPrompt;
    std::string options = "{}";  // JSON object: only values that differ from the default
    std::optional<MessageId> activeLeaf;
};

struct Part {
    PartId id;
    PartKind kind = PartKind::Text;
    std::string text;  // empty when damaged
    std::string name;
    std::chrono::milliseconds duration{0};  // reasoning: how long it took
    bool damaged =
        false;  // its hash differs from its content: show "cannot be read", never the text
};

struct Message {
    MessageId id;
    std::optional<MessageId> parent;
    Role role = Role::User;
    MessageState state = MessageState::Complete;
    int siblingIndex = 0;  // place among its siblings, from 0
    int siblingCount = 1;
    std::optional<MessageId> previousSibling;  // targets of the branch switch
    std::optional<MessageId> nextSibling;
    std::string modelName;
    Timestamp created;
    std::optional<Timestamp> finished;
    std::vector<Part> parts;  // of a generating message: what its checkpoints hold so far
    std::optional<engine::ReplyStats> stats;
    std::uint32_t reasoningTokens = 0;
    std::optional<Error> error;  // state Error only: id and sentence

    // All text parts joined, resp. all reasoning parts.
    std::string text() const;
    std::string reasoning() const;
};

// Which part of the active branch is read. Before and After exclude the named message, Around has
// it in the middle. The limit counts messages.
struct PageAnchor {
    enum class Place { End, Around, Before, After };
    static constexpr int kPage = 60;
    static constexpr int kWholeBranch = 1'000'000;

    Place place = Place::End;
    MessageId message;
    int limit = kPage;

    static PageAnchor end(int limit = kPage) { return {Place::End, MessageId(), limit}; }
    static PageAnchor whole() { return end(kWholeBranch); }
    static PageAnchor around(MessageId id) { return {Place::Around, id, kPage}; }
    static PageAnchor before(MessageId id) { return {Place::Before, id, kPage}; }
    static PageAnchor after(MessageId id) { return {Place::After, id, kPage}; }
};

// Messages from the root's side to the leaf's side.
struct Page {
    std::vector<Message> messages;
    bool moreBefore = false;
    bool moreAfter = false;
};

enum class ListFilter { Listed, Trash };  // Listed: not in the trash, with a message or a draft

// The list is ordered by (pinned, orderKey), both descending; `after` = the last row already held.
struct ListRequest {
    ListFilter filter = ListFilter::Listed;
    int limit = 200;
    struct Place {
        bool pinned = false;
        std::int64_t orderKey = 0;
    };
    std::optional<Place> after = {};
};

// What a person sends. With editOf, the message becomes a sibling of that user message.
struct Outgoing {
    std::string text = {};  // at most 16 MiB
    std::optional<MessageId> editOf = {};
    ThinkingMode thinking = ThinkingMode::Auto;
    std::string modelName = {};  // of the model that will reply; may be empty
    bool waits = false;  // the reply starts as Queued (a model is loading); begin() starts it
};

struct Sent {
    MessageId user = {};
    MessageId reply = {};
    ConversationHead head;  // with the new title and order
};

// Text that a running reply got since its last checkpoint.
struct TailPiece {
    PartKind kind = PartKind::Text;  // Text, Reasoning or ToolCall
    std::string text = {};

    bool operator==(const TailPiece&) const = default;
};

struct ReplyPart {
    PartKind kind = PartKind::Text;
    std::string text = {};
    std::string name = {};
    std::chrono::milliseconds duration{0};

    bool operator==(const ReplyPart&) const = default;
};

// How a reply ended, whole: replaces every checkpoint.
struct FinishedReply {
    MessageState state = MessageState::Complete;  // Complete, Stopped, Limit, Interrupted or Error
    std::vector<ReplyPart> parts = {};
    std::optional<engine::ReplyStats> stats = {};
    std::uint32_t reasoningTokens = 0;
    std::string engineBuild = {};
    std::string profile = {};
    std::optional<Error> error = {};  // with state Error
};

// Unsent text of a conversation's composer.
struct Draft {
    std::string text = {};
    int cursor = 0;  // in UTF-16 units, as the text field counts
    std::optional<MessageId> editOf = {};
    ThinkingMode thinking = ThinkingMode::Auto;

    bool operator==(const Draft&) const = default;
};

}  // namespace agens::chat
