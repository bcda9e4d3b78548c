// SPDX-License-Identifier: Apache-2.0
// Pre-tokenisers: cut a text into the pre-tokens that BPE works on, each alone. One hand-written
// scanner per pattern of models-text 1.3, with the exact order of alternatives and backtracking of
// the pattern; a pattern matches at every place, so the pre-tokens cover the text.
// Invariant: time linear in the text. Thread: any, pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace agens::text {

enum class PreTokenizer {
    Gpt2,    // contractions, ?letters, ?numbers, ?others, white space
    SmolLm,  // every number character alone, then Gpt2 on what lies between
    Llama3,  // numbers in threes, one foreign character may lead letters, newlines close others
    Qwen2,   // Llama3 with numbers one by one
    Qwen35,  // Qwen2 with combining marks among the letters
};

// By the value of tokenizer.ggml.pre.
std::optional<PreTokenizer> preTokenizerNamed(std::string_view name);

// End of the pre-token that begins at `from`. Requires: valid UTF-8, from < text.size(), from is 0
// or the end of the pre-token before.
std::size_t endOfPreToken(PreTokenizer kind, std::string_view text, std::size_t from);

}  // namespace agens::text
