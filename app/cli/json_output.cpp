// SPDX-License-Identifier: Apache-2.0
// nlohmann's printer with replacement of invalid UTF-8, so that it cannot throw.
#include "app/cli/json_output.h"

#include <nlohmann/json.hpp>

namespace agens::cli {
namespace {

std::string printed(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string toLine(const Json& json) {
    return printed(json, -1);
}
std::string toDocument(const Json& json) {
    return printed(json, 1);
}

Json errorJson(const Error& error) {
    return {{"error",
             {{"kind", toString(error.kind)},
              {"id", error.id},
              {"what", error.what},
              {"where", error.where}}}};
}

}  // namespace agens::cli
