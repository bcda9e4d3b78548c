// SPDX-License-Identifier: Apache-2.0
// agens tokenize: text on stdin to token ids of a model's vocabulary. Needs the file's header only.
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/input.h"
#include "app/cli/json_output.h"
#include "app/cli/vocabulary_file.h"

namespace agens::cli {
namespace {

Json idsJson(const std::vector<TokenId>& ids) {
    Json list = Json::array();
    for (const TokenId id : ids)
        list.push_back(id.value);
    return {{"ids", std::move(list)}};
}

class TokenizeCommand {
 public:
    TokenizeCommand(const TokenizeArguments& arguments, text::Tokenizer tokenizer,
                    Terminal& terminal)
        : m_arguments(arguments), m_tokenizer(std::move(tokenizer)), m_terminal(terminal) {}

    Result<void> runLines() {
        return forEachJsonLine([this](const Json& line) -> Result<void> {
            TRY(const std::string text, textOf(line));
            m_terminal.out(toLine(idsJson(idsOf(text))));
            return {};
        });
    }

    Result<void> runOnce() {
        TRY(const std::string text, readStandardInput());
        const std::vector<TokenId> ids = idsOf(text);
        if (m_arguments.json) {
            m_terminal.out(toDocument(idsJson(ids)));
            return {};
        }
        std::string line;
        for (const TokenId id : ids)
            line += (line.empty() ? "" : " ") + std::to_string(id.value);
        m_terminal.out(line + "\n");
        return {};
    }

 private:
    static Result<std::string> textOf(const Json& line) {
        const Error wrong = {ErrorKind::InvalidRequest, "input.text",
                             "The line needs \"text\" or \"base64\".", ""};
        if (line.contains("text") && line["text"].is_string())
            return line["text"].get<std::string>();
        if (!line.contains("base64") || !line["base64"].is_string()) return wrong;
        auto bytes = decodeBase64(line["base64"].get<std::string>());
        if (!bytes) return wrong;
        return std::move(*bytes);
    }

    std::vector<TokenId> idsOf(const std::string& text) const {
        const auto mode = m_arguments.noSpecial ? text::MatchMode::NoControl : text::MatchMode::All;
        std::vector<TokenId> ids = m_tokenizer.encode(text, mode);
        if (m_arguments.bos) m_tokenizer.ensureBos(ids);
        return ids;
    }

    const TokenizeArguments& m_arguments;
    text::Tokenizer m_tokenizer;
    Terminal& m_terminal;
};

}  // namespace

int run(const TokenizeArguments& arguments, Terminal& terminal) {
    auto tokenizer = openVocabulary(arguments.model, arguments.dataDir);
    if (!tokenizer) return terminal.fail(tokenizer.error());
    TokenizeCommand command(arguments, std::move(*tokenizer), terminal);
    const auto done = arguments.jsonl ? command.runLines() : command.runOnce();
    return done ? static_cast<int>(kOk) : terminal.fail(done.error());
}

}  // namespace agens::cli
