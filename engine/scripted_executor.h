// SPDX-License-Identifier: Apache-2.0
// ScriptedExecutor: an Executor whose logits leave one choice, the next token of a scripted
// reply.
//
// It remembers which token stands in which row of which page, as a device remembers keys, so that
// cached prefixes, copied pages and rolled-back rows mean the same as on a real one. Which reply
// a prompt gets is announced before the prompt is queued; the first row of a sequence that
// continues no running reply binds it to the announcement whose ids begin with its tokens.
//
// Errors: the script's own `fail` (every sequence of that step fails, as with a device);
// Cancelled when told to stop while it waits.
// Thread: announce() and retract() any; the rest engine thread.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/base/result.h"
#include "engine/loop/executor.h"
#include "engine/script.h"

namespace agens::engine {

// Waits; false if `stop` came first.
using Sleeper = std::function<bool(Duration, std::stop_token)>;
Sleeper systemSleeper();

// One token of a reply and how long it takes; with `failure` the step fails instead.
struct ScriptedToken {
    TokenId token;
    Duration delay{};
    std::optional<Error> failure;
};
struct ScriptedReply {
    Duration prefill{};
    std::vector<ScriptedToken> tokens;  // never empty; the last one repeats
};

class ScriptedExecutor final : public loop::Executor {
 public:
    ScriptedExecutor(const loop::ExecutorLimits& limits, Sleeper sleeper);

    using Announcement = std::uint64_t;
    // `reply` outlives the executor's use of it.
    Announcement announce(std::vector<TokenId> prompt, const ScriptedReply& reply);
    void retract(Announcement announcement);

    loop::ExecutorLimits limits() const override { return m_limits; }
    Result<device::StepOutputs> run(const device::StepInputs& inputs,
                                    std::stop_token stop) override;
    void copyPage(device::PageId from, device::PageId to) override;

 private:
    struct Announced {
        Announcement number = 0;
        std::vector<TokenId> prompt;
        const ScriptedReply* reply = nullptr;
    };
    // A sequence in the middle of its reply, known by its first page.
    struct Playing {
        device::PageId firstPage;
        const ScriptedReply* reply = nullptr;
        std::uint32_t promptRows = 1;  // rows that are prefilled
        std::uint32_t nextRow = 0;     // position
        std::size_t nextToken = 0;     // of the reply
        std::optional<TokenId> said;   // what must stand in the next row
    };
    struct Part {
        std::span<const device::StepRow> rows;
        std::span<const device::PageId> pages;
        Playing* playing = nullptr;
    };

    std::vector<Part> partsOf(const device::StepInputs& inputs);
    void remember(const Part& part);
    Playing& bind(const Part& part);
    const ScriptedReply* takeAnnounced(const Part& part, std::uint32_t& promptTokens);
    Duration delayOf(const Part& part) const;
    void say(const Part& part, std::uint32_t row);
    TokenId& at(std::span<const device::PageId> pages, std::uint32_t position);

    const loop::ExecutorLimits m_limits;
    const Sleeper m_sleeper;
    std::vector<TokenId> m_tokens;  // [pages, 256]
    std::list<Playing> m_playing;
    std::vector<float> m_logits;
    std::mutex m_mutex;  // guards the announcements
    std::list<Announced> m_announced;
    Announcement m_lastAnnouncement = 0;
};

}  // namespace agens::engine
