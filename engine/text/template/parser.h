// SPDX-License-Identifier: Apache-2.0
// Parser: tokens → tree, by recursive descent with the language's own precedences.
// Errors: TemplateFailure{Syntax, Refused, Limit}. Nesting of the source is counted while
// descending.
#pragma once

#include <string_view>

#include "engine/text/template/tree.h"

namespace agens::text {

Body parseTemplate(std::string_view source);

}  // namespace agens::text
