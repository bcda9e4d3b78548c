// SPDX-License-Identifier: Apache-2.0
// Tokenizer: text ↔ token ids of one model, built from the file's vocabulary and then immutable.
//
//   invalid UTF-8 → U+FFFD · added tokens cut out · NFC where the family wants it · pre-tokens ·
//   BPE
//
// Where a control token may be recognised is the caller's choice (MatchMode, or spans): content can
// never produce one. The ids of a text with spans equal those of the same text without, as long as
// no control or reserved text stands in content. Errors: InvalidFile (the vocabulary contradicts
// itself), Unsupported (kind or pre-tokeniser). Thread: any; every call is const and shares
// nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/text/added_tokens.h"

namespace agens::model_file {
class Metadata;
}

namespace agens::text {

enum class MatchMode {
    All,        // template text: every added token is recognised
    NoControl,  // control tokens are plain text
    Content,    // control tokens and reserved texts are plain text: what people and tools wrote
};

class Tokenizer {
 public:
    static Result<Tokenizer> fromMetadata(const model_file::Metadata& metadata);

    Tokenizer(Tokenizer&&) noexcept;
    Tokenizer& operator=(Tokenizer&&) noexcept;
    ~Tokenizer();

    // No BOS is added.
    std::vector<TokenId> encode(std::string_view text, MatchMode mode) const;
    // A rendered prompt. Requires: the spans lie back to back and cover the text.
    std::vector<TokenId> encodeSpans(std::string_view text, const std::vector<Span>& spans) const;
    // Puts BOS in front if the model wants one and it is not there yet (models-text 1.7).
    void ensureBos(std::vector<TokenId>& ids) const;

    // Text of all ids; invalid bytes as U+FFFD. StreamDecoder gives the same piece by piece.
    enum class ControlTokens { Skip, Show };
    std::string decode(const std::vector<TokenId>& ids, ControlTokens control) const;

    // Rows of the vocabulary in the file; ids from vocabReal() on mean nothing and are masked.
    std::uint32_t vocabRows() const;
    std::uint32_t vocabReal() const;

    // As the file writes it ("Ġhello"); empty outside the vocabulary.
    std::string_view tokenText(TokenId id) const;
    // What it stands for (" hello"); may be part of a character. Empty outside the vocabulary.
    std::string_view tokenBytes(TokenId id) const;
    bool isControl(TokenId id) const;
    // Control or user-defined.
    bool isAdded(TokenId id) const;
    // False: padding, unused, outside the vocabulary: never sampled.
    bool isUsable(TokenId id) const;
    // By the text in the file; the lowest id wins.
    std::optional<TokenId> find(std::string_view tokenText) const;

    std::optional<TokenId> bos() const;
    std::optional<TokenId> eos() const;
    bool addsBos() const;
    // Ascending; empty: generation ends by length only (models 10).
    const std::vector<TokenId>& stopTokens() const;
    bool isStop(TokenId id) const;
    // Sentences about what was wrong but harmless in the file (for the log and the model page).
    const std::vector<std::string>& warnings() const;

 private:
    struct Vocabulary;
    explicit Tokenizer(std::unique_ptr<Vocabulary> vocabulary);
    std::vector<TokenId> encodeClean(std::string_view text, const std::vector<Span>& spans,
                                     bool allowControl) const;
    void encodeFragment(std::string_view fragment, std::vector<TokenId>& ids) const;

    std::unique_ptr<Vocabulary> m_vocabulary;
};

}  // namespace agens::text
