// SPDX-License-Identifier: Apache-2.0
// The chat templates of resources/templates, compiled in. Thread: any, constant data.
#pragma once

#include <string_view>

namespace agens::text {

// By file name without ending ("chatml"); empty if there is none.
std::string_view builtInSource(std::string_view name);

}  // namespace agens::text
