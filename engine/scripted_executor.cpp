// SPDX-License-Identifier: Apache-2.0
// Rows in, the script's next tokens out.
#include "engine/scripted_executor.h"

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <utility>

namespace agens::engine {
namespace {

constexpr std::size_t kAnnouncedMax = 256;

const device::StepRow* wantingRow(std::span<const device::StepRow> rows) {
    const auto row = std::ranges::find_if(rows, &device::StepRow::wantLogits);
    return row == rows.end() ? nullptr : &*row;
}

}  // namespace

Sleeper systemSleeper() {
    return [](Duration duration, std::stop_token stop) {
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        never.wait_for(lock, stop, duration, [] { return false; });
        return !stop.stop_requested();
    };
}

ScriptedExecutor::ScriptedExecutor(const loop::ExecutorLimits& limits, Sleeper sleeper)
    : m_limits(limits),
      m_sleeper(std::move(sleeper)),
      m_tokens(std::size_t{limits.pages} * device::kPagePositions) {}

ScriptedExecutor::Announcement ScriptedExecutor::announce(std::vector<TokenId> prompt,
                                                          const ScriptedReply& reply) {
    const std::lock_guard lock(m_mutex);
    // Of a request that was cancelled in line, an announcement stays behind.
    if (m_announced.size() >= kAnnouncedMax) m_announced.pop_front();
    m_announced.push_back({++m_lastAnnouncement, std::move(prompt), &reply});
    return m_lastAnnouncement;
}

void ScriptedExecutor::retract(Announcement announcement) {
    const std::lock_guard lock(m_mutex);
    m_announced.remove_if([&](const Announced& known) { return known.number == announcement; });
}

void ScriptedExecutor::copyPage(device::PageId from, device::PageId to) {
    const auto page = [&](device::PageId id) {
        return std::span(m_tokens).subspan(std::size_t{id.value} * device::kPagePositions,
                                           device::kPagePositions);
    };
    std::ranges::copy(page(from), page(to).begin());
}

TokenId& ScriptedExecutor::at(std::span<const device::PageId> pages, std::uint32_t position) {
    const device::PageId page = pages[position / device::kPagePositions];
    return m_tokens[std::size_t{page.value} * device::kPagePositions +
                    position % device::kPagePositions];
}

Result<device::StepOutputs> ScriptedExecutor::run(const device::StepInputs& inputs,
                                                  std::stop_token stop) {
    std::vector<Part> parts = partsOf(inputs);
    Duration delay{};
    for (Part& part : parts) {
        remember(part);
        part.playing = &bind(part);
        delay = std::max(delay, delayOf(part));
    }
    const bool isStopped =
        delay > Duration::zero() ? !m_sleeper(delay, stop) : stop.stop_requested();
    if (isStopped) {
        return Error{ErrorKind::Cancelled, "script.cancelled", "The step was stopped.", ""};
    }
    std::uint32_t wanted = 0;
    const auto wantedRows = std::ranges::count_if(inputs.rows, &device::StepRow::wantLogits);
    m_logits.assign(static_cast<std::size_t>(wantedRows) * m_limits.vocabRows,
                    -std::numeric_limits<float>::infinity());
    for (const Part& part : parts) {
        for (const device::StepRow& row : part.rows) {
            ++part.playing->nextRow;
            if (!row.wantLogits) continue;
            const ScriptedReply& reply = *part.playing->reply;
            const auto& next =
                reply.tokens[std::min(part.playing->nextToken, reply.tokens.size() - 1)];
            if (next.failure) return *next.failure;
            say(part, wanted++);
        }
    }
    return device::StepOutputs{
        .wantedRows = wanted, .vocabRows = m_limits.vocabRows, .logits = m_logits};
}

std::vector<ScriptedExecutor::Part> ScriptedExecutor::partsOf(const device::StepInputs& inputs) {
    std::vector<Part> parts;
    for (std::size_t begin = 0; begin < inputs.rows.size();) {
        std::size_t end = begin;
        while (end < inputs.rows.size() &&
               inputs.rows[end].sequence == inputs.rows[begin].sequence) {
            ++end;
        }
        parts.push_back({inputs.rows.subspan(begin, end - begin),
                         inputs.pageTables[inputs.rows[begin].sequence]});
        begin = end;
    }
    return parts;
}

void ScriptedExecutor::remember(const Part& part) {
    for (const device::StepRow& row : part.rows)
        at(part.pages, row.position.value) = row.token;
}

ScriptedExecutor::Playing& ScriptedExecutor::bind(const Part& part) {
    const device::StepRow& first = part.rows.front();
    const auto known = std::ranges::find(m_playing, part.pages[0], &Playing::firstPage);
    if (known != m_playing.end()) {
        const bool continues =
            known->nextRow == first.position.value && (!known->said || *known->said == first.token);
        if (continues) return *known;
        m_playing.erase(known);
    }
    Playing playing{.firstPage = part.pages[0], .nextRow = first.position.value};
    std::uint32_t promptTokens = 0;
    playing.reply = takeAnnounced(part, promptTokens);
    playing.promptRows = std::max(1U, promptTokens - std::min(promptTokens, first.position.value));
    return m_playing.emplace_back(playing);
}

// Rows that nobody announced (teacher-forced ones) always get token 0.
const ScriptedReply* ScriptedExecutor::takeAnnounced(const Part& part,
                                                     std::uint32_t& promptTokens) {
    static const ScriptedReply kNothing{.tokens = {{}}};
    const std::uint32_t end = part.rows.back().position.value + 1;
    const std::lock_guard lock(m_mutex);
    const auto isIt = [&](const Announced& announced) {
        if (announced.prompt.size() < end) return false;
        for (std::uint32_t position = 0; position < end; ++position) {
            if (announced.prompt[position] != at(part.pages, position)) return false;
        }
        return true;
    };
    const auto found = std::ranges::find_if(m_announced, isIt);
    if (found == m_announced.end()) return &kNothing;
    promptTokens = static_cast<std::uint32_t>(found->prompt.size());
    const ScriptedReply* reply = found->reply;
    m_announced.erase(found);
    return reply;
}

Duration ScriptedExecutor::delayOf(const Part& part) const {
    const Playing& playing = *part.playing;
    Duration delay{};
    if (!playing.said) {
        delay += playing.reply->prefill * part.rows.size() / playing.promptRows;
    }
    if (wantingRow(part.rows) != nullptr && playing.nextToken < playing.reply->tokens.size()) {
        delay += playing.reply->tokens[playing.nextToken].delay;
    }
    return delay;
}

void ScriptedExecutor::say(const Part& part, std::uint32_t row) {
    Playing& playing = *part.playing;
    const auto& tokens = playing.reply->tokens;
    const TokenId token = tokens[std::min(playing.nextToken++, tokens.size() - 1)].token;
    playing.said = token;
    m_logits[std::size_t{row} * m_limits.vocabRows + static_cast<std::size_t>(token.value)] = 0.0F;
}

}  // namespace agens::engine
