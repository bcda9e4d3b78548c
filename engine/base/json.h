// SPDX-License-Identifier: Apache-2.0
// Reading JSON that somebody else wrote: depth-capped, size-capped, never throws. The value type is
// nlohmann's ordered_json (key order and number spelling of integers survive); include
// <nlohmann/json.hpp> only where values are taken apart.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "engine/base/result.h"

namespace agens {

using Json = nlohmann::ordered_json;

struct JsonLimits {
    std::size_t depth = 64;
    std::size_t bytes = std::size_t{64} << 20;
};

// Errors: InvalidRequest with id "json.too_big", "json.too_deep" or "json.syntax"; `where` = source
// and byte offset. The depth is counted before parsing, so no printer or destructor meets more.
Result<Json> parseJson(std::string_view text, std::string_view source, JsonLimits limits = {});

}  // namespace agens
