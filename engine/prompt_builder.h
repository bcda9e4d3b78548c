// SPDX-License-Identifier: Apache-2.0
// buildPrompt: from a request's messages, text or ids to the token ids the model sees.
//
//   chat  through the template; `replyPrefix` follows the generation prompt as content
//   raw   the text as written, control tokens matched; BOS as the model wants it
//   ids   as they are
//
// Content is marked through the whole way, so it can never become a control token.
// Errors: InvalidRequest (template says no, ids outside the vocabulary, nothing to continue).
// Thread: any; pure.
#pragma once

#include "engine/base/result.h"
#include "engine/engine.h"
#include "engine/request.h"

namespace agens::text {
class Tokenizer;
class ChatTemplate;
}  // namespace agens::text

namespace agens::engine {

// `chatTemplate` null: a plain completion model.
Result<Prompt> buildPrompt(const Request& request, const text::Tokenizer& tokenizer,
                           const text::ChatTemplate* chatTemplate);

}  // namespace agens::engine
