// SPDX-License-Identifier: Apache-2.0
// strftime with English names whatever the locale: a prompt must not depend on the machine.
// Errors: TemplateFailure{Unsupported} for conversions it does not have.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

namespace agens::text {

std::string timeText(std::string_view format, const std::tm& time);

}  // namespace agens::text
