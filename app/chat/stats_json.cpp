// SPDX-License-Identifier: Apache-2.0
// Names follow the per-reply metrics; counters of drafts are 0 while there are no draft sources.
#include "app/chat/stats_json.h"

#include <nlohmann/json.hpp>

namespace agens::chat {
namespace {

Json samplerJson(const engine::SamplingValues& sampler) {
    return {{"temperature", sampler.temperature},
            {"top_k", sampler.topK},
            {"top_p", sampler.topP},
            {"min_p", sampler.minP},
            {"repetition_penalty", sampler.repetitionPenalty},
            {"repeat_last_n", sampler.repeatLastN}};
}

template <class T>
void readNumber(const Json& object, const char* name, T& value) {
    const auto entry = object.find(name);
    if (entry != object.end() && entry->is_number()) value = entry->get<T>();
}

}  // namespace

Json toJson(const engine::ReplyStats& stats) {
    return {{"prompt_tokens", stats.promptTokens},
            {"cached_tokens", stats.cachedTokens},
            {"reply_tokens", stats.replyTokens},
            {"queue_us", stats.queueUs},
            {"prefill_us", stats.prefillUs},
            {"first_token_us", stats.firstTokenUs},
            {"decode_us", stats.decodeUs},
            {"tokens_per_second", stats.tokensPerSecond()},
            {"draft_n", 0},
            {"draft_n_accepted", 0},
            {"verify_steps", 0},
            {"plain_steps", stats.plainSteps},
            {"seed", stats.seed},
            {"served_context", stats.servedContext},
            {"sampler", samplerJson(stats.sampler)},
            {"replayed",
             {{"model", stats.modelHash},
              {"template", stats.templateHash},
              {"prompt", stats.promptHash},
              {"reply", stats.replyHash},
              {"device", stats.device},
              {"arithmetic_version", stats.arithmeticVersion}}}};
}

Json toJson(const engine::Finished& finished) {
    Json json = toJson(finished.stats);
    json["finish_reason"] = toString(finished.reason);
    return json;
}

std::string samplerToText(const engine::SamplingValues& sampler) {
    return samplerJson(sampler).dump();
}

engine::SamplingValues samplerFromText(std::string_view text) {
    engine::SamplingValues sampler;
    const Result<Json> json = parseJson(text, "reply_stats.sampler");
    if (!json || !json->is_object()) return sampler;
    readNumber(*json, "temperature", sampler.temperature);
    readNumber(*json, "top_k", sampler.topK);
    readNumber(*json, "top_p", sampler.topP);
    readNumber(*json, "min_p", sampler.minP);
    readNumber(*json, "repetition_penalty", sampler.repetitionPenalty);
    readNumber(*json, "repeat_last_n", sampler.repeatLastN);
    return sampler;
}

}  // namespace agens::chat
