// SPDX-License-Identifier: Apache-2.0
// See the header for the definition.
#include "app/chat/content_hash.h"

#include <span>

#include "engine/base/sha256.h"

namespace agens::chat {

std::int64_t contentHash(std::string_view kind, std::string_view text, std::string_view name,
                         std::string_view data) {
    Sha256 hash;
    const std::byte zero{0};
    for (const std::string_view field : {kind, text, name, data}) {
        hash.add(std::as_bytes(std::span(field.data(), field.size())));
        hash.add(std::span(&zero, 1));
    }
    const Sha256::Digest digest = hash.finish();
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < 8; ++i)
        number = number << 8 | digest[i];
    return static_cast<std::int64_t>(number);
}

}  // namespace agens::chat
