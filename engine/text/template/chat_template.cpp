// SPDX-License-Identifier: Apache-2.0
// The border of the interpreter: variables in, text with spans out, TemplateFailure into Error.
#include "engine/text/template/chat_template.h"

#include <new>
#include <nlohmann/json.hpp>

#include "engine/text/template/failure.h"
#include "engine/text/template/interpreter.h"
#include "engine/text/template/parser.h"
#include "engine/text/utf8.h"

namespace agens::text {
namespace {

constexpr std::uint64_t kStepsPerByte = 200;
constexpr std::size_t kLargePrompt = std::size_t{1} << 20;

const char* idOf(FailureKind kind) {
    switch (kind) {
        case FailureKind::Syntax:
            return "template.syntax";
        case FailureKind::Runtime:
            return "template.runtime";
        case FailureKind::Raised:
            return "template.raised";
        case FailureKind::Refused:
            return "template.refused";
        case FailureKind::Unsupported:
            return "template.unsupported";
        case FailureKind::Limit:
            return "limit";
    }
    return "template.runtime";
}

Error errorOf(const TemplateFailure& failure) {
    std::string where = "chat template";
    if (failure.line > 0) where += ", line " + std::to_string(failure.line);
    return {ErrorKind::InvalidRequest, idOf(failure.kind), failure.what, std::move(where)};
}

Error noMemory() {
    return {ErrorKind::NoMemory, "template.memory",
            "There is no memory left for the chat template.", "chat template"};
}

// Bytes of all texts in a context.
std::size_t textBytes(const Json& json) {
    if (json.is_string()) return json.get_ref<const std::string&>().size();
    std::size_t bytes = 0;
    if (json.is_structured()) {
        for (const Json& item : json)
            bytes += textBytes(item);
    }
    return bytes;
}

BudgetLimits limitsFor(const Json& variables) {
    BudgetLimits limits;
    const std::size_t bytes = textBytes(variables);
    limits.steps += kStepsPerByte * bytes;
    if (bytes > kLargePrompt) limits.time *= 5;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    limits.time *= 10;
#endif
    return limits;
}

RenderedPrompt promptOf(const Text& text) {
    RenderedPrompt prompt;
    prompt.text = text.bytes();
    std::size_t begin = 0;
    for (const Text::Run& run : text.runs()) {
        prompt.spans.push_back({begin, run.end, run.mark == Mark::Content});
        begin = run.end;
    }
    return prompt;
}

Json contextOf(const TemplateInputs& inputs) {
    Json messages = Json::array();
    for (const TemplateMessage& message : inputs.messages) {
        Json each = {{"role", message.role}, {"content", message.content}};
        if (!message.reasoning.empty()) each["reasoning_content"] = message.reasoning;
        messages.push_back(std::move(each));
    }
    Json context = {{"messages", std::move(messages)},
                    {"tools", nullptr},
                    {"documents", nullptr},
                    {"add_generation_prompt", inputs.addGenerationPrompt}};
    if (inputs.thinking) context["enable_thinking"] = *inputs.thinking;
    return context;
}

}  // namespace

struct ChatTemplate::Parsed {
    std::string source;
    Body body;
};

void RenderedPrompt::appendContent(std::string_view content) {
    if (content.empty()) return;
    spans.push_back({text.size(), text.size() + content.size(), true});
    text += content;
}

ChatTemplate::ChatTemplate(std::unique_ptr<const Parsed> parsed) : m_parsed(std::move(parsed)) {}
ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;
ChatTemplate::~ChatTemplate() = default;

Result<ChatTemplate> ChatTemplate::parse(std::string_view source) {
    if (source.size() > kLargestSource) {
        return errorOf({FailureKind::Limit, "The chat template has more than 1 MiB.", 0});
    }
    try {
        auto parsed = std::make_unique<Parsed>();
        parsed->source = withReplacements(source);
        parsed->body = parseTemplate(parsed->source);
        return ChatTemplate(std::move(parsed));
    } catch (const TemplateFailure& failure) {
        return errorOf(failure);
    } catch (const std::bad_alloc&) {
        return noMemory();
    }
}

Result<RenderedPrompt> ChatTemplate::render(const TemplateInputs& inputs) const {
    return renderContext(contextOf(inputs), inputs.settings);
}

Result<RenderedPrompt> ChatTemplate::renderContext(const Json& variables,
                                                   const TemplateSettings& settings) const {
    try {
        Budget budget(limitsFor(variables));
        Interpreter interpreter(budget, settings.now);
        interpreter.setVariable("bos_token", Text::literal(withReplacements(settings.bosToken)));
        interpreter.setVariable("eos_token", Text::literal(withReplacements(settings.eosToken)));
        for (const auto& [name, value] : variables.items()) {
            interpreter.setVariable(name, fromJson(value, budget));
        }
        return promptOf(*interpreter.render(m_parsed->body));
    } catch (const TemplateFailure& failure) {
        return errorOf(failure);
    } catch (const std::bad_alloc&) {
        return noMemory();
    }
}

bool ChatTemplate::canThink(const TemplateSettings& settings) const {
    TemplateInputs inputs;
    inputs.messages = {{"user", "Hello", ""}};
    inputs.settings = settings;
    inputs.thinking = true;
    const auto with = render(inputs);
    inputs.thinking = false;
    const auto without = render(inputs);
    return with && without && with->text != without->text;
}

const std::string& ChatTemplate::source() const {
    return m_parsed->source;
}

}  // namespace agens::text
