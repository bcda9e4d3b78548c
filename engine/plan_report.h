// SPDX-License-Identifier: Apache-2.0
// PlanReport: what the loaded model takes, arena by arena, and the context one conversation gets.
// Until the planner exists the served context is min(trained, asked, 8192) and pages for two
// running conversations are allocated at load.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/units.h"

namespace agens::engine {

struct PlannedArena {
    std::string name;  // "weights", "kv pages", "activations"
    ByteCount bytes;
};

struct PlanReport {
    std::vector<PlannedArena> arenas;
    std::uint32_t servedContext = 0;  // tokens
    std::string limit;                // why not more: "trained context", "--ctx", "cap of 8192"
    std::uint32_t runningConversations = 2;
    ByteCount total() const {
        ByteCount sum;
        for (const PlannedArena& arena : arenas)
            sum = sum + arena.bytes;
        return sum;
    }
};

}  // namespace agens::engine
