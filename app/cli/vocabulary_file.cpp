// SPDX-License-Identifier: Apache-2.0
// A file without tensors is enough.
#include "app/cli/vocabulary_file.h"

#include "app/cli/model_choice.h"
#include "engine/model_file/tensor_index.h"

namespace agens::cli {

Result<text::Tokenizer> openVocabulary(const std::string& model, const std::string& dataDir) {
    TRY(const std::filesystem::path path, chosenModel(model, dataDir));
    TRY(const model_file::ModelFile file, model_file::openModelFile(path));
    return text::Tokenizer::fromMetadata(file.metadata);
}

}  // namespace agens::cli
