// SPDX-License-Identifier: Apache-2.0
// Depth is counted on the raw text first: nlohmann 3.11 parses any depth, but its printer recurses.
#include "engine/base/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace agens {
namespace {

// Deepest nesting of [ and { outside strings.
std::size_t nestingDepth(std::string_view text) {
    std::size_t depth = 0;
    std::size_t deepest = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\') ++i;
            if (c == '"') inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if ((c == ']' || c == '}') && depth > 0) {
            --depth;
        }
    }
    return deepest;
}

}  // namespace

Result<Json> parseJson(std::string_view text, std::string_view source, JsonLimits limits) {
    if (text.size() > limits.bytes) {
        return Error{ErrorKind::InvalidRequest, "json.too_big",
                     "The JSON text has " + std::to_string(text.size()) + " bytes; at most " +
                         std::to_string(limits.bytes) + " are read.",
                     std::string(source)};
    }
    if (const std::size_t depth = nestingDepth(text); depth > limits.depth) {
        return Error{ErrorKind::InvalidRequest, "json.too_deep",
                     "The JSON text is nested " + std::to_string(depth) + " levels deep; at most " +
                         std::to_string(limits.depth) + " are read.",
                     std::string(source)};
    }
    try {
        return Json::parse(text);
    } catch (const nlohmann::json::parse_error& failure) {
        return Error{ErrorKind::InvalidRequest, "json.syntax",
                     "The JSON text is not valid near byte " + std::to_string(failure.byte) + ".",
                     std::string(source)};
    }
}

}  // namespace agens
