// SPDX-License-Identifier: Apache-2.0
// NFC of valid UTF-8 (ICU behind it). Thread: any, pure.
#pragma once

#include <string>
#include <string_view>

namespace agens::text {

// True without looking further when the text is ASCII.
bool isNfc(std::string_view text);
std::string toNfc(std::string_view text);

}  // namespace agens::text
