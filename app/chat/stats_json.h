// SPDX-License-Identifier: Apache-2.0
// ReplyStats as JSON: the names of `--stats-json`, of exports and of the reply's details. Sampler
// values are also stored so (reply_stats.sampler).
#pragma once

#include <string>
#include <string_view>

#include "engine/base/json.h"
#include "engine/events.h"

namespace agens::chat {

Json toJson(const engine::ReplyStats& stats);
// The same with "finish_reason".
Json toJson(const engine::Finished& finished);

std::string samplerToText(const engine::SamplingValues& sampler);
// Values of a stored text; what is missing or not a number keeps its default.
engine::SamplingValues samplerFromText(std::string_view text);

}  // namespace agens::chat
