// SPDX-License-Identifier: Apache-2.0
// ChatTemplate: a model's chat template, parsed once, rendered for each prompt by the own
// interpreter of the Jinja language (trim_blocks and lstrip_blocks on, loop controls, json without
// escapes).
//
//   ChatTemplate::parse(source) → Result            syntax is checked, nothing runs
//   render(TemplateInputs)      → RenderedPrompt     messages of a chat
//   renderContext(json, …)      → RenderedPrompt     any variables (goldens, `agens render
//   --jsonl`)
//
// What came from a variable is content in the spans, what the template wrote is template text; only
// there can the tokenizer find control tokens. bos_token and eos_token count as template text.
// Errors: InvalidRequest. id "template.raised": the template called raise_exception, `what` is its
// text; "template.syntax", "template.runtime", "template.refused", "template.unsupported", "limit".
// Thread: any; rendering shares nothing.
#pragma once

#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/text/added_tokens.h"

namespace agens::text {

struct TemplateMessage {
    std::string role;  // "system", "user", "assistant", "tool"
    std::string content;
    std::string reasoning;  // assistant only; empty = none
};

struct TemplateSettings {
    std::string bosToken;
    std::string eosToken;
    std::tm now{};  // local time for strftime_now
};

struct TemplateInputs {
    std::vector<TemplateMessage> messages;
    bool addGenerationPrompt = true;
    std::optional<bool> thinking;  // nothing: the template's own default
    TemplateSettings settings;
};

struct RenderedPrompt {
    std::string text;
    std::vector<Span> spans;  // back to back over the text

    // Text that follows the prompt and may hold anything (a reply that is continued).
    void appendContent(std::string_view content);
};

class ChatTemplate {
 public:
    static constexpr std::size_t kLargestSource = std::size_t{1} << 20;

    static Result<ChatTemplate> parse(std::string_view source);

    ChatTemplate(ChatTemplate&&) noexcept;
    ChatTemplate& operator=(ChatTemplate&&) noexcept;
    ~ChatTemplate();

    Result<RenderedPrompt> render(const TemplateInputs& inputs) const;
    Result<RenderedPrompt> renderContext(const Json& variables,
                                         const TemplateSettings& settings) const;
    // True iff thinking on and off give different prompts.
    bool canThink(const TemplateSettings& settings) const;
    const std::string& source() const;

 private:
    struct Parsed;
    explicit ChatTemplate(std::unique_ptr<const Parsed> parsed);

    std::unique_ptr<const Parsed> m_parsed;
};

}  // namespace agens::text
