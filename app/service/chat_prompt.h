// SPDX-License-Identifier: Apache-2.0
// From stored messages to what the engine reads. Pure.
//
// Which messages go in: system, user and finished assistant messages with text; an interrupted or
// stopped reply goes in with what it has, an empty one does not. Reasoning goes along; the template
// decides what it keeps.
// Thread: any.
#pragma once

#include <span>

#include "app/chat/types.h"
#include "engine/request.h"

namespace agens::service {

// `branch` from the root to the message that is answered. A reply that asks for itself is left out
// by its state (queued or generating).
engine::ChatPrompt chatPrompt(std::span<const chat::Message> branch);

}  // namespace agens::service
