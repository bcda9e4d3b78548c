// SPDX-License-Identifier: Apache-2.0
// buildPrompt: from a request's messages, text or ids to the token ids the model sees.
//
//   chat  through the template; `replyPrefix` follows the generation prompt as content
//   raw   the text as written, control tokens matched; BOS as the model wants it
//   ids   as they are
//
// Content is marked through the whole way, so it can never become a control token.
// Errors: InvalidRequest (what the template refuses, ids outside the vocabulary).
// Thread: any; pure.
#pragma once

#include <ctime>

#include "engine/base/result.h"
#include "engine/engine.h"
#include "engine/request.h"
#include "engine/text/template/chat_template.h"
#include "engine/text/tokenizer.h"

namespace agens::engine {

// `now`: local time, for templates that write the date.
Result<Prompt> buildPrompt(const Request& request, const text::Tokenizer& tokenizer,
                           const text::ChatTemplate& chatTemplate, const std::tm& now);

}  // namespace agens::engine
