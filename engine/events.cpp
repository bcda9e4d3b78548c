// SPDX-License-Identifier: Apache-2.0
// Names of finish reasons.
#include "engine/events.h"

namespace agens::engine {

const char* toString(FinishReason reason) {
    switch (reason) {
        case FinishReason::End:
            return "end";
        case FinishReason::Stop:
            return "stop";
        case FinishReason::Length:
            return "length";
        case FinishReason::Cancelled:
            return "cancelled";
    }
    return "end";
}

}  // namespace agens::engine
