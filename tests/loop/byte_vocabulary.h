// SPDX-License-Identifier: Apache-2.0
// A tokenizer of 256 byte tokens (id = byte), then the tokens given, then one that ends a reply.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/text/tokenizer.h"

namespace agens::test {

struct ByteVocabulary {
    // `more` are normal tokens from id 256 on; `control` follow them, the first is the end token.
    explicit ByteVocabulary(const std::vector<std::string>& more = {},
                            const std::vector<std::string>& control = {"<|im_end|>"});
    TokenId end() const { return endId; }

    text::Tokenizer tokenizer;
    TokenId endId;
};

std::vector<TokenId> byteIds(std::string_view text);

}  // namespace agens::test
