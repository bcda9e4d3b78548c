// SPDX-License-Identifier: Apache-2.0
// MessageView: one message as the transcript shows it: facts, and its rows in three sections.
//
//   head    user: the bubble · reply: prefill strip, line about thinking
//   blocks  the Markdown blocks of a reply, as MessageBlocks gives them
//   tail    reply: notice of how it ended, footer
//
// Stored and streaming replies have the same rows: headOf() and tailOf() decide by the facts alone.
// Invariant: row ids are stable for the life of a message version.
// Thread: plain values; viewOf() parses Markdown, so it runs on a worker.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/chat/types.h"
#include "app/service/reply_sink.h"
#include "app/ui/markdown/incremental.h"

namespace agens::ui {

enum class RowKind : std::uint8_t {
    User,
    Paragraph,
    Heading,
    ListItem,
    Quote,
    Code,
    Table,
    Rule,
    Notice,
    Prefill,
    Footer,
};
const char* toString(RowKind kind);
// The kind of row that shows a block; a picture's address and a limit are notices.
RowKind rowKindOf(markdown::BlockKind kind);

// What the rows beside the blocks depend on.
struct MessageFacts {
    chat::MessageId id;
    chat::Role role = chat::Role::User;
    chat::MessageState state = chat::MessageState::Complete;
    int siblingIndex = 0;
    int siblingCount = 1;
    std::optional<chat::MessageId> previousSibling;
    std::optional<chat::MessageId> nextSibling;
    std::optional<engine::ReplyStats> stats;
    std::uint32_t reasoningTokens = 0;
    std::uint64_t reasoningMs = 0;
    std::optional<Error> error;
    bool isDamaged = false;
    bool hasText = true;  // of a reply: a word of an answer came

    // While it runs.
    bool isLive = false;
    service::ReplyPhase phase = service::ReplyPhase::Ended;
    engine::Prefill prefill;
    double tokensPerSecond = 0;
    std::uint32_t tokens = 0;
};

struct MessageView {
    MessageFacts facts;
    std::string text;  // as sent, resp. as the model wrote it: what Copy gives
    std::vector<RowKind> head;
    std::vector<markdown::IdentifiedBlock> blocks;
    std::vector<RowKind> tail;

    std::size_t rowCount() const { return head.size() + blocks.size() + tail.size(); }
};

std::vector<RowKind> headOf(const MessageFacts& facts);
std::vector<RowKind> tailOf(const MessageFacts& facts);
// "Reading the conversation 8 192 of 12 402 tokens · 4 210 cached", empty for the first 300 ms.
std::string prefillText(const MessageFacts& facts);
// Of the notice row in the head resp. tail.
std::string thinkingText(const MessageFacts& facts);
std::string endText(const MessageFacts& facts);

MessageView viewOf(const chat::Message& message);
std::vector<MessageView> viewsOf(const std::vector<chat::Message>& branch);

}  // namespace agens::ui
