// SPDX-License-Identifier: Apache-2.0
// Range checks of sampling values. A comparison with NaN is false, so NaN is out of every range.
#include "engine/sampling/values.h"

#include <sstream>
#include <string>

namespace agens::sampling {
namespace {

Error outOfRange(const char* field, double value, const std::string& allowed) {
    std::ostringstream what;
    what << field << " is " << value << "; " << allowed << " is allowed.";
    return Error{ErrorKind::InvalidRequest, "request.sampling", what.str(), field};
}

}  // namespace

Result<engine::SamplingValues> decideValues(const engine::SamplingRequest& request,
                                            const engine::SamplingValues& defaults,
                                            std::uint32_t vocabulary) {
    engine::SamplingValues values = defaults;
    if (const auto asked = request.temperature) {
        if (!(*asked >= 0.0 && *asked <= 100.0)) {
            return outOfRange("temperature", *asked, "0 to 100");
        }
        values.temperature = static_cast<float>(*asked);
    }
    if (const auto asked = request.topK) {
        if (*asked > vocabulary) {
            return outOfRange("topK", *asked, "0 (off) to " + std::to_string(vocabulary));
        }
        values.topK = *asked;
    }
    if (const auto asked = request.topP) {
        if (!(*asked > 0.0 && *asked <= 1.0))
            return outOfRange("topP", *asked, "above 0 to 1 (off)");
        values.topP = *asked;
    }
    if (const auto asked = request.minP) {
        if (!(*asked >= 0.0 && *asked <= 1.0)) return outOfRange("minP", *asked, "0 (off) to 1");
        values.minP = *asked;
    }
    if (const auto asked = request.repetitionPenalty) {
        if (!(*asked > 0.0 && *asked <= 10.0)) {
            return outOfRange("repetitionPenalty", *asked, "above 0 to 10, 1 (off)");
        }
        values.repetitionPenalty = static_cast<float>(*asked);
    }
    values.repeatLastN = request.repeatLastN.value_or(values.repeatLastN);
    return values;
}

}  // namespace agens::sampling
