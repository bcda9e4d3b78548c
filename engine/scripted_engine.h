// SPDX-License-Identifier: Apache-2.0
// The scripted engine: the real loop, sampler and text path over a ScriptedExecutor, with a
// vocabulary of 256 byte tokens and the template's special tokens. Window, terminal and endpoint
// are developed and tested on it. openScriptedEngine() of engine.h reads a file and uses the
// system's time.
//
// Thread: as Engine.
#pragma once

#include <memory>

#include "engine/base/clock.h"
#include "engine/base/result.h"
#include "engine/engine.h"
#include "engine/script.h"
#include "engine/scripted_executor.h"

namespace agens::engine {

// Plays the script's `load` line, then makes the engine. `clock` outlives it.
// Errors: what the load line says; InvalidFile (template); Cancelled.
Result<std::unique_ptr<Engine>> makeScriptedEngine(Script script, const Clock& clock,
                                                   Sleeper sleeper, const LoadSink& progress,
                                                   std::stop_token stop);

}  // namespace agens::engine
