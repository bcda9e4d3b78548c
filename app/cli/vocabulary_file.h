// SPDX-License-Identifier: Apache-2.0
// The tokenizer of a model file, for the commands that need no weights.
#pragma once

#include <string>

#include "engine/base/result.h"
#include "engine/text/tokenizer.h"

namespace agens::cli {

// Errors: those of chosenModel, openModelFile and Tokenizer::fromMetadata.
Result<text::Tokenizer> openVocabulary(const std::string& model, const std::string& dataDir);

}  // namespace agens::cli
