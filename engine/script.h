// SPDX-License-Identifier: Apache-2.0
// Script: what a scripted engine says and how fast, read from a line-based text. "#" starts a
// comment.
//
//   model "NAME" context=N thinking=on|off images=on|off mtp=on|off dflash2=on|off [template=FILE]
//   plan PROFILE cap=23.00GiB weights=15.80GiB … other:"firefox"=0.19GiB served=N [missing=…]
//   load STEPS steps DURATION [fail ID "text"]
//   reply [match="substring"] … end
//     prefill TOKENS DURATION [cached=N]     the whole prefill takes DURATION
//     reasoning <<TAG / text <<TAG … TAG     as is
//     pace N tok/s [step=K]                  from here on; K tokens come together
//     stall DURATION · fail ID "text" · finish end|length
//
// A reply with `match` serves user texts that contain it; the others serve in order, then from
// the start.
// Errors: InvalidFile naming the line.
// Thread: any; pure values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/events.h"
#include "engine/plan_report.h"

namespace agens::engine {

using Duration = std::chrono::nanoseconds;

struct ScriptSay {
    Channel channel = Channel::Text;
    std::string text;
};
struct ScriptPace {
    double tokensPerSecond = 0.0;
    std::uint32_t step = 1;
};
struct ScriptStall {
    Duration duration{};
};
struct ScriptFail {
    std::string id;
    std::string text;
};
struct ScriptFinish {
    FinishReason reason = FinishReason::End;
};
using ScriptAction = std::variant<ScriptSay, ScriptPace, ScriptStall, ScriptFail, ScriptFinish>;

struct ScriptReply {
    std::string match;  // empty = in order
    Duration prefill{};
    std::vector<ScriptAction> actions;
};

struct ScriptLoad {
    std::uint32_t steps = 1;
    Duration duration{};
    std::optional<ScriptFail> fail;
};

struct Script {
    std::string modelName = "Scripted model";
    std::uint32_t context = 4096;
    bool thinking = false;
    std::string templateFile;                               // empty = chatml
    std::vector<std::pair<std::string, PlanReport>> plans;  // by profile
    ScriptLoad load;
    std::vector<ScriptReply> replies;
};

// `source` names the script in errors.
Result<Script> parseScript(std::string_view text, const std::string& source);

}  // namespace agens::engine
