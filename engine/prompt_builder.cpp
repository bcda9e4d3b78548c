// SPDX-License-Identifier: Apache-2.0
// Rendering, marking, tokenising.
#include "engine/prompt_builder.h"

#include <string>
#include <utility>

#include "engine/text/tokenizer.h"

namespace agens::engine {
namespace {

void append(Prompt& prompt, std::string_view text, bool isContent) {
    if (text.empty()) return;
    const std::size_t begin = prompt.text.size();
    prompt.text += text;
    if (!prompt.spans.empty() && prompt.spans.back().isContent == isContent) {
        prompt.spans.back().end = prompt.text.size();
    } else {
        prompt.spans.push_back({begin, prompt.text.size(), isContent});
    }
}

std::vector<TokenId> encode(const Prompt& prompt, const text::Tokenizer& tokenizer) {
    std::vector<text::Span> spans;
    for (const PromptSpan& span : prompt.spans)
        spans.push_back({span.begin, span.end, span.isContent});
    std::vector<TokenId> ids = tokenizer.encodeSpans(prompt.text, spans);
    tokenizer.ensureBos(ids);
    return ids;
}

const char* plainLabel(MessageRole role) {
    switch (role) {
        case MessageRole::System:
            return "System: ";
        case MessageRole::User:
            return "User: ";
        case MessageRole::Assistant:
            return "Assistant: ";
        case MessageRole::Tool:
            return "Tool: ";
    }
    return "User: ";
}

Prompt renderPlain(const ChatPrompt& chat) {
    Prompt prompt;
    for (const ChatMessage& message : chat.messages) {
        append(prompt, plainLabel(message.role), false);
        append(prompt, message.content, true);
        append(prompt, "\n", false);
    }
    append(prompt, "Assistant:", false);
    return prompt;
}

Result<Prompt> fromIds(const IdPrompt& source, const text::Tokenizer& tokenizer) {
    for (const TokenId id : source.ids) {
        if (id.value >= 0 && static_cast<std::uint32_t>(id.value) < tokenizer.vocabReal()) continue;
        return Error{ErrorKind::InvalidRequest, "request.ids",
                     "Token id " + std::to_string(id.value) + " is not in the vocabulary of " +
                         std::to_string(tokenizer.vocabReal()) + ".",
                     "prompt"};
    }
    return Prompt{.ids = source.ids};
}

}  // namespace

Result<Prompt> buildPrompt(const Request& request, const text::Tokenizer& tokenizer,
                           const text::ChatTemplate*) {
    if (const auto* ids = std::get_if<IdPrompt>(&request.prompt)) return fromIds(*ids, tokenizer);
    Prompt prompt;
    if (const auto* raw = std::get_if<RawPrompt>(&request.prompt)) {
        append(prompt, raw->text, false);
    } else {
        prompt = renderPlain(std::get<ChatPrompt>(request.prompt));
    }
    append(prompt, request.replyPrefix, true);
    prompt.ids = encode(prompt, tokenizer);
    return prompt;
}

}  // namespace agens::engine
