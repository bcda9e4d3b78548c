// SPDX-License-Identifier: Apache-2.0
// Choosing and stopping, row by row.
#include "engine/loop/resolve.h"

#include <utility>

#include "engine/base/check.h"

namespace agens::loop {
namespace {

SequenceEffects& nextPart(Effects& effects, const StepPart& part) {
    CHECK(effects.count < effects.parts.size()) << "effects of " << effects.count << " sequences";
    SequenceEffects& next = effects.parts[effects.count++];
    next.sequence = part.sequence;
    next.rows = 0;
    next.notNumbers = 0;
    next.chosen.clear();
    next.released.text.clear();
    next.ending.reset();
    next.failure.reset();
    return next;
}

std::vector<TokenId> wholeReply(const Sequence& sequence, std::span<const TokenId> chosen) {
    std::vector<TokenId> reply(sequence.tokens.begin() + sequence.promptTokens,
                               sequence.tokens.end());
    reply.insert(reply.end(), chosen.begin(), chosen.end());
    return reply;
}

Ending atStopString(const Sequence& sequence, const StopMatch& match, const ResolveTools& tools,
                    std::span<const TokenId> chosen) {
    const std::size_t kept =
        tokensBefore(match.offset, wholeReply(sequence, chosen), tools.tokenizer, tools.marks,
                     sequence.rules.startsInReasoning);
    return {engine::FinishReason::Stop, sequence.rules.stop[match.stop],
            static_cast<std::uint32_t>(kept)};
}

// The stop rules after `token` joined the reply.
void applyStopRules(const State& state, const Sequence& sequence, TokenId token,
                    const ResolveTools& tools, SequenceEffects& effects) {
    const auto chosen = static_cast<std::uint32_t>(effects.chosen.size());
    const std::uint32_t emitted = sequence.replyTokens() + chosen;
    const bool isEnd = tools.tokenizer.isStop(token);
    std::optional<StopMatch> match;
    if (!isEnd) match = effects.text.add(token, effects.released);
    if (match) {
        effects.ending = atStopString(sequence, *match, tools, effects.chosen);
        return;
    }
    const bool isLong = (sequence.rules.maxTokens > 0 && emitted >= sequence.rules.maxTokens) ||
                        sequence.tokens.size() + chosen >= state.limits.contextTokens;
    if (!isEnd && !isLong) return;
    const auto reason = isEnd ? engine::FinishReason::End : engine::FinishReason::Length;
    effects.ending = Ending{reason, "", emitted};
    ReleasedText rest;
    effects.text.finish(rest);
    if (effects.released.text.empty()) effects.released.channel = rest.channel;
    effects.released.text += rest.text;
}

void resolveRow(const State& state, const Sequence& sequence, std::span<const float> logits,
                const ResolveTools& tools, SequenceEffects& effects) {
    const auto position =
        static_cast<std::uint32_t>(sequence.tokens.size() + effects.chosen.size());
    const sampling::Choice choice =
        tools.sampler.choose(logits, {.values = sequence.rules.values,
                                      .seed = sequence.rules.seed,
                                      .position = Position(position),
                                      .history = {sequence.tokens, effects.chosen}});
    effects.notNumbers += choice.notNumbers;
    if (!choice.token) {
        effects.failure = Error{ErrorKind::Device, "loop.no_logit",
                                "The model gave no usable value for the next token at position " +
                                    std::to_string(position) + ". Reload the model.",
                                ""};
        return;
    }
    effects.chosen.push_back(*choice.token);
    applyStopRules(state, sequence, *choice.token, tools, effects);
}

}  // namespace

void resolve(const State& state, const StepPlan& plan, const device::StepOutputs& outputs,
             const ResolveTools& tools, Effects& effects) {
    effects.count = 0;
    std::uint32_t wanted = 0;
    for (const StepPart& part : plan.parts) {
        SequenceEffects& next = nextPart(effects, part);
        next.rows = part.rows;
        if (!part.wantLogits) continue;
        const Sequence& sequence = state.running[part.sequence];
        CHECK(wanted < outputs.wantedRows) << "logits of " << outputs.wantedRows << " rows";
        next.text = sequence.text;
        resolveRow(state, sequence, outputs.logitsOf(wanted++), tools, next);
    }
}

void failAll(const StepPlan& plan, const Error& error, Effects& effects) {
    effects.count = 0;
    for (const StepPart& part : plan.parts)
        nextPart(effects, part).failure = error;
}

}  // namespace agens::loop
