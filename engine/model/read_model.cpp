// SPDX-License-Identifier: Apache-2.0
// From general.architecture to the family's reader; everything else is refused with one sentence.
#include "engine/model/binding.h"
#include "engine/model/llama.h"

namespace agens::model {

Result<Model> readModel(const model_file::ModelFile& file) {
    TRY(const std::optional<std::string> architecture, file.metadata.text("general.architecture"));
    if (!architecture) {
        return Error{ErrorKind::InvalidFile, "model.no_architecture",
                     "The file does not say which model family it holds (general.architecture is "
                     "missing). Convert or obtain it again.",
                     "general.architecture"};
    }
    if (*architecture == "llama") return readLlama(file);
    return Error{ErrorKind::Unsupported, "model.architecture",
                 "This file holds a model of the family \"" + architecture->substr(0, 64) +
                     "\", which this version does not run. It runs the Llama family "
                     "(general.architecture \"llama\").",
                 "general.architecture"};
}

}  // namespace agens::model
