// SPDX-License-Identifier: Apache-2.0
#include "tests/text/vocabularies.h"

#include <stdexcept>

#include "engine/model_file/tensor_index.h"
#include "engine/text/byte_letters.h"
#include "engine/text/utf8.h"
#include "tests/support/test_paths.h"

namespace agens::test {

model_file::Metadata smallVocabulary(const std::vector<SmallToken>& tokens,
                                     const std::vector<std::string>& merges,
                                     const std::string& pre) {
    std::vector<std::string> texts;
    std::vector<std::int64_t> kinds(256, 1);
    for (unsigned byte = 0; byte < 256; ++byte) {
        text::appendUtf8(texts.emplace_back(), text::letterOfByte(static_cast<std::uint8_t>(byte)));
    }
    for (const SmallToken& token : tokens) {
        texts.push_back(token.text);
        kinds.push_back(token.kind);
    }
    model_file::Metadata metadata;
    metadata.add("tokenizer.ggml.model", std::string("gpt2"));
    metadata.add("tokenizer.ggml.pre", pre);
    metadata.add("tokenizer.ggml.tokens", std::move(texts));
    metadata.add("tokenizer.ggml.token_type", std::move(kinds));
    metadata.add("tokenizer.ggml.merges", merges);
    return metadata;
}

text::Tokenizer tokenizerFrom(const model_file::Metadata& metadata) {
    auto tokenizer = text::Tokenizer::fromMetadata(metadata);
    if (!tokenizer) throw std::runtime_error(tokenizer.error().text());
    return std::move(tokenizer).value();
}

text::Tokenizer tokenizerOfFile(const std::filesystem::path& file) {
    auto opened = model_file::openModelFile(file);
    if (!opened) throw std::runtime_error(opened.error().text());
    return tokenizerFrom(opened->metadata);
}

std::optional<std::filesystem::path> goldenTokenizer(const std::string& name) {
    const auto own = goldenFolder() / "tokenizers" / name;
    if (std::filesystem::exists(own)) return own;
    if (!sharedFolder()) return std::nullopt;
    return *sharedFolder() / "golden" / "tokenizers" / name;
}

}  // namespace agens::test
