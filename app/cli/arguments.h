// SPDX-License-Identifier: Apache-2.0
// What the command line asked for, as plain values: one struct a command. parseArguments() is the
// only place that knows the option parser; it checks names and ranges, nothing else.
// Thread: main, before anything else runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/engine.h"

namespace agens::cli {

// Options of every command that runs a model.
struct EngineArguments {
    std::string model;   // file, name in the model folder, or empty = the installed one
    std::string script;  // FILE of --engine scripted:FILE; then no model is needed
    engine::OpenOptions open;
    std::string dataDir;
};

struct ReplyArguments {
    engine::SamplingRequest sampling;
    std::optional<std::uint64_t> seed;
    std::uint32_t maxTokens = 0;
    std::vector<std::string> stop;
    std::string systemPrompt;
    std::optional<bool> thinking;
};

struct ChatArguments {
    EngineArguments engine;
    ReplyArguments reply;
    bool continueLast = false;
};

struct GenerateArguments {
    EngineArguments engine;
    ReplyArguments reply;
    std::optional<std::string> prompt;
    std::string promptFile;
    bool raw = false;    // no template
    bool ids = false;    // print token ids
    bool jsonl = false;  // requests on stdin, one JSON object a line
    bool json = false;
    bool stats = false;
    std::string statsFile;
};

struct InspectArguments {
    std::filesystem::path path;
    bool json = false;
};

struct LogitsArguments {
    EngineArguments engine;
    std::filesystem::path tokens;
    std::filesystem::path out;
    std::string positions;  // "a:b" or empty
    std::uint32_t rows = 0;
    bool hidden = false;
};

struct TokenizeArguments {
    std::string model;
    std::string dataDir;
    bool jsonl = false;
    bool json = false;
    bool noSpecial = false;
    bool bos = false;
};

struct DetokenizeArguments {
    std::string model;
    std::string dataDir;
    bool jsonl = false;
    bool json = false;
};

struct RenderArguments {
    std::string model;
    std::string dataDir;
    std::string templateFile;
    bool jsonl = false;
    bool spans = false;
    bool ids = false;
    bool snippet = false;
    std::string now;
};

struct DequantizeArguments {
    std::string rawBlocks;  // a block format, or empty
    std::filesystem::path input;
    std::string tensor;
    std::filesystem::path out;
};

struct BenchArguments {
    EngineArguments engine;
    std::uint32_t repeats = 0;
    bool json = false;
};

struct HistoryListArguments {
    std::string dataDir;
    bool json = false;
};

struct HistoryShowArguments {
    std::string dataDir;
    std::int64_t conversation = 0;
    bool json = false;
};

using CommandArguments =
    std::variant<ChatArguments, GenerateArguments, InspectArguments, LogitsArguments,
                 TokenizeArguments, DetokenizeArguments, RenderArguments, DequantizeArguments,
                 BenchArguments, HistoryListArguments, HistoryShowArguments>;

struct Invocation {
    CommandArguments command;
    std::string logLevel = "warning";
};

// The invocation, or the exit status after help or a complaint was printed.
std::variant<Invocation, int> parseArguments(int count, const char* const* words);

}  // namespace agens::cli
