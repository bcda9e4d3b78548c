// SPDX-License-Identifier: Apache-2.0
// Vocabulary: what a Tokenizer holds, and its reading from the metadata of a model file with every
// check of models-containers rows C01–C06. Internal to the folder.
// Errors: InvalidFile, Unsupported; `where` is the key.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/model_file/metadata.h"
#include "engine/text/added_tokens.h"
#include "engine/text/bpe.h"
#include "engine/text/byte_strings.h"
#include "engine/text/pretokenize.h"

namespace agens::text {

// Values of tokenizer.ggml.token_type.
enum class TokenKind : std::uint8_t {
    Normal = 1,
    Unknown = 2,
    Control = 3,
    UserDefined = 4,
    Unused = 5,
    Byte = 6,
};

struct VocabularyTables {
    std::vector<std::string> texts;  // as in the file, by id
    std::vector<std::string> bytes;  // what each id stands for
    std::vector<TokenKind> kinds;
    ByteStrings byText;
    AddedTokens added;
    std::optional<Bpe> bpe;
    PreTokenizer preTokenizer = PreTokenizer::Gpt2;
    bool normalises = false;  // NFC
    std::uint32_t vocabReal = 0;
    std::optional<TokenId> bos;
    std::optional<TokenId> eos;
    bool addsBos = false;
    std::vector<TokenId> stop;  // ascending
    std::vector<std::string> warnings;
};

Result<VocabularyTables> readVocabulary(const model_file::Metadata& metadata);

}  // namespace agens::text
