// SPDX-License-Identifier: Apache-2.0
#include "engine/text/template/template_choice.h"

#include "engine/base/check.h"
#include "engine/model_file/metadata.h"
#include "engine/text/template/builtin_templates.h"

namespace agens::text {
namespace {

bool hasAdded(const Tokenizer& tokenizer, std::string_view text) {
    const auto id = tokenizer.find(text);
    return id && tokenizer.isAdded(*id);
}

const char* builtInName(const Tokenizer& tokenizer) {
    if (hasAdded(tokenizer, "<|im_start|>") && hasAdded(tokenizer, "<|im_end|>")) return "chatml";
    if (hasAdded(tokenizer, "<|start_header_id|>")) return "llama3";
    if (hasAdded(tokenizer, "<start_of_turn>")) return "gemma3";
    return "plain";
}

}  // namespace

Result<ChosenTemplate> chooseTemplate(const model_file::Metadata& metadata,
                                      const Tokenizer& tokenizer) {
    TRY(const std::optional<std::string> own, metadata.text("tokenizer.chat_template"));
    if (!own || own->empty()) return builtInTemplate(tokenizer);
    TRY(ChatTemplate parsed, ChatTemplate::parse(*own));
    return ChosenTemplate{std::move(parsed), TemplateSource::File, "file"};
}

ChosenTemplate builtInTemplate(const Tokenizer& tokenizer) {
    const std::string name = builtInName(tokenizer);
    auto parsed = ChatTemplate::parse(builtInSource(name));
    CHECK(parsed.ok()) << "built-in template " << name << ": " << parsed.error().text();
    const TemplateSource source = name == "plain" ? TemplateSource::Plain : TemplateSource::BuiltIn;
    return {std::move(parsed).value(), source, name};
}

TemplateSettings templateSettings(const Tokenizer& tokenizer, const std::tm& now) {
    const auto textOf = [&](std::optional<TokenId> id) {
        return id ? std::string(tokenizer.tokenBytes(*id)) : std::string();
    };
    return {textOf(tokenizer.bos()), textOf(tokenizer.eos()), now};
}

}  // namespace agens::text
