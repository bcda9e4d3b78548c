// SPDX-License-Identifier: Apache-2.0
// Metadata of the byte vocabulary.
#include "tests/loop/byte_vocabulary.h"

#include "engine/base/check.h"
#include "engine/model_file/metadata.h"
#include "engine/text/byte_letters.h"
#include "engine/text/utf8.h"

namespace agens::test {
namespace {

text::Tokenizer make(const std::vector<std::string>& more,
                     const std::vector<std::string>& control) {
    std::vector<std::string> tokens;
    const auto addBytes = [&](std::string_view bytes) {
        std::string& letters = tokens.emplace_back();
        for (const char byte : bytes) {
            text::appendUtf8(letters, text::letterOfByte(static_cast<std::uint8_t>(byte)));
        }
    };
    for (int byte = 0; byte < 256; ++byte)
        addBytes(std::string(1, static_cast<char>(byte)));
    for (const std::string& bytes : more)
        addBytes(bytes);
    std::vector<std::int64_t> kinds(tokens.size(), 1);
    for (const std::string& name : control) {
        tokens.push_back(name);
        kinds.push_back(3);
    }
    model_file::Metadata metadata;
    metadata.add("tokenizer.ggml.model", std::string("gpt2"));
    metadata.add("tokenizer.ggml.pre", std::string("gpt-2"));
    metadata.add("tokenizer.ggml.eos_token_id", std::uint64_t{256 + more.size()});
    metadata.add("tokenizer.ggml.tokens", std::move(tokens));
    metadata.add("tokenizer.ggml.token_type", std::move(kinds));
    metadata.add("tokenizer.ggml.merges", std::vector<std::string>());
    Result<text::Tokenizer> tokenizer = text::Tokenizer::fromMetadata(metadata);
    CHECK(tokenizer.ok()) << tokenizer.error().text();
    return std::move(*tokenizer);
}

}  // namespace

ByteVocabulary::ByteVocabulary(const std::vector<std::string>& more,
                               const std::vector<std::string>& control)
    : tokenizer(make(more, control)), endId(static_cast<std::int32_t>(256 + more.size())) {}

std::vector<TokenId> byteIds(std::string_view text) {
    std::vector<TokenId> ids;
    for (const char byte : text)
        ids.emplace_back(static_cast<std::uint8_t>(byte));
    return ids;
}

}  // namespace agens::test
