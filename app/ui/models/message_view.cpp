// SPDX-License-Identifier: Apache-2.0
// Which rows a message has, and what stands in those that are no Markdown.
#include "app/ui/models/message_view.h"

#include "app/ui/models/text_format.h"

namespace agens::ui {
namespace {

using chat::MessageState;
using service::ReplyPhase;

// Shorter prefills show nothing: a strip that flashes is worse than none.
constexpr std::uint64_t kPrefillShownAfterUs = 300'000;

MessageFacts factsOf(const chat::Message& message) {
    MessageFacts facts;
    facts.id = message.id;
    facts.role = message.role;
    facts.state = message.state;
    facts.siblingIndex = message.siblingIndex;
    facts.siblingCount = message.siblingCount;
    facts.previousSibling = message.previousSibling;
    facts.nextSibling = message.nextSibling;
    facts.stats = message.stats;
    facts.reasoningTokens = message.reasoningTokens;
    facts.error = message.error;
    for (const chat::Part& part : message.parts) {
        facts.isDamaged = facts.isDamaged || part.damaged;
        if (part.kind == chat::PartKind::Reasoning) {
            facts.reasoningMs += static_cast<std::uint64_t>(part.duration.count());
        }
    }
    if (chat::isOpen(message.state)) facts.phase = ReplyPhase::Waiting;
    return facts;
}

}  // namespace

const char* toString(RowKind kind) {
    switch (kind) {
        case RowKind::User:
            return "user";
        case RowKind::Paragraph:
            return "paragraph";
        case RowKind::Heading:
            return "heading";
        case RowKind::ListItem:
            return "listItem";
        case RowKind::Quote:
            return "quote";
        case RowKind::Code:
            return "code";
        case RowKind::Table:
            return "table";
        case RowKind::Rule:
            return "rule";
        case RowKind::Notice:
            return "notice";
        case RowKind::Prefill:
            return "prefill";
        case RowKind::Footer:
            return "footer";
    }
    return "";
}

RowKind rowKindOf(markdown::BlockKind kind) {
    using markdown::BlockKind;
    switch (kind) {
        case BlockKind::Paragraph:
            return RowKind::Paragraph;
        case BlockKind::Heading:
            return RowKind::Heading;
        case BlockKind::ListItem:
            return RowKind::ListItem;
        case BlockKind::Quote:
            return RowKind::Quote;
        case BlockKind::Code:
            return RowKind::Code;
        case BlockKind::Table:
            return RowKind::Table;
        case BlockKind::Rule:
            return RowKind::Rule;
        case BlockKind::ImageRef:
        case BlockKind::Notice:
            return RowKind::Notice;
    }
    return RowKind::Paragraph;
}

std::vector<RowKind> headOf(const MessageFacts& facts) {
    if (facts.role == chat::Role::User) return {RowKind::User};
    std::vector<RowKind> head;
    if (!thinkingText(facts).empty()) head.push_back(RowKind::Notice);
    if (facts.isLive && (facts.phase == ReplyPhase::Waiting || facts.phase == ReplyPhase::Prefill))
        head.push_back(RowKind::Prefill);
    return head;
}

std::vector<RowKind> tailOf(const MessageFacts& facts) {
    if (facts.role == chat::Role::User) return {};
    std::vector<RowKind> tail;
    if (!endText(facts).empty()) tail.push_back(RowKind::Notice);
    tail.push_back(RowKind::Footer);
    return tail;
}

std::string prefillText(const MessageFacts& facts) {
    if (facts.phase != ReplyPhase::Prefill || facts.prefill.elapsedUs < kPrefillShownAfterUs)
        return {};
    QString text = "Reading the conversation " + groupedNumber(facts.prefill.done) + " of " +
                   tokensText(facts.prefill.total);
    if (facts.prefill.cached > 0)
        text += QStringLiteral(" · ") + groupedNumber(facts.prefill.cached) + " cached";
    return toStd(text);
}

std::string thinkingText(const MessageFacts& facts) {
    if (facts.isLive && facts.phase == ReplyPhase::Thinking) return "Thinking…";
    if (facts.reasoningTokens == 0) return {};
    QString text = "Thought";
    if (facts.reasoningMs > 0) text += " for " + secondsText(facts.reasoningMs * 1000);
    return toStd(text + QStringLiteral(" · ") + tokensText(facts.reasoningTokens));
}

std::string endText(const MessageFacts& facts) {
    if (facts.isDamaged) return "This message cannot be read.";
    switch (facts.state) {
        case MessageState::Stopped:
            return "Stopped";
        case MessageState::Limit:
            return "Length limit reached";
        case MessageState::Interrupted:
            return "Interrupted. The text up to here is saved.";
        case MessageState::Error:
            return facts.error ? facts.error->what + " The text up to here is saved."
                               : "The reply failed. The text up to here is saved.";
        case MessageState::Queued:
            return facts.isLive ? "" : "Not answered yet. Regenerate asks for the reply.";
        case MessageState::Complete:
            return facts.hasText ? "" : "The model ended its reply without a word.";
        case MessageState::Generating:
            return {};
    }
    return {};
}

MessageView viewOf(const chat::Message& message) {
    MessageView view;
    view.facts = factsOf(message);
    view.text = message.text();
    view.facts.hasText = !view.text.empty();
    if (message.role != chat::Role::User) {
        markdown::MessageBlocks blocks;
        blocks.append(view.text);
        blocks.finish();
        view.blocks = blocks.blocks();
    }
    view.head = headOf(view.facts);
    view.tail = tailOf(view.facts);
    return view;
}

std::vector<MessageView> viewsOf(const std::vector<chat::Message>& branch) {
    std::vector<MessageView> views;
    views.reserve(branch.size());
    for (const chat::Message& message : branch)
        views.push_back(viewOf(message));
    return views;
}

}  // namespace agens::ui
