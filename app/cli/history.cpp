// SPDX-License-Identifier: Apache-2.0
// agens history: the stored conversations, as a list or one in full. Reads only.
#include <ctime>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/history_store.h"
#include "app/cli/json_output.h"

namespace agens::cli {
namespace {

using chat::ConversationHead;
using chat::Message;

std::string dateText(chat::Timestamp time) {
    const auto seconds = static_cast<std::time_t>(time.value / 1000);
    std::tm local{};
    ::localtime_r(&seconds, &local);
    char text[32];
    return std::string(text, std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &local));
}

std::string titleOf(const ConversationHead& head) {
    return head.title.empty() ? "(no title)" : head.title;
}

// Every page of the list.
Result<std::vector<ConversationHead>> allConversations(chat::Store& store) {
    std::vector<ConversationHead> all;
    chat::ListRequest request;
    while (true) {
        TRY(const std::vector<ConversationHead> page, store.conversations(request).get());
        all.insert(all.end(), page.begin(), page.end());
        if (page.size() < static_cast<std::size_t>(request.limit)) return all;
        request.after = {page.back().pinned, page.back().orderKey};
    }
}

Json headJson(const ConversationHead& head) {
    return {{"id", head.id.value},
            {"uid", head.uid},
            {"title", head.title},
            {"pinned", head.pinned},
            {"created_ms", head.created.value},
            {"updated_ms", head.updated.value}};
}

Json messageJson(const Message& message) {
    Json json = {{"id", message.id.value},
                 {"role", chat::toString(message.role)},
                 {"state", chat::toString(message.state)},
                 {"created_ms", message.created.value},
                 {"text", message.text()}};
    if (!message.reasoning().empty()) json["reasoning"] = message.reasoning();
    if (!message.modelName.empty()) json["model"] = message.modelName;
    if (message.siblingCount > 1)
        json["sibling"] = {message.siblingIndex + 1, message.siblingCount};
    if (message.error) json["error"] = message.error->what;
    return json;
}

Result<void> list(const HistoryListArguments& arguments, Terminal& terminal) {
    TRY(const std::unique_ptr<chat::Store> store, openHistory(arguments.dataDir, "agens history"));
    TRY(const std::vector<ConversationHead> heads, allConversations(*store));
    if (arguments.json) {
        Json json = Json::array();
        for (const ConversationHead& head : heads)
            json.push_back(headJson(head));
        terminal.out(toDocument({{"conversations", std::move(json)}}));
        return {};
    }
    for (const ConversationHead& head : heads) {
        terminal.outForeign(std::to_string(head.id.value) + "  " + dateText(head.updated) + "  " +
                            titleOf(head) + (head.pinned ? "  (pinned)" : "") + "\n");
    }
    if (heads.empty()) terminal.notice("There are no conversations yet.");
    return {};
}

void print(const Message& message, Terminal& terminal) {
    const bool isUser = message.role == chat::Role::User;
    std::string line = isUser ? "You" : message.role == chat::Role::Assistant ? "Reply" : "System";
    line += ", " + dateText(message.created);
    if (message.state != chat::MessageState::Complete)
        line += std::string(", ") + chat::toString(message.state);
    terminal.out(std::string(terminal.dim()) + line + std::string(terminal.plain()) + "\n");
    terminal.outForeign(message.text() + "\n\n");
    if (message.error) terminal.outForeign(message.error->what + "\n\n");
}

Result<void> show(const HistoryShowArguments& arguments, Terminal& terminal) {
    TRY(const std::unique_ptr<chat::Store> store, openHistory(arguments.dataDir, "agens history"));
    const chat::ConversationId id(arguments.conversation);
    TRY(const chat::Conversation conversation, store->conversation(id).get());
    TRY(const chat::Page page, store->branch(id, chat::PageAnchor::whole()).get());
    if (arguments.json) {
        Json json = headJson(conversation.head);
        json["system_prompt"] = conversation.systemPrompt;
        json["messages"] = Json::array();
        for (const Message& message : page.messages)
            json["messages"].push_back(messageJson(message));
        terminal.out(toDocument(json));
        return {};
    }
    terminal.outForeign(titleOf(conversation.head) + "\n\n");
    for (const Message& message : page.messages)
        print(message, terminal);
    return {};
}

int statusOf(const Result<void>& done, Terminal& terminal) {
    return done ? static_cast<int>(kOk) : terminal.fail(done.error());
}

}  // namespace

int run(const HistoryListArguments& arguments, Terminal& terminal) {
    return statusOf(list(arguments, terminal), terminal);
}

int run(const HistoryShowArguments& arguments, Terminal& terminal) {
    return statusOf(show(arguments, terminal), terminal);
}

}  // namespace agens::cli
