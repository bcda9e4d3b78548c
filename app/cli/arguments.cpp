// SPDX-License-Identifier: Apache-2.0
// The option parser (CLI11) lives in this file only: its header costs seconds to compile.
#include "app/cli/arguments.h"

#include <CLI/CLI.hpp>
#include <map>

#include "app/cli/exit_code.h"

namespace agens::cli {
namespace {

constexpr const char* kScriptedPrefix = "scripted:";

template <class T>
CLI::CheckedTransformer oneOf(const std::map<std::string, T>& values) {
    return CLI::CheckedTransformer(values, CLI::ignore_case);
}

// "scripted:FILE" → FILE.
std::string scriptOf(const std::string& text) {
    const std::string prefix = kScriptedPrefix;
    if (!text.starts_with(prefix) || text.size() == prefix.size()) {
        throw CLI::ValidationError("--engine", "must be scripted:FILE");
    }
    return text.substr(prefix.size());
}

void addModel(CLI::App& command, std::string& model, std::string& dataDir) {
    command.add_option("--model", model,
                       "Model file, or its name in the model folder (default: the installed one)");
    command.add_option("--data-dir", dataDir,
                       "Folder of history and models (default: the XDG data folder)");
}

void addEngine(CLI::App& command, EngineArguments& engine) {
    using namespace agens::engine;
    OpenOptions& open = engine.open;
    addModel(command, engine.model, engine.dataDir);
    command.add_option_function<std::string>(
        "--engine", [&engine](const std::string& text) { engine.script = scriptOf(text); },
        "scripted:FILE runs a script instead of a model");
    command.add_option("--device", open.device, "auto, cpu, reference")
        ->transform(oneOf<DeviceChoice>({{"auto", DeviceChoice::Cpu},
                                         {"cpu", DeviceChoice::Cpu},
                                         {"reference", DeviceChoice::Reference}}));
    command
        .add_option("--threads", open.threads, "Threads of the CPU device (default: one per core)")
        ->check(CLI::Range(1, 256));
    command.add_option("--isa", open.isa, "auto, scalar, scalar-fma, avx2, avx512")
        ->transform(oneOf<IsaChoice>({{"auto", IsaChoice::Auto},
                                      {"scalar", IsaChoice::Scalar},
                                      {"scalar-fma", IsaChoice::ScalarFma},
                                      {"avx2", IsaChoice::Avx2},
                                      {"avx512", IsaChoice::Avx512}}));
    command.add_option("--kv", open.kv, "Format of the cache: f16, f32")
        ->transform(oneOf<KvFormat>({{"f16", KvFormat::F16}, {"f32", KvFormat::F32}}));
    command
        .add_option("--activations", open.activations,
                    "auto, int8, wide (15 bits), f32 (for tests)")
        ->transform(oneOf<Activations>({{"auto", Activations::Auto},
                                        {"int8", Activations::Int8},
                                        {"wide", Activations::Wide},
                                        {"f32", Activations::F32}}));
    command
        .add_option("--ctx", open.context,
                    "Tokens of context to serve (default: as many as possible)")
        ->check(CLI::Range(1, 1 << 24));
    command.add_option("--chunk", open.prefillChunk, "Rows of a prefill step (for tests)")
        ->check(CLI::Range(1, 512));
}

void addReply(CLI::App& command, ReplyArguments& reply) {
    engine::SamplingRequest& sampling = reply.sampling;
    command.add_option("--temperature", sampling.temperature, "0 = always the most likely token")
        ->check(CLI::Range(0.0, 100.0));
    command.add_option("--top-k", sampling.topK, "0 = off")->check(CLI::Range(0, 1 << 20));
    command.add_option("--top-p", sampling.topP, "1 = off")->check(CLI::Range(0.0, 1.0));
    command.add_option("--min-p", sampling.minP, "0 = off")->check(CLI::Range(0.0, 1.0));
    command.add_option("--repetition-penalty", sampling.repetitionPenalty, "1 = off")
        ->check(CLI::Range(0.0, 10.0));
    command.add_option("--repeat-last-n", sampling.repeatLastN,
                       "Tokens the penalty looks at; 0 = all");
    command.add_option("--seed", reply.seed, "Same seed, same reply");
    command.add_option("--max-tokens", reply.maxTokens,
                       "Longest reply; 0 = until the context is full");
    command.add_option("--stop", reply.stop, "Text that ends the reply; may be given again");
    command.add_option("--system", reply.systemPrompt, "System prompt");
    // Not a plain flag: "not said" leaves the choice to the template.
    command.add_flag_callback(
        "--thinking", [&reply] { reply.thinking = true; }, "Ask the template for reasoning");
    command.add_flag_callback(
        "--no-thinking", [&reply] { reply.thinking = false; }, "Ask the template for none");
}

// One parser object for all commands; `chosen` is filled by the command that was named.
class Parser {
 public:
    Parser() {
        m_app.require_subcommand(1);
        m_app.set_version_flag("--version", AGENS_VERSION);
        m_app.add_option("--log-level", m_invocation.logLevel, "debug, info, warning, error, off")
            ->check(CLI::IsMember({"debug", "info", "warning", "error", "off"}));
        m_app.fallthrough();
        addChat();
        addGenerate();
        addInspect();
        addLogits();
        addTokenize();
        addDetokenize();
        addRender();
        addDequantize();
        addBench();
        addHistory();
    }

    std::variant<Invocation, int> parse(int count, const char* const* words) {
        try {
            m_app.parse(count, words);
        } catch (const CLI::ParseError& complaint) {
            const bool isHelp = complaint.get_exit_code() == 0;
            m_app.exit(complaint);
            return isHelp ? kOk : kBadArguments;
        }
        return std::move(m_invocation);
    }

 private:
    template <class T>
    CLI::App& command(CLI::App& parent, const char* name, const char* text, T& arguments) {
        CLI::App* added = parent.add_subcommand(name, text);
        added->final_callback([this, &arguments] { m_invocation.command = arguments; });
        return *added;
    }

    void addChat() {
        CLI::App& chat =
            command(m_app, "chat", "Chat in the terminal; the history is the window's", m_chat);
        addEngine(chat, m_chat.engine);
        addReply(chat, m_chat.reply);
        chat.add_flag("--continue", m_chat.continueLast, "Go on with the latest conversation");
    }

    void addGenerate() {
        CLI::App& generate = command(m_app, "generate", "One prompt in, text out", m_generate);
        addEngine(generate, m_generate.engine);
        addReply(generate, m_generate.reply);
        auto* prompt = generate.add_option("--prompt", m_generate.prompt, "The prompt");
        generate
            .add_option("--prompt-file", m_generate.promptFile,
                        "File with the prompt (default: stdin)")
            ->excludes(prompt);
        generate.add_flag("--raw", m_generate.raw,
                          "Use the text as it is, without the chat template");
        generate.add_flag("--ids", m_generate.ids, "Print token ids instead of text");
        generate.add_flag("--jsonl", m_generate.jsonl, "Requests on stdin, one JSON object a line");
        generate.add_flag("--json", m_generate.json, "Print one JSON document");
        generate.add_flag("--stats", m_generate.stats, "Print speed and token counts on stderr");
        generate.add_option("--stats-json", m_generate.statsFile,
                            "Write every figure of the reply to a file");
    }

    void addInspect() {
        CLI::App& inspect =
            command(m_app, "inspect", "What a model file holds; reads its header only", m_inspect);
        inspect.add_option("path", m_inspect.path, "Model file")->required();
        inspect.add_flag("--json", m_inspect.json, "Print one JSON document");
    }

    void addLogits() {
        CLI::App& logits = command(m_app, "logits", "Logits of given token ids", m_logits);
        addEngine(logits, m_logits.engine);
        logits
            .add_option("--tokens", m_logits.tokens,
                        "JSON: {\"ids\": [..], \"positions\": [..]} or a list of ids")
            ->required();
        logits.add_option("--out", m_logits.out, "safetensors file to write")->required();
        logits.add_option("--positions", m_logits.positions, "a:b chooses rows a to b-1");
        logits.add_option("--rows", m_logits.rows, "Rows of a step (for tests)")
            ->check(CLI::Range(1, 512));
        logits.add_flag("--hidden", m_logits.hidden, "Also the hidden rows after the final norm");
    }

    void addTokenize() {
        CLI::App& tokenize = command(m_app, "tokenize", "Text on stdin to token ids", m_tokenize);
        addModel(tokenize, m_tokenize.model, m_tokenize.dataDir);
        tokenize.add_flag("--jsonl", m_tokenize.jsonl,
                          "One JSON object a line: {\"text\"} or {\"base64\"}");
        tokenize.add_flag("--json", m_tokenize.json, "Print one JSON document");
        tokenize.add_flag("--no-special", m_tokenize.noSpecial,
                          "Spellings of control tokens stay text");
        tokenize.add_flag("--bos", m_tokenize.bos, "Put the model's BOS in front");
    }

    void addDetokenize() {
        CLI::App& detokenize =
            command(m_app, "detokenize", "Token ids on stdin to text", m_detokenize);
        addModel(detokenize, m_detokenize.model, m_detokenize.dataDir);
        detokenize.add_flag("--jsonl", m_detokenize.jsonl,
                            "One JSON object a line: {\"ids\": [..]}");
        detokenize.add_flag("--json", m_detokenize.json, "Print one JSON document");
    }

    void addRender() {
        CLI::App& render =
            command(m_app, "render", "Messages on stdin through a chat template", m_render);
        addModel(render, m_render.model, m_render.dataDir);
        render.add_option("--template", m_render.templateFile,
                          "Template file instead of the model's own");
        render.add_flag("--jsonl", m_render.jsonl, "One context object a line");
        render.add_flag("--spans", m_render.spans,
                        "Also which parts are template and which content");
        render.add_flag("--ids", m_render.ids, "Also the token ids (needs a model)");
        render.add_flag("--snippet", m_render.snippet, "Lines are {\"template\", \"context\"}");
        render.add_option("--now", m_render.now, "Time for strftime_now, ISO 8601");
    }

    void addDequantize() {
        CLI::App& dequantize =
            command(m_app, "dequantize", "A tensor, or raw blocks, as f32 values", m_dequantize);
        dequantize.add_option("--raw-blocks", m_dequantize.rawBlocks,
                              "The input holds blocks of this format");
        dequantize.add_option("input", m_dequantize.input, "Model file, or file of raw blocks")
            ->required();
        dequantize.add_option("tensor", m_dequantize.tensor, "Name of the tensor");
        dequantize
            .add_option("--out", m_dequantize.out, "Output: NAME.npy, or raw little-endian f32")
            ->required();
    }

    void addBench() {
        CLI::App& bench =
            command(m_app, "bench", "Speed of prefill, decode and steps of 1 to 9 rows", m_bench);
        addEngine(bench, m_bench.engine);
        bench.add_option("--repeats", m_bench.repeats, "Runs of each measurement")
            ->check(CLI::Range(5, 1000));
        bench.add_flag("--json", m_bench.json, "Print one JSON document");
    }

    void addHistory() {
        CLI::App* history = m_app.add_subcommand("history", "Stored conversations");
        history->require_subcommand(1);
        CLI::App& list =
            command(*history, "list", "All conversations, newest first", m_historyList);
        list.add_option("--data-dir", m_historyList.dataDir, "Folder of the history");
        list.add_flag("--json", m_historyList.json, "Print one JSON document");
        CLI::App& show = command(*history, "show", "One conversation", m_historyShow);
        show.add_option("id", m_historyShow.conversation, "Number from the list")->required();
        show.add_option("--data-dir", m_historyShow.dataDir, "Folder of the history");
        show.add_flag("--json", m_historyShow.json, "Print one JSON document");
    }

    CLI::App m_app{"Agens: chat with a language model that runs in this program.", "agens"};
    Invocation m_invocation;
    ChatArguments m_chat;
    GenerateArguments m_generate;
    InspectArguments m_inspect;
    LogitsArguments m_logits;
    TokenizeArguments m_tokenize;
    DetokenizeArguments m_detokenize;
    RenderArguments m_render;
    DequantizeArguments m_dequantize;
    BenchArguments m_bench;
    HistoryListArguments m_historyList;
    HistoryShowArguments m_historyShow;
};

}  // namespace

std::variant<Invocation, int> parseArguments(int count, const char* const* words) {
    return Parser().parse(count, words);
}

}  // namespace agens::cli
