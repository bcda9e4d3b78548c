// SPDX-License-Identifier: Apache-2.0
// agens generate: one prompt in, text out; with --jsonl one request a line.
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/chat/stats_json.h"
#include "app/cli/commands.h"
#include "app/cli/engine_opening.h"
#include "app/cli/exit_code.h"
#include "app/cli/input.h"
#include "app/cli/json_output.h"

namespace agens::cli {
namespace {

struct Reply {
    std::string text;
    std::string reasoning;
    std::vector<TokenId> ids;
    engine::Finished finished;
};

// Keeps the whole reply and, where a terminal is given, prints its text as it comes.
struct Collector final : ReplyObserver {
    explicit Collector(Terminal* shown) : terminal(shown) {}

    void onEvent(const engine::Event& event) override {
        const auto* piece = std::get_if<engine::Piece>(&event);
        if (piece == nullptr) return;
        const bool isText = piece->channel == engine::Channel::Text;
        (isText ? reply.text : reply.reasoning) += piece->text;
        reply.ids.insert(reply.ids.end(), piece->tokens.begin(), piece->tokens.end());
        if (terminal == nullptr || !isText) return;
        terminal->outForeign(piece->text);
        terminal->flush();
    }

    Terminal* terminal;
    Reply reply;
};

Json replyJson(const Reply& reply, bool withText) {
    Json ids = Json::array();
    for (const TokenId id : reply.ids)
        ids.push_back(id.value);
    Json json = Json::object();
    if (withText) json["text"] = reply.text;
    if (withText && !reply.reasoning.empty()) json["reasoning"] = reply.reasoning;
    json["ids"] = std::move(ids);
    json["finish_reason"] = engine::toString(reply.finished.reason);
    json["stats"] = chat::toJson(reply.finished.stats);
    return json;
}

Result<std::string> promptText(const GenerateArguments& arguments) {
    if (arguments.prompt) return *arguments.prompt;
    if (!arguments.promptFile.empty()) return readWholeFile(arguments.promptFile);
    return readStandardInput();
}

// Values of a --jsonl line over those of the command line.
template <class T>
Result<void> take(const Json& line, const char* name, std::optional<T>& value) {
    if (!line.contains(name) || line[name].is_null()) return {};
    const bool fits =
        std::is_floating_point_v<T> ? line[name].is_number() : line[name].is_number_unsigned();
    if (!fits) {
        return Error{ErrorKind::InvalidRequest, "input.value",
                     "\"" + std::string(name) + "\" must be a number.", name};
    }
    value = line[name].get<T>();
    return {};
}

class GenerateCommand {
 public:
    GenerateCommand(const GenerateArguments& arguments, engine::Engine& engine,
                    Interrupts& interrupts, Terminal& terminal)
        : m_arguments(arguments),
          m_engine(engine),
          m_interrupts(interrupts),
          m_terminal(terminal) {}

    Result<int> runOnce() {
        TRY(std::string text, promptText(m_arguments));
        engine::PromptSource prompt = engine::RawPrompt{text};
        if (!m_arguments.raw) prompt = chatPrompt(m_arguments.reply, std::move(text));
        const bool isStreamed = !m_arguments.ids && !m_arguments.json;
        TRY(const Reply reply,
            replyTo(requestFrom(m_arguments.reply, std::move(prompt)), isStreamed));
        printWhole(reply);
        TRY_VOID(report(reply.finished));
        return reply.finished.reason == engine::FinishReason::Cancelled ? kInterrupted : kOk;
    }

    Result<int> runLines() {
        TRY_VOID(forEachJsonLine([this](const Json& line) -> Result<void> {
            TRY(engine::Request request, requestOf(line));
            TRY(const Reply reply, replyTo(std::move(request), false));
            if (reply.finished.reason == engine::FinishReason::Cancelled) {
                return Error{ErrorKind::Cancelled, "cancelled", "Interrupted.", ""};
            }
            m_terminal.out(toLine(replyJson(reply, !m_arguments.ids)));
            m_terminal.flush();
            return {};
        }));
        return kOk;
    }

 private:
    Result<engine::Request> requestOf(const Json& line) const {
        ReplyArguments reply = m_arguments.reply;
        std::optional<std::uint32_t> maxTokens;
        TRY(std::vector<TokenId> ids,
            idsFrom(line.contains("prompt_ids") ? line["prompt_ids"] : Json()));
        TRY_VOID(take(line, "max_tokens", maxTokens));
        TRY_VOID(take(line, "seed", reply.seed));
        TRY_VOID(take(line, "temperature", reply.sampling.temperature));
        TRY_VOID(take(line, "top_k", reply.sampling.topK));
        TRY_VOID(take(line, "top_p", reply.sampling.topP));
        TRY_VOID(take(line, "min_p", reply.sampling.minP));
        TRY_VOID(take(line, "repetition_penalty", reply.sampling.repetitionPenalty));
        TRY_VOID(take(line, "repeat_last_n", reply.sampling.repeatLastN));
        reply.maxTokens = maxTokens.value_or(reply.maxTokens);
        return requestFrom(reply, engine::IdPrompt{std::move(ids)});
    }

    Result<Reply> replyTo(engine::Request request, bool isStreamed) {
        TRY(const std::shared_ptr<engine::RequestHandle> handle,
            m_engine.submit(std::move(request)));
        Collector collector(isStreamed ? &m_terminal : nullptr);
        TRY(collector.reply.finished, followReply(*handle, m_interrupts, m_terminal, collector));
        return std::move(collector.reply);
    }

    void printWhole(const Reply& reply) {
        if (m_arguments.json) {
            m_terminal.out(toDocument(replyJson(reply, true)));
            return;
        }
        std::string line;
        if (m_arguments.ids) {
            for (const TokenId id : reply.ids)
                line += (line.empty() ? "" : " ") + std::to_string(id.value);
        }
        if (m_arguments.ids || !reply.text.ends_with('\n')) m_terminal.out(line + "\n");
    }

    Result<void> report(const engine::Finished& finished) {
        if (m_arguments.stats) m_terminal.notice(statsText(finished.stats));
        if (m_arguments.statsFile.empty()) return {};
        std::ofstream file(m_arguments.statsFile, std::ios::binary);
        file << toDocument(chat::toJson(finished)) << std::flush;
        if (file) return {};
        return Error{ErrorKind::Io, "output.write", "The statistics could not be written.",
                     m_arguments.statsFile};
    }

    const GenerateArguments& m_arguments;
    engine::Engine& m_engine;
    Interrupts& m_interrupts;
    Terminal& m_terminal;
};

}  // namespace

int run(const GenerateArguments& arguments, Terminal& terminal) {
    const bool hasPrompt = arguments.prompt || !arguments.promptFile.empty() || arguments.jsonl;
    if (!hasPrompt && terminal.isInputTerminal()) {
        terminal.notice(
            "agens generate: give --prompt TEXT or --prompt-file FILE, or pipe the prompt in.");
        return kBadArguments;
    }
    Interrupts interrupts;
    const auto engine = openEngine(arguments.engine, terminal, interrupts.token());
    if (!engine) return terminal.fail(engine.error());
    GenerateCommand command(arguments, **engine, interrupts, terminal);
    const auto status = arguments.jsonl ? command.runLines() : command.runOnce();
    return status ? *status : terminal.fail(status.error());
}

}  // namespace agens::cli
