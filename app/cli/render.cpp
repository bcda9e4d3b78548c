// SPDX-License-Identifier: Apache-2.0
// agens render: messages on stdin through a chat template, a file's or the model's own. Shows what
// the model would be given, which parts of it are template text and which content, and the token
// ids.
#include <ctime>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/input.h"
#include "app/cli/json_output.h"
#include "app/cli/model_choice.h"
#include "engine/model_file/tensor_index.h"
#include "engine/text/template/chat_template.h"
#include "engine/text/tokenizer.h"

namespace agens::cli {
namespace {

using text::ChatTemplate;
using text::RenderedPrompt;
using text::TemplateSettings;
using text::Tokenizer;

Error requestError(const char* id, std::string what, std::string where) {
    return {ErrorKind::InvalidRequest, id, std::move(what), std::move(where)};
}

// "2026-03-14T15:09:26" as it stands; nothing given = the local time.
Result<std::tm> timeFrom(const std::string& text) {
    std::tm time{};
    if (text.empty()) {
        const std::time_t now = std::time(nullptr);
        ::localtime_r(&now, &time);
        return time;
    }
    std::istringstream stream(text);
    stream >> std::get_time(&time, "%Y-%m-%dT%H:%M:%S");
    if (stream.fail()) {
        return requestError("render.now", "The time must look like 2026-03-14T15:09:26.", "--now");
    }
    time.tm_isdst = -1;
    ::timegm(&time);  // fills in the day of the week and of the year
    return time;
}

// The kinds that the goldens and scripts know.
const char* kindOf(const Error& error) {
    if (error.id == "template.raised") return "raise_exception";
    if (error.id == "template.syntax") return "syntax";
    if (error.id == "template.refused") return "security";
    if (error.id == "limit") return "limit";
    return "runtime";
}

Json spansJson(const std::vector<text::Span>& spans) {
    Json list = Json::array();
    for (const text::Span& span : spans) {
        list.push_back({span.begin, span.end, span.isContent ? "content" : "template"});
    }
    return list;
}

class RenderCommand {
 public:
    RenderCommand(const RenderArguments& arguments, Terminal& terminal)
        : m_arguments(arguments), m_terminal(terminal) {}

    // Model, template and clock, as far as the options name them.
    Result<void> prepare() {
        TRY(m_settings.now, timeFrom(m_arguments.now));
        const bool needsModel =
            m_arguments.ids || (m_arguments.templateFile.empty() && !m_arguments.snippet);
        std::string source;
        if (needsModel || !m_arguments.model.empty()) {
            TRY(source, openModel());
        }
        if (!m_arguments.templateFile.empty()) {
            TRY(source, readWholeFile(m_arguments.templateFile));
        }
        if (m_arguments.snippet) return {};
        if (source.empty()) {
            return requestError("render.template",
                                "The model has no chat template; name one with --template.",
                                "--template");
        }
        m_source = std::move(source);
        return {};
    }

    Result<void> runLines() {
        return forEachJsonLine([this](const Json& line) -> Result<void> {
            m_terminal.out(toLine(answerTo(line)));
            return {};
        });
    }

    Result<void> runOnce() {
        TRY(const std::string input, readStandardInput());
        TRY(Json context, parseJson(input, "stdin"));
        if (context.is_array()) context = {{"messages", context}};
        if (!context.contains("add_generation_prompt")) context["add_generation_prompt"] = true;
        TRY(const RenderedPrompt prompt, rendered(m_source, context));
        if (m_arguments.spans || m_arguments.ids) {
            m_terminal.out(toDocument(promptJson(prompt)));
        } else {
            m_terminal.outForeign(prompt.text);
        }
        return {};
    }

 private:
    // Gives the model's own template; keeps its tokenizer.
    Result<std::string> openModel() {
        TRY(const std::filesystem::path path, chosenModel(m_arguments.model, m_arguments.dataDir));
        TRY(const model_file::ModelFile file, model_file::openModelFile(path));
        TRY(Tokenizer tokenizer, Tokenizer::fromMetadata(file.metadata));
        if (tokenizer.bos()) m_settings.bosToken = tokenizer.tokenText(*tokenizer.bos());
        if (tokenizer.eos()) m_settings.eosToken = tokenizer.tokenText(*tokenizer.eos());
        m_tokenizer = std::move(tokenizer);
        TRY(const std::optional<std::string> source, file.metadata.text("tokenizer.chat_template"));
        return source.value_or("");
    }

    Json answerTo(const Json& line) const {
        const auto prompt = m_arguments.snippet ? renderedSnippet(line) : rendered(m_source, line);
        if (prompt) return promptJson(*prompt);
        const Error& error = prompt.error();
        return {{"error", {{"kind", kindOf(error)}, {"message", error.what}}}};
    }

    Result<RenderedPrompt> renderedSnippet(const Json& line) const {
        const bool isWhole = line.contains("template") && line["template"].is_string();
        if (!isWhole)
            return requestError("render.snippet", "The line needs \"template\".", "template");
        return rendered(line["template"].get<std::string>(), line.value("context", Json::object()));
    }

    Result<RenderedPrompt> rendered(const std::string& source, const Json& context) const {
        TRY(const ChatTemplate chatTemplate, ChatTemplate::parse(source));
        return chatTemplate.renderContext(context, m_settings);
    }

    Json promptJson(const RenderedPrompt& prompt) const {
        Json json = {{"text", prompt.text}};
        if (m_arguments.spans) json["spans"] = spansJson(prompt.spans);
        if (!m_arguments.ids) return json;
        Json ids = Json::array();
        for (const TokenId id : m_tokenizer->encodeSpans(prompt.text, prompt.spans))
            ids.push_back(id.value);
        json["ids"] = std::move(ids);
        return json;
    }

    const RenderArguments& m_arguments;
    Terminal& m_terminal;
    std::string m_source;
    TemplateSettings m_settings;
    std::optional<Tokenizer> m_tokenizer;
};

}  // namespace

int run(const RenderArguments& arguments, Terminal& terminal) {
    RenderCommand command(arguments, terminal);
    if (const auto prepared = command.prepare(); !prepared) return terminal.fail(prepared.error());
    const auto done = arguments.jsonl ? command.runLines() : command.runOnce();
    return done ? static_cast<int>(kOk) : terminal.fail(done.error());
}

}  // namespace agens::cli
