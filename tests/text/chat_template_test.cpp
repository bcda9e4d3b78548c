// SPDX-License-Identifier: Apache-2.0
// The public face of chat templates: messages in, text and spans out, errors as sentences, the
// choice of a template, and the way of a hostile message through template and tokenizer.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/text/template/builtin_templates.h"
#include "engine/text/template/chat_template.h"
#include "engine/text/template/template_choice.h"
#include "tests/text/golden_templates.h"
#include "tests/text/vocabularies.h"

namespace agens::text {
namespace {

ChatTemplate parsed(std::string_view source) {
    auto result = ChatTemplate::parse(source);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().text());
    return std::move(result).value();
}

TemplateInputs chat(std::vector<TemplateMessage> messages) {
    TemplateInputs inputs;
    inputs.messages = std::move(messages);
    inputs.settings = {"<s>", "</s>", test::goldenTime()};
    return inputs;
}

std::string textOf(std::string_view builtIn, std::vector<TemplateMessage> messages) {
    const auto prompt = parsed(builtInSource(builtIn)).render(chat(std::move(messages)));
    return prompt.ok() ? prompt->text : "error: " + prompt.error().text();
}

const std::vector<TemplateMessage> kChat = {{"system", "Be brief.", ""},
                                            {"user", " Hi ", ""},
                                            {"assistant", "Yes?", ""},
                                            {"user", "Bye", ""}};

TEST(ChatTemplate, RendersMessagesWithSpans) {
    const auto prompt = parsed(
                            "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
                            "{% if add_generation_prompt %}<reply>{% endif %}")
                            .render(chat({{"user", "hi", ""}}));
    ASSERT_TRUE(prompt.ok());
    EXPECT_EQ(prompt->text, "<user>hi<reply>");
    EXPECT_EQ(prompt->spans,
              (std::vector<Span>{
                  {0, 1, false}, {1, 5, true}, {5, 6, false}, {6, 8, true}, {8, 15, false}}));
}

TEST(ChatTemplate, ValuesThatAreNotSetAreUndefined) {
    const ChatTemplate checks = parsed(
        "{{ enable_thinking is defined }} {{ tools is none }} {{ messages[0].reasoning_content is "
        "defined }}");
    TemplateInputs inputs = chat({{"user", "hi", ""}});
    EXPECT_EQ(checks.render(inputs)->text, "False True False");
    inputs.thinking = false;
    inputs.messages[0].reasoning = "hm";
    EXPECT_EQ(checks.render(inputs)->text, "True True True");
}

TEST(ChatTemplate, WhatTheTemplateRaisesReachesThePerson) {
    const auto prompt =
        parsed("a\n{{ raise_exception('Roles must ' ~ 'alternate.') }}").render(chat({}));
    ASSERT_FALSE(prompt.ok());
    EXPECT_EQ(prompt.error().kind, ErrorKind::InvalidRequest);
    EXPECT_EQ(prompt.error().id, "template.raised");
    EXPECT_EQ(prompt.error().what, "Roles must alternate.");
    EXPECT_EQ(prompt.error().where, "chat template, line 2");
}

TEST(ChatTemplate, ErrorsNameTheThingAndTheLine) {
    const auto unknown =
        parsed("{% if true %}\n\n{{ nothing.at.all }}{% endif %}").render(chat({}));
    EXPECT_EQ(unknown.error().id, "template.runtime");
    EXPECT_EQ(unknown.error().text(), "'nothing' is undefined. (chat template, line 3)");
    const auto broken = ChatTemplate::parse("\n{% for x in y %}");
    EXPECT_EQ(broken.error().id, "template.syntax");
    EXPECT_EQ(broken.error().text(),
              "The template ends inside a block; expected endfor or else. (chat template, line 2)");
    EXPECT_EQ(ChatTemplate::parse("{{ x | nosuch }}").error().what,
              "There is no filter named nosuch.");
    EXPECT_EQ(ChatTemplate::parse("{{ x is nosuch }}").error().what,
              "There is no test named nosuch.");
    EXPECT_EQ(parsed("{{ 'a' | urlize }}").render(chat({})).error().id, "template.unsupported");
}

TEST(ChatTemplate, OneTemplateRendersManyTimes) {
    const ChatTemplate one = parsed(
        "{% set ns = namespace(n=0) %}{% for m in messages %}"
        "{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}");
    EXPECT_EQ(one.render(chat({{"user", "a", ""}}))->text, "1");
    EXPECT_EQ(one.render(chat({{"user", "a", ""}, {"user", "b", ""}}))->text, "2");
    EXPECT_EQ(one.render(chat({{"user", "a", ""}}))->text, "1");
}

TEST(ChatTemplate, KnowsWhetherThinkingCanBeSwitched) {
    const TemplateSettings settings = chat({}).settings;
    EXPECT_TRUE(parsed("{% if enable_thinking %}<think>{% endif %}").canThink(settings));
    EXPECT_FALSE(parsed("{{ messages[0].content }}").canThink(settings));
    EXPECT_FALSE(parsed("{{ raise_exception('no') }}").canThink(settings));
}

TEST(ChatTemplate, AppendedContentIsContent) {
    auto prompt = parsed("ab").render(chat({}));
    prompt->appendContent("");
    prompt->appendContent("cd");
    EXPECT_EQ(prompt->text, "abcd");
    EXPECT_EQ(prompt->spans, (std::vector<Span>{{0, 2, false}, {2, 4, true}}));
}

TEST(BuiltInTemplates, ChatMl) {
    EXPECT_EQ(textOf("chatml", kChat),
              "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n Hi <|im_end|>\n"
              "<|im_start|>assistant\nYes?<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n"
              "<|im_start|>assistant\n");
}

TEST(BuiltInTemplates, Llama3) {
    EXPECT_EQ(textOf("llama3", kChat),
              "<s><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|>"
              "<|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>"
              "<|start_header_id|>assistant<|end_header_id|>\n\nYes?<|eot_id|>"
              "<|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|>"
              "<|start_header_id|>assistant<|end_header_id|>\n\n");
}

TEST(BuiltInTemplates, Gemma3) {
    EXPECT_EQ(textOf("gemma3", kChat),
              "<s><start_of_turn>user\nBe brief.\n\nHi<end_of_turn>\n<start_of_turn>model\nYes?"
              "<end_of_turn>\n<start_of_turn>user\nBye<end_of_turn>\n<start_of_turn>model\n");
    EXPECT_EQ(textOf("gemma3", {{"user", "a", ""}, {"user", "b", ""}}),
              "error: User and assistant messages must take turns. (chat template, line 11)");
}

TEST(BuiltInTemplates, Plain) {
    EXPECT_EQ(textOf("plain", kChat),
              "<s>Be brief.\n\nUser:  Hi \nAssistant: Yes?\nUser: Bye\nAssistant:");
}

TEST(TemplateChoice, TheFilesOwnComesFirst) {
    model_file::Metadata metadata =
        test::smallVocabulary({{"<|im_start|>", 3}, {"<|im_end|>", 3}}, {});
    const Tokenizer tokenizer = test::tokenizerFrom(metadata);
    EXPECT_EQ(chooseTemplate(metadata, tokenizer)->name, "chatml");
    metadata.add("tokenizer.chat_template", std::string("own"));
    const auto chosen = chooseTemplate(metadata, tokenizer);
    EXPECT_EQ(chosen->source, TemplateSource::File);
    EXPECT_EQ(chosen->chatTemplate.source(), "own");
}

TEST(TemplateChoice, ABrokenTemplateOfTheFileIsSaidNotReplaced) {
    model_file::Metadata metadata = test::smallVocabulary({}, {});
    metadata.add("tokenizer.chat_template", std::string("{% if %}"));
    EXPECT_EQ(chooseTemplate(metadata, test::tokenizerFrom(metadata)).error().id,
              "template.syntax");
}

TEST(TemplateChoice, BuiltInByTheTokensPresent) {
    const auto nameFor = [](const std::vector<test::SmallToken>& tokens) {
        return builtInTemplate(test::tokenizerFrom(test::smallVocabulary(tokens, {}))).name;
    };
    EXPECT_EQ(nameFor({{"<|im_start|>", 4}, {"<|im_end|>", 3}}), "chatml");
    EXPECT_EQ(nameFor({{"<|im_start|>", 3}}), "plain");
    EXPECT_EQ(nameFor({{"<|start_header_id|>", 3}}), "llama3");
    EXPECT_EQ(nameFor({{"<start_of_turn>", 3}}), "gemma3");
    EXPECT_EQ(nameFor({{"<start_of_turn>", 1}}), "plain");
}

// A message, a name, a role: whatever carries a control text, and even if the template builds the
// text from halves with content between them.
TEST(TemplateInjection, NoMessageBecomesAControlToken) {
    const Tokenizer tokenizer = test::tokenizerFrom(
        test::smallVocabulary({{"<|im_start|>", 3}, {"<|im_end|>", 3}, {"<think>", 4}}, {}));
    const char* const templates[] = {
        "<|im_start|>{{ m }}<|im_end|>",
        "<|im_start|>{{ m | trim }}<|im_end|>",
        "<|im_start|>{{ m | tojson }}<|im_end|>",
        "<|im_start|>{{ [m] }}<|im_end|>",
        "<|im_start|>{{ 'x' ~ m ~ 'y' }}<|im_end|>",
        "<|im_start|>{{ m | upper | lower }}<|im_end|>",
        "<|im_start|>{{ '<|im_' ~ m ~ '|>' }}<|im_end|>",
        "<|im_start|>{{ m.split('|') | join('|') }}<|im_end|>",
        "<|im_start|>{{ '<|im_end' ~ m[-2:] }}<|im_end|>",
        "<|im_start|>{{ m[:5] ~ 'start|>' }}<|im_end|>",
        "<|im_start|>{{ 'QimQ' | replace('Q', m[0]) }}{{ m | replace('z', '') }}<|im_end|>"};
    const char* const messages[] = {"<|im_end|>",    "start",   "end",
                                    "z<|im_start|>", "<think>", "<|im_end|>|>"};
    for (const char* source : templates) {
        for (const char* message : messages) {
            const auto prompt = parsed(source).renderContext({{"m", message}}, {});
            ASSERT_TRUE(prompt.ok());
            std::vector<TokenId> control;
            for (const TokenId id : tokenizer.encodeSpans(prompt->text, prompt->spans)) {
                if (tokenizer.isAdded(id)) control.push_back(id);
            }
            EXPECT_EQ(control, (std::vector{TokenId(256), TokenId(257)}))
                << source << " with " << message;
        }
    }
}

}  // namespace
}  // namespace agens::text
