// SPDX-License-Identifier: Apache-2.0
// Events of one request, in this order; Finished or Failed exactly once and last. Plain values;
// window, terminal and endpoint use exactly these. "us" are microseconds.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/request.h"

namespace agens::engine {

enum class Channel { Text, Reasoning };
enum class FinishReason { End, Stop, Length, Cancelled };

// "end", "stop", "length", "cancelled".
const char* toString(FinishReason reason);

// What a reply took and what a replay needs. JSON names: toJson() in stats_json.h of app/chat.
struct ReplyStats {
    std::uint32_t promptTokens = 0;
    std::uint32_t cachedTokens = 0;  // of them served from the conversation's cache
    std::uint32_t replyTokens = 0;
    std::uint64_t queueUs = 0;
    std::uint64_t prefillUs = 0;
    std::uint64_t firstTokenUs = 0;  // from submit to the first chosen token
    std::uint64_t decodeUs = 0;      // from the first chosen token to the end
    std::uint32_t plainSteps = 0;
    std::uint64_t seed = 0;
    std::uint32_t servedContext = 0;
    std::uint32_t arithmeticVersion = 0;
    SamplingValues sampler;
    std::string device;        // "cpu avx512, 2 threads"
    std::string modelHash;     // sha256 over the weights' file as far as known, else empty
    std::string templateHash;  // sha256 of the chat template
    std::string promptHash;    // sha256 over the prompt ids as i32
    std::string replyHash;     // sha256 over the reply ids as i32

    double tokensPerSecond() const {
        return decodeUs == 0 || replyTokens < 2
                   ? 0.0
                   : (replyTokens - 1) * 1e6 / static_cast<double>(decodeUs);
    }
};

struct Queued {
    std::uint32_t place = 0;  // 1 = next
};
struct Prefill {
    std::uint32_t done = 0;
    std::uint32_t total = 0;
    std::uint32_t cached = 0;
    std::uint64_t elapsedUs = 0;
};
struct Started {
    std::uint32_t promptTokens = 0;
    std::uint32_t cachedTokens = 0;
    std::uint64_t firstTokenUs = 0;
};
struct Piece {
    Channel channel = Channel::Text;
    std::string text;             // whole UTF-8 characters
    std::vector<TokenId> tokens;  // the ids this step committed (may be empty at the end)
};
struct Stats {
    std::uint32_t tokens = 0;
    double tokensPerSecond = 0.0;  // over the last 2 s
};
struct Finished {
    FinishReason reason = FinishReason::End;
    std::string stopText;  // which stop string, for reason Stop
    ReplyStats stats;
};
struct Failed {
    Error error;
    ReplyStats stats;
};

using Event = std::variant<Queued, Prefill, Started, Piece, Stats, Finished, Failed>;

inline bool isTerminal(const Event& event) {
    return std::holds_alternative<Finished>(event) || std::holds_alternative<Failed>(event);
}

}  // namespace agens::engine
