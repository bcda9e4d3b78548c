// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/chat/stats_rows.h"

#include "app/chat/query.h"
#include "app/chat/stats_json.h"

namespace agens::chat {

void writeStats(SQLite::Database& db, MessageId id, const FinishedReply& reply) {
    if (!reply.stats) return;
    const engine::ReplyStats& stats = *reply.stats;
    Query(db,
          "INSERT INTO reply_stats(message_id, prompt_tokens, cached_tokens, image_tokens,"
          " reply_tokens, reasoning_tokens, queue_us, prefill_us, first_token_us, decode_us,"
          " verify_steps, plain_steps, drafted_copy, accepted_copy, drafted_mtp, accepted_mtp,"
          " drafted_dflash, accepted_dflash, served_context, profile, device, model_hash,"
          " engine_build, arithmetic_version, template_hash, prompt_hash, reply_hash, seed,"
          " sampler) VALUES(?, ?, ?, 0, ?, ?, ?, ?, ?, ?, 0, ?, 0, 0, 0, 0, 0, 0,"
          " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          id, stats.promptTokens, stats.cachedTokens, stats.replyTokens, reply.reasoningTokens,
          stats.queueUs, stats.prefillUs, stats.firstTokenUs, stats.decodeUs, stats.plainSteps,
          stats.servedContext, reply.profile, stats.device, stats.modelHash, reply.engineBuild,
          stats.arithmeticVersion, stats.templateHash, stats.promptHash, stats.replyHash,
          stats.seed, samplerToText(stats.sampler))
        .run();
}

void readStats(SQLite::Database& db, Message& message) {
    Query row(db,
              "SELECT prompt_tokens, cached_tokens, reply_tokens, queue_us, prefill_us,"
              " first_token_us, decode_us, plain_steps, seed, served_context, arithmetic_version,"
              " sampler, device, model_hash, template_hash, prompt_hash, reply_hash,"
              " reasoning_tokens FROM reply_stats WHERE message_id=?",
              message.id);
    if (!row.next()) return;
    const auto count = [&](int column) { return static_cast<std::uint32_t>(row.integer(column)); };
    const auto wide = [&](int column) { return static_cast<std::uint64_t>(row.integer(column)); };
    engine::ReplyStats stats;
    stats.promptTokens = count(0);
    stats.cachedTokens = count(1);
    stats.replyTokens = count(2);
    stats.queueUs = wide(3);
    stats.prefillUs = wide(4);
    stats.firstTokenUs = wide(5);
    stats.decodeUs = wide(6);
    stats.plainSteps = count(7);
    stats.seed = wide(8);
    stats.servedContext = count(9);
    stats.arithmeticVersion = count(10);
    stats.sampler = samplerFromText(row.text(11));
    stats.device = row.text(12);
    stats.modelHash = row.text(13);
    stats.templateHash = row.text(14);
    stats.promptHash = row.text(15);
    stats.replyHash = row.text(16);
    message.reasoningTokens = count(17);
    message.stats = std::move(stats);
}

}  // namespace agens::chat
