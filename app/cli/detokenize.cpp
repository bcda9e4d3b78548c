// SPDX-License-Identifier: Apache-2.0
// agens detokenize: token ids on stdin to text. Bytes that are no UTF-8 are given as base64 in the
// JSON forms and as U+FFFD in plain text.
#include <charconv>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/input.h"
#include "app/cli/json_output.h"
#include "app/cli/vocabulary_file.h"
#include "engine/text/utf8.h"

namespace agens::cli {
namespace {

std::string bytesOf(const text::Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
    std::string bytes;
    for (const TokenId id : ids)
        bytes += tokenizer.tokenBytes(id);
    return bytes;
}

Json textJson(const std::string& bytes) {
    if (text::isValidUtf8(bytes)) return {{"text", bytes}};
    return {{"base64", encodeBase64(bytes)}};
}

// "1 2 3" or "[1, 2, 3]".
Result<std::vector<TokenId>> idsFromText(const std::string& text) {
    if (text.find('[') != std::string::npos) {
        TRY(const Json list, parseJson(text, "stdin"));
        return idsFrom(list);
    }
    std::vector<TokenId> ids;
    for (const char *at = text.data(), *end = at + text.size(); at != end;) {
        if (std::string_view(" \t\r\n").find(*at) != std::string_view::npos) {
            ++at;
            continue;
        }
        std::int32_t id = 0;
        const auto [next, failure] = std::from_chars(at, end, id);
        if (failure != std::errc() || id < 0) {
            return Error{ErrorKind::InvalidRequest, "input.ids",
                         "The input must be token ids with spaces between them, or a JSON list.",
                         "stdin"};
        }
        ids.emplace_back(id);
        at = next;
    }
    return ids;
}

Result<void> runLines(const text::Tokenizer& tokenizer, Terminal& terminal) {
    return forEachJsonLine([&](const Json& line) -> Result<void> {
        TRY(const std::vector<TokenId> ids, idsFrom(line.contains("ids") ? line["ids"] : Json()));
        terminal.out(toLine(textJson(bytesOf(tokenizer, ids))));
        return {};
    });
}

Result<void> runOnce(const text::Tokenizer& tokenizer, bool json, Terminal& terminal) {
    TRY(const std::string input, readStandardInput());
    TRY(const std::vector<TokenId> ids, idsFromText(input));
    const std::string bytes = bytesOf(tokenizer, ids);
    if (json) {
        terminal.out(toDocument(textJson(bytes)));
    } else {
        terminal.outForeign(text::withReplacements(bytes) + "\n");
    }
    return {};
}

}  // namespace

int run(const DetokenizeArguments& arguments, Terminal& terminal) {
    const auto tokenizer = openVocabulary(arguments.model, arguments.dataDir);
    if (!tokenizer) return terminal.fail(tokenizer.error());
    const auto done = arguments.jsonl ? runLines(*tokenizer, terminal)
                                      : runOnce(*tokenizer, arguments.json, terminal);
    return done ? static_cast<int>(kOk) : terminal.fail(done.error());
}

}  // namespace agens::cli
