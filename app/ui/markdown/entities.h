// SPDX-License-Identifier: Apache-2.0
// Character references (`&amp;`, `&#8212;`, `&#x2014;`) -> the character they stand for.
// Named ones: those in common use; any other name stays as it is written. Numbers that name no
// character or a control become U+FFFD. Thread: pure function.
#pragma once

#include <string>
#include <string_view>

namespace agens::markdown {

std::string decodeEntity(std::string_view reference);

}  // namespace agens::markdown
