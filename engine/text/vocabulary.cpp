// SPDX-License-Identifier: Apache-2.0
// Reading and checking the keys tokenizer.ggml.*.
#include "engine/text/vocabulary.h"

#include <algorithm>
#include <array>

#include "engine/text/byte_letters.h"

namespace agens::text {
namespace {

constexpr std::size_t kMostTokens = 1'048'576;
constexpr std::size_t kLongestToken = 65'535;
constexpr std::size_t kMostMerges = 4'194'304;
constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;

// Texts that end a turn wherever they are control tokens (models 10).
constexpr std::array<std::string_view, 9> kStopTexts = {
    "<|im_end|>",    "<|endoftext|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>",
    "<end_of_turn>", "<eos>",         "</s>",       "<|end|>"};

Error damaged(const char* row, std::string what, const char* key) {
    return {ErrorKind::InvalidFile, row,
            "The file is damaged (" + std::string(row) + "): " + std::move(what), key};
}

Result<void> readTokens(const model_file::Metadata& metadata, VocabularyTables& tables) {
    constexpr const char* kKey = "tokenizer.ggml.tokens";
    TRY(const std::vector<std::string>* tokens, metadata.texts(kKey));
    if (tokens == nullptr) return damaged("C01", "it has no list of tokens.", kKey);
    if (tokens->size() < 2 || tokens->size() > kMostTokens) {
        return damaged("C01",
                       "it has " + std::to_string(tokens->size()) + " tokens; 2 to " +
                           std::to_string(kMostTokens) + " expected.",
                       kKey);
    }
    std::uint64_t bytes = 0;
    for (const std::string& text : *tokens) {
        bytes += text.size();
        if (text.size() > kLongestToken || bytes > kMostBytes) {
            return damaged("C02", "a token has " + std::to_string(text.size()) + " bytes.", kKey);
        }
    }
    tables.texts = *tokens;
    return {};
}

Result<void> readKinds(const model_file::Metadata& metadata, VocabularyTables& tables) {
    constexpr const char* kKey = "tokenizer.ggml.token_type";
    tables.kinds.assign(tables.texts.size(), TokenKind::Normal);
    TRY(const std::vector<std::int64_t>* kinds, metadata.integers(kKey));
    if (kinds == nullptr) return {};
    if (kinds->size() != tables.texts.size()) {
        return damaged("C01",
                       std::to_string(kinds->size()) + " token types for " +
                           std::to_string(tables.texts.size()) + " tokens.",
                       kKey);
    }
    for (std::size_t id = 0; id < kinds->size(); ++id) {
        const std::int64_t kind = (*kinds)[id];
        if (kind < 1 || kind > 6) {
            return damaged("C01",
                           "token " + std::to_string(id) + " has the type " + std::to_string(kind) +
                               "; 1 to 6 expected.",
                           kKey);
        }
        tables.kinds[id] = static_cast<TokenKind>(kind);
    }
    return {};
}

bool isPadding(const VocabularyTables& tables, std::size_t id) {
    return tables.kinds[id] == TokenKind::Unused && tables.texts[id].starts_with("[PAD");
}

// Kinds as they are used: old files mark the reserved texts as normal or control tokens.
void settleKinds(VocabularyTables& tables) {
    for (std::size_t id = 0; id < tables.texts.size(); ++id) {
        if (isReservedText(tables.texts[id])) tables.kinds[id] = TokenKind::UserDefined;
    }
    std::size_t real = tables.texts.size();
    while (real > 0 && isPadding(tables, real - 1))
        --real;
    tables.vocabReal = static_cast<std::uint32_t>(real);
}

void fillTexts(VocabularyTables& tables) {
    tables.byText = ByteStrings(tables.texts.size());
    tables.bytes.resize(tables.texts.size());
    std::size_t unmatched = 0;
    for (std::size_t id = 0; id < tables.vocabReal; ++id) {
        const std::string& text = tables.texts[id];
        const TokenId token(static_cast<std::int32_t>(id));
        const TokenKind kind = tables.kinds[id];
        tables.byText.add(text, token);
        if (kind == TokenKind::Unused) continue;
        const bool isAdded = kind == TokenKind::Control || kind == TokenKind::UserDefined;
        tables.bytes[id] = isAdded ? text : bytesOfLetters(text);
        if (!isAdded) continue;
        const AddedKind added = kind == TokenKind::Control ? AddedKind::Control
                                : isReservedText(text)     ? AddedKind::Reserved
                                                           : AddedKind::UserDefined;
        if (!tables.added.add(text, token, added)) ++unmatched;
    }
    if (unmatched > 0) {
        tables.warnings.push_back(
            std::to_string(unmatched) +
            " special tokens are empty or too long to be recognised in text.");
    }
}

std::optional<Merge> parseMerge(const std::string& line, const VocabularyTables& tables) {
    // The first symbol may itself be a space in files with unusual alphabets, hence from place 1.
    const std::size_t space = line.find(' ', 1);
    if (space == std::string::npos) return std::nullopt;
    const std::string_view left = std::string_view(line).substr(0, space);
    const std::string_view right = std::string_view(line).substr(space + 1);
    const auto leftId = tables.byText.find(left);
    const auto rightId = tables.byText.find(right);
    const auto merged = tables.byText.find(std::string(left) + std::string(right));
    if (!leftId || !rightId || !merged) return std::nullopt;
    return Merge{*leftId, *rightId, *merged};
}

Result<void> readMerges(const model_file::Metadata& metadata, bool ignoreMerges,
                        VocabularyTables& tables) {
    constexpr const char* kKey = "tokenizer.ggml.merges";
    TRY(const std::vector<std::string>* lines, metadata.texts(kKey));
    if (lines == nullptr) return damaged("C03", "it has no list of merges.", kKey);
    if (lines->size() > kMostMerges) {
        return damaged("C03",
                       "it has " + std::to_string(lines->size()) + " merges; at most " +
                           std::to_string(kMostMerges) + " expected.",
                       kKey);
    }
    Bpe::Parts parts;
    parts.ignoreMerges = ignoreMerges;
    std::size_t dropped = 0;
    for (const std::string& line : *lines) {
        if (const auto merge = parseMerge(line, tables)) {
            parts.merges.push_back(*merge);
        } else {
            ++dropped;
        }
    }
    if (dropped * 100 > lines->size()) {
        return damaged("C03",
                       std::to_string(dropped) + " of " + std::to_string(lines->size()) +
                           " merges name unknown tokens.",
                       kKey);
    }
    if (dropped > 0) {
        tables.warnings.push_back(std::to_string(dropped) + " merges name unknown tokens.");
    }
    parts.tokenBytes = tables.bytes;
    bool hasByte = false;
    for (std::size_t id = 0; id < parts.tokenBytes.size(); ++id) {
        if (tables.kinds[id] != TokenKind::Normal) parts.tokenBytes[id].clear();
        hasByte = hasByte || parts.tokenBytes[id].size() == 1;
    }
    if (!hasByte) return damaged("C06", "no token stands for a single byte.", kKey);
    tables.bpe.emplace(parts);
    return {};
}

Result<std::optional<TokenId>> readId(const model_file::Metadata& metadata, const char* key,
                                      VocabularyTables& tables) {
    TRY(const std::optional<std::uint64_t> id, metadata.count(key));
    if (!id) return std::optional<TokenId>();
    if (*id >= tables.vocabReal) {
        tables.warnings.push_back(std::string(key) + " names the token " + std::to_string(*id) +
                                  ", which does not exist; it is ignored.");
        return std::optional<TokenId>();
    }
    return std::optional(TokenId(static_cast<std::int32_t>(*id)));
}

Result<void> readSpecialIds(const model_file::Metadata& metadata, VocabularyTables& tables) {
    TRY(tables.bos, readId(metadata, "tokenizer.ggml.bos_token_id", tables));
    TRY(tables.eos, readId(metadata, "tokenizer.ggml.eos_token_id", tables));
    TRY(const std::optional<TokenId> eot, readId(metadata, "tokenizer.ggml.eot_token_id", tables));
    TRY(const std::optional<TokenId> eom, readId(metadata, "tokenizer.ggml.eom_token_id", tables));
    for (const auto& id : {tables.eos, eot, eom}) {
        if (id) tables.stop.push_back(*id);
    }
    for (const std::string_view text : kStopTexts) {
        const auto id = tables.byText.find(text);
        if (id && tables.kinds[static_cast<std::size_t>(id->value)] == TokenKind::Control) {
            tables.stop.push_back(*id);
        }
    }
    std::sort(tables.stop.begin(), tables.stop.end());
    tables.stop.erase(std::unique(tables.stop.begin(), tables.stop.end()), tables.stop.end());
    if (tables.stop.empty()) {
        tables.warnings.emplace_back(
            "The file names no token that ends a reply; replies end by length or stop texts only.");
    }
    return {};
}

Result<PreTokenizer> readPreTokenizer(const model_file::Metadata& metadata) {
    constexpr const char* kKey = "tokenizer.ggml.pre";
    TRY(const std::optional<std::string> name, metadata.text(kKey));
    if (const auto known = preTokenizerNamed(name.value_or(""))) return *known;
    return Error{ErrorKind::Unsupported, "tokenizer.pre",
                 "The file does not say how its tokenizer splits text (tokenizer.ggml.pre = " +
                     name.value_or("absent") + "); reconvert it with a current converter.",
                 kKey};
}

}  // namespace

Result<VocabularyTables> readVocabulary(const model_file::Metadata& metadata) {
    constexpr const char* kModelKey = "tokenizer.ggml.model";
    TRY(const std::optional<std::string> model, metadata.text(kModelKey));
    if (model.value_or("") != "gpt2") {
        return Error{ErrorKind::Unsupported, "tokenizer.model",
                     model ? "The tokenizer type " + *model + " is not supported."
                           : std::string("The file does not name its tokenizer type."),
                     kModelKey};
    }
    VocabularyTables tables;
    TRY(tables.preTokenizer, readPreTokenizer(metadata));
    TRY_VOID(readTokens(metadata, tables));
    TRY_VOID(readKinds(metadata, tables));
    settleKinds(tables);
    fillTexts(tables);
    const bool isLlama3 = tables.preTokenizer == PreTokenizer::Llama3;
    TRY_VOID(readMerges(metadata, isLlama3, tables));
    TRY_VOID(readSpecialIds(metadata, tables));
    // The file deepseek-r1-qwen shares the pattern of qwen2, but nothing says that it normalises.
    TRY(const std::optional<std::string> pre, metadata.text("tokenizer.ggml.pre"));
    tables.normalises = pre == "qwen2" || pre == "qwen35";
    TRY(const std::optional<bool> addsBos, metadata.flag("tokenizer.ggml.add_bos_token"));
    tables.addsBos = addsBos.value_or(isLlama3) && tables.bos.has_value();
    return tables;
}

}  // namespace agens::text
