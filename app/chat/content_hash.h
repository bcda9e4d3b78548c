// SPDX-License-Identifier: Apache-2.0
// The 64-bit hash beside each part. SQLite has no page checksums and its checks do not notice a
// flipped byte inside text, so a part is shown as good only if its hash agrees.
// Definition: first 8 bytes, big-endian, of SHA-256 over kind, text, name, data, each followed by a
// zero byte, as a signed integer.
#pragma once

#include <cstdint>
#include <string_view>

namespace agens::chat {

std::int64_t contentHash(std::string_view kind, std::string_view text, std::string_view name,
                         std::string_view data);

}  // namespace agens::chat
