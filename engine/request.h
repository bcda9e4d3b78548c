// SPDX-License-Identifier: Apache-2.0
// Request: one reply to make, as plain values. Window, terminal and endpoint build the same thing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/units.h"

namespace agens::engine {

enum class MessageRole { System, User, Assistant, Tool };

struct ChatMessage {
    MessageRole role = MessageRole::User;
    std::string content;    // valid UTF-8; can never become a control token
    std::string reasoning;  // assistant only; empty = none
};

// A chat goes through the model's template; raw text gets only the model's BOS; ids go in as they
// are.
struct ChatPrompt {
    std::vector<ChatMessage> messages;
    std::optional<bool> thinking;  // nothing = the template's own default
};
struct RawPrompt {
    std::string text;
};
struct IdPrompt {
    std::vector<TokenId> ids;
};
using PromptSource = std::variant<ChatPrompt, RawPrompt, IdPrompt>;

// Sampling values; nothing = the model's own default (file, then family row, then engine).
// Order and rules: sampling/processors.h.
struct SamplingRequest {
    std::optional<double> temperature;         // 0 … 100; below 0.01 counts as 0 = greedy
    std::optional<std::uint32_t> topK;         // 0 = off
    std::optional<double> topP;                // (0, 1]; 1 = off
    std::optional<double> minP;                // [0, 1]; 0 = off
    std::optional<double> repetitionPenalty;   // (0, 10]; 1 = off
    std::optional<std::uint32_t> repeatLastN;  // window of the penalty; 0 = prompt and output whole
};

// The same with every value decided: what the sampler used and what a replay needs.
struct SamplingValues {
    float temperature = 0.7F;
    std::uint32_t topK = 40;
    double topP = 0.95;
    double minP = 0.0;
    float repetitionPenalty = 1.0F;
    std::uint32_t repeatLastN = 0;
};

struct Request {
    // Which conversation's cache to continue. 0 = none: any idle cache may serve as prefix.
    std::uint64_t conversation = 0;
    PromptSource prompt;
    SamplingRequest sampling;
    std::optional<std::uint64_t> seed;  // nothing = drawn from the system, reported in ReplyStats
    std::uint32_t maxTokens = 0;        // 0 = until the context is full
    std::vector<std::string> stop;      // at most 16 texts of at most 256 bytes
    // Text the reply already has (continuing a stopped one): appended after the template's
    // generation prompt as content.
    std::string replyPrefix;
};

}  // namespace agens::engine
