// SPDX-License-Identifier: Apache-2.0
// Which chat template a model gets (models-text 3.1): the file's own, else a built-in one by the
// tokens the vocabulary has, else the plain one for models without any chat format.
// Errors: those of ChatTemplate::parse, for the file's own template. The caller then offers
// builtInTemplate() and says so; nothing is replaced silently.
// Thread: any.
#pragma once

#include <string>

#include "engine/base/result.h"
#include "engine/text/template/chat_template.h"
#include "engine/text/tokenizer.h"

namespace agens::text {

enum class TemplateSource {
    File,     // tokenizer.chat_template
    BuiltIn,  // by the tokens of the vocabulary
    Plain,    // "User: … Assistant:"; the model knows no chat format
};

struct ChosenTemplate {
    ChatTemplate chatTemplate;
    TemplateSource source = TemplateSource::File;
    std::string name;  // "file", "chatml", "llama3", "gemma3", "plain"
};

Result<ChosenTemplate> chooseTemplate(const model_file::Metadata& metadata,
                                      const Tokenizer& tokenizer);
ChosenTemplate builtInTemplate(const Tokenizer& tokenizer);

// Texts of the special tokens a template may name, for a rendering at `now` (local time).
TemplateSettings templateSettings(const Tokenizer& tokenizer, const std::tm& now);

}  // namespace agens::text
