// SPDX-License-Identifier: Apache-2.0
// Budgets and refusals of the template interpreter: each limit ends a rendering with its own
// sentence, and nothing that a template can build outlives it or overruns the stack.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/text/template/chat_template.h"

namespace agens::text {
namespace {

Result<RenderedPrompt> rendered(const std::string& source, const Json& context = Json::object()) {
    const auto parsed = ChatTemplate::parse(source);
    if (!parsed) return parsed.error();
    return parsed->renderContext(context, {});
}

Error errorOf(const std::string& source, const Json& context = Json::object()) {
    const auto prompt = rendered(source, context);
    return prompt.ok() ? Error{ErrorKind::Internal, "none", "no error: " + prompt->text, ""}
                       : prompt.error();
}

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

TEST(TemplateLimits, StepsAreCounted) {
    const Error error =
        errorOf("{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}");
    EXPECT_EQ(error.kind, ErrorKind::InvalidRequest);
    EXPECT_EQ(error.id, "limit");
    EXPECT_EQ(error.what, "The chat template takes more than 2000000 steps.");
}

TEST(TemplateLimits, ALongPromptMayTakeMoreSteps) {
    const std::string loops = "%}{% for i in range(60) %}{% endfor %}{% endfor %}";
    EXPECT_TRUE(rendered("{% for c in text " + loops, {{"text", std::string(20'000, 'a')}}).ok());
    EXPECT_EQ(errorOf("{% for c in range(20000) " + loops).id, "limit");
}

TEST(TemplateLimits, ATextMayHave16MiB) {
    EXPECT_TRUE(rendered("{% set x = 'a' * 16777216 %}").ok());
    EXPECT_EQ(errorOf("{% set x = 'a' * 16777217 %}").what,
              "The chat template makes a text that is too large.");
    EXPECT_EQ(errorOf("{{ 'ab' * 8000000 }}{{ 'ab' * 8000000 }}").what,
              "The chat template makes a text that is too large.");
}

TEST(TemplateLimits, LivingValuesMayHave64MiB) {
    const std::string hoard =
        "{% set ns = namespace(l=[]) %}{% for i in range(5) %}"
        "{% set ns.l = ns.l + ['a' * 15000000] %}{% endfor %}";
    EXPECT_EQ(errorOf(hoard).what, "The chat template holds too many values.");
    EXPECT_TRUE(rendered("{% for i in range(10) %}{% set x = 'a' * 15000000 %}{% endfor %}").ok());
}

TEST(TemplateLimits, NestingOfTheSourceIsCounted) {
    EXPECT_TRUE(rendered("{{ " + repeated("(", 150) + "1" + repeated(")", 150) + " }}").ok());
    EXPECT_EQ(errorOf("{{ " + repeated("(", 300) + "1" + repeated(")", 300) + " }}").what,
              "The chat template is nested too deeply.");
    EXPECT_EQ(errorOf(repeated("{% if true %}", 300) + repeated("{% endif %}", 300)).id, "limit");
    EXPECT_EQ(errorOf("{{ 1" + repeated(" + 1", 5000) + " }}").id, "limit");
    EXPECT_TRUE(rendered("{{ 1" + repeated(" + 1", 300) + " }}").ok());
    EXPECT_TRUE(rendered("{{ 'a'" + repeated(" ~ 'a'", 5000) + " }}").ok());
}

TEST(TemplateLimits, CallsAreCounted) {
    EXPECT_EQ(errorOf("{% macro f(n) %}{{ f(n + 1) }}{% endmacro %}{{ f(0) }}").what,
              "The chat template calls its macros too deeply.");
    EXPECT_EQ(
        rendered("{% macro f(n) %}{% if n %}{{ f(n - 1) }}.{% endif %}{% endmacro %}{{ f(90) }}")
            ->text.size(),
        90u);
}

TEST(TemplateLimits, ValuesMayNestAHundredDeep) {
    const std::string build =
        "{% set ns = namespace(l=[]) %}{% for i in range(COUNT) %}"
        "{% set ns.l = [ns.l] %}{% endfor %}{{ ns.l | string | length }}";
    const auto with = [&](const std::string& count) {
        std::string source = build;
        return source.replace(source.find("COUNT"), 5, count);
    };
    EXPECT_EQ(rendered(with("90"))->text, "182");
    EXPECT_EQ(errorOf(with("20000")).what, "The chat template nests values too deeply.");
}

TEST(TemplateLimits, NumbersStayWithin128Bits) {
    EXPECT_EQ(rendered("{{ 2 ** 126 }}")->text, "85070591730234615865843651857942052864");
    EXPECT_EQ(errorOf("{{ 2 ** 127 }}").id, "limit");
    EXPECT_EQ(errorOf("{{ 10 ** 100000000 }}").id, "limit");
    EXPECT_EQ(errorOf("{{ -(2 ** 126) * 2 - 1 }}").id, "limit");
    EXPECT_EQ(rendered("{{ 1 ** 100000000000 }}{{ 0 ** 100000000000 }}")->text, "10");
}

TEST(TemplateLimits, SourcesMayHaveOneMiB) {
    EXPECT_TRUE(ChatTemplate::parse(std::string(1 << 20, 'a')).ok());
    EXPECT_EQ(ChatTemplate::parse(std::string((1 << 20) + 1, 'a')).error().id, "limit");
}

TEST(TemplateLimits, SearchingIsLinearInBothTexts) {
    const std::string source =
        "{% set a = 'a' * 2000000 %}{% set b = 'a' * 1000000 ~ 'b' %}{{ b in a }} {{ a.find(b) }} "
        "{{ a.rfind('b' ~ b) }} {{ a.count(b) }} {{ (a | replace(b, '')) == a }} "
        "{{ a.split(b) | length }} {{ a.rsplit(b, 1) | length }} {{ b in [a] }} {{ b is in a }}";
    EXPECT_EQ(rendered(source)->text, "False -1 -1 0 True 1 1 False False");
}

TEST(TemplateLimits, ALargeMessageIsRendered) {
    const std::string message(std::size_t{10} << 20, 'x');
    const auto prompt =
        rendered("{{ '<s>' ~ m | trim ~ '\n' }}{% if m[0] == 'y' %}{{ m[1:] }}{% endif %}",
                 {{"m", "  " + message}});
    ASSERT_TRUE(prompt.ok()) << prompt.error().text();
    EXPECT_EQ(prompt->text, "<s>" + message + "\n");
}

// Run with the leak checker: each of these holds itself.
TEST(TemplateLimits, CyclesAreOpened) {
    for (const char* source :
         {"{% set ns = namespace() %}{% set ns.self = ns %}a",
          "{% set ns = namespace() %}{% set ns.l = [ns, [ns]] %}a",
          "{% macro f() %}{% endmacro %}{% set ns = namespace(f=f) %}{% set g = f %}a",
          "{% for x in [1] recursive %}{% set ns = namespace(l=loop) %}{% set ns.n = ns %}a{% "
          "endfor %}",
          "{% macro f() %}{% set ns = namespace(c=caller) %}{% set ns.n = ns %}a{% endmacro %}"
          "{% call f() %}{% endcall %}",
          "{% for i in [1] %}{% macro f() %}{% endmacro %}{% set ns = namespace(f=f, m=f) %}a{% "
          "endfor %}"}) {
        EXPECT_EQ(rendered(source)->text, "a") << source;
    }
}

TEST(TemplateLimits, NothingChangesOrLeavesTheInterpreter) {
    const Json context = {{"l", {1, 2}}, {"d", {{"a", 1}}}, {"s", "x"}};
    for (const char* source :
         {"{{ l.append(3) }}", "{{ l.pop() }}", "{{ l.clear() }}", "{{ l.sort() }}",
          "{{ d.update({}) }}", "{{ d.pop('a') }}", "{{ d.setdefault('b', 1) }}",
          "{{ s.__class__ }}", "{{ l.__len__() }}", "{{ range.__globals__ }}", "{% include 'x' %}",
          "{% import 'x' as y %}", "{% from 'x' import y %}", "{% extends 'x' %}",
          "{{ s | attr('__class__') }}"}) {
        EXPECT_EQ(errorOf(source, context).id, "template.refused") << source;
    }
}

TEST(TemplateLimits, TheSameTemplateEndsTheSameWay) {
    const std::string source =
        "{% for a in range(70000) %}{{ a }}{% for b in range(40) %}{% endfor %}{% endfor %}";
    EXPECT_EQ(errorOf(source).text(), errorOf(source).text());
}

}  // namespace
}  // namespace agens::text
