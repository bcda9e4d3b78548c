// SPDX-License-Identifier: Apache-2.0
// Rendering, marking, tokenising.
#include "engine/prompt_builder.h"

#include <string>
#include <utility>

#include "engine/text/template/template_choice.h"

namespace agens::engine {
namespace {

const char* roleName(MessageRole role) {
    switch (role) {
        case MessageRole::System:
            return "system";
        case MessageRole::User:
            return "user";
        case MessageRole::Assistant:
            return "assistant";
        case MessageRole::Tool:
            return "tool";
    }
    return "user";
}

Result<text::RenderedPrompt> renderChat(const ChatPrompt& chat, const text::Tokenizer& tokenizer,
                                        const text::ChatTemplate& chatTemplate,
                                        const std::tm& now) {
    text::TemplateInputs inputs;
    for (const ChatMessage& message : chat.messages) {
        inputs.messages.push_back({roleName(message.role), message.content, message.reasoning});
    }
    inputs.thinking = chat.thinking;
    inputs.settings = text::templateSettings(tokenizer, now);
    return chatTemplate.render(inputs);
}

text::RenderedPrompt renderRaw(const RawPrompt& raw) {
    text::RenderedPrompt rendered;
    rendered.text = raw.text;
    if (!raw.text.empty()) rendered.spans.push_back({0, raw.text.size(), false});
    return rendered;
}

Prompt tokenised(text::RenderedPrompt rendered, const text::Tokenizer& tokenizer) {
    Prompt prompt;
    prompt.ids = tokenizer.encodeSpans(rendered.text, rendered.spans);
    tokenizer.ensureBos(prompt.ids);
    for (const text::Span& span : rendered.spans) {
        prompt.spans.push_back({span.begin, span.end, span.isContent});
    }
    prompt.text = std::move(rendered.text);
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
                           const text::ChatTemplate& chatTemplate, const std::tm& now) {
    if (const auto* ids = std::get_if<IdPrompt>(&request.prompt)) return fromIds(*ids, tokenizer);
    text::RenderedPrompt rendered;
    if (const auto* raw = std::get_if<RawPrompt>(&request.prompt)) {
        rendered = renderRaw(*raw);
    } else {
        TRY(rendered,
            renderChat(std::get<ChatPrompt>(request.prompt), tokenizer, chatTemplate, now));
    }
    rendered.appendContent(request.replyPrefix);
    return tokenised(std::move(rendered), tokenizer);
}

}  // namespace agens::engine
