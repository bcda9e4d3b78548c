// SPDX-License-Identifier: Apache-2.0
// Vocabularies for tests: small ones made here, the golden ones, the starter model's.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/model_file/metadata.h"
#include "engine/text/tokenizer.h"

namespace agens::test {

struct SmallToken {
    std::string text;
    int kind = 1;
};

// Metadata of a byte-level vocabulary: the 256 byte letters come first (ids 0–255, id = byte), then
// `tokens`; merges "A B" as in a file.
model_file::Metadata smallVocabulary(const std::vector<SmallToken>& tokens,
                                     const std::vector<std::string>& merges,
                                     const std::string& pre = "gpt-2");

text::Tokenizer tokenizerFrom(const model_file::Metadata& metadata);
// The vocabulary of a GGUF file; throws (fails the test) when it cannot be read.
text::Tokenizer tokenizerOfFile(const std::filesystem::path& file);

// Folder of a golden tokenizer: this checkout's, else the shared one.
std::optional<std::filesystem::path> goldenTokenizer(const std::string& name);

}  // namespace agens::test
