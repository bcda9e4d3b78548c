// SPDX-License-Identifier: Apache-2.0
// Marks follow the bytes through every operation on texts. The trick: content is Greek, templates
// are Latin, so every letter of an output says by itself which mark it must carry.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/text/template/chat_template.h"
#include "engine/text/utf8.h"
#include "tests/text/golden_templates.h"

namespace agens::text {
namespace {

bool isGreek(char32_t c) {
    return c >= 0x370 && c < 0x400;
}
bool isLatin(char32_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isContentAt(const RenderedPrompt& prompt, std::size_t place) {
    for (const Span& span : prompt.spans) {
        if (span.begin <= place && place < span.end) return span.isContent;
    }
    return false;
}

Json greekContext() {
    return {{"g", "αβγ"},
            {"gs", "  αβ γδ\nεζ  "},
            {"n", 42},
            {"list", {"αα", "ββ", "γγ"}},
            {"dict", {{"κλ", "αβ"}, {"μν", {"ξ", "ο"}}}},
            {"messages", {{{"role", "χρ"}, {"content", "αβ<γ>"}}}}};
}

const char* const kTemplates[] = {
    "{{ g }}",
    "x{{ g }}y",
    "{{ 'a' ~ g ~ 'b' }}",
    "{{ 'a' + g + 'b' }}",
    "{{ g * 2 }}",
    "{{ g[0] }}{{ 'abc'[1] }}{{ ('ab' + g)[1:4] }}{{ ('ab' + g)[::-1] }}",
    "{{ ('ab' ~ g) | upper }}",
    "{{ ('ab' ~ g) | lower }}",
    "{{ ('ab ' ~ g) | title }}",
    "{{ ('ab' ~ g).capitalize() }}",
    "{{ (g ~ 'Ab').swapcase() }}",
    "{{ ('ab' ~ g).casefold() }}",
    "{{ gs | trim }}",
    "{{ gs.strip() }}|{{ gs.lstrip() }}|{{ gs.rstrip() }}",
    "{{ (g ~ 'abc').strip('αc') }}",
    "{{ gs.split() | join('a') }}",
    "{{ g.split('β') | join('b') }}",
    "{{ 'a,b'.split(',') | join(g) }}",
    "{{ g.join(['a', 'b']) }}",
    "{{ 'a'.join(list) }}",
    "{{ gs.splitlines() | join('x') }}",
    "{{ g | replace('β', 'b') }}",
    "{{ 'abc' | replace('b', g) }}",
    "{{ g.replace('', 'x') }}",
    "{{ 'abc'.replace('', g) }}",
    "{{ gs | indent(2, true) }}",
    "{{ 'a\nb' | indent(g) }}",
    "{{ 'a%sb' | format(g) }}",
    "{{ g ~ '%s' % 'a' }}",
    "{{ (g ~ '%s') % 'a' }}",
    "{{ 'x%5sy' % g }}",
    "{{ g | center(9) }}",
    "{{ g.center(9, 'x') }}",
    "{{ 'a'.center(9, 'α') | replace('α', '') }}",
    "{{ g.ljust(6, 'x') }}",
    "{{ g.rjust(6, 'x') }}",
    "{{ g | list | join('a') }}",
    "{{ g | reverse }}",
    "{{ g | first }}{{ g | last }}",
    "{{ list }}",
    "{{ dict }}",
    "{{ list | tojson }}",
    "{{ dict | tojson(indent=2) }}",
    "{{ {'a': g, g: 'b'} | tojson }}",
    "{{ ['a', g] }}",
    "{{ ('a', g) | string }}",
    "{{ {'a': g}.a }}",
    "{{ dict.items() | list }}",
    "{{ dict | dictsort }}",
    "{{ list | sort | join }}",
    "{{ list | map('upper') | join('a') }}",
    "{{ list | unique | join('a') }}",
    "{{ list | max }}{{ list | min }}",
    "{{ messages | map(attribute='role') | join('a') }}",
    "{{ g.partition('β') | join('a') }}",
    "{{ g.rpartition('β') | join('a') }}",
    "{{ g.removeprefix('α') ~ 'a' }}",
    "{{ g.removesuffix('γ') ~ 'a' }}",
    "{{ g | escape ~ 'a' }}",
    "{{ (g | e) + '<a>' | replace('<', '') }}",
    "{{ g | safe ~ 'a' }}",
    "{{ g | default('a') }}",
    "{{ missing | default(g) }}",
    "{% set x = 'a' ~ g %}{{ x }}",
    "{% set x %}a{{ g }}b{% endset %}{{ x | upper }}",
    "{% macro m(p) %}a{{ p }}b{% endmacro %}{{ m(g) | upper }}",
    "{% filter upper %}a{{ g }}{% endfilter %}",
    "{% set ns = namespace(x=g) %}{% set ns.x = ns.x ~ 'a' %}{{ ns.x }}",
    "{% for c in g %}a{{ c }}{% endfor %}",
    "{% for k, v in dict.items() %}a{{ k }}b{{ v }}{% endfor %}",
    "{% macro m() %}a{{ caller(g) }}{% endmacro %}{% call(p) m() %}b{{ p }}{% endcall %}",
    "{{ g if true else 'a' }}{{ g or 'a' }}{{ 'a' and g }}",
    "{{ list | batch(2) | list }}",
    "{{ messages | groupby('role') | map('first') | list }}",
    "{% for m in messages %}{{ m.role + 'a' + m['content'] }}{% endfor %}",
};

TEST(TemplateMarks, FollowTheBytesThroughEveryOperation) {
    for (const char* source : kTemplates) {
        const auto parsed = ChatTemplate::parse(source);
        ASSERT_TRUE(parsed.ok()) << source << ": " << parsed.error().text();
        const auto prompt = parsed->renderContext(greekContext(), {});
        ASSERT_TRUE(prompt.ok()) << source << ": " << prompt.error().text();
        EXPECT_TRUE(test::spansCover(*prompt)) << source;
        bool hasLetters = false;
        for (std::size_t at = 0; at < prompt->text.size();) {
            const std::size_t place = at;
            const char32_t c = nextCharacter(prompt->text, at);
            if (!isGreek(c) && !isLatin(c)) continue;
            hasLetters = true;
            EXPECT_EQ(isContentAt(*prompt, place), isGreek(c))
                << source << " gives " << prompt->text << ", wrong at " << place;
        }
        EXPECT_TRUE(hasLetters) << source;
    }
}

Result<RenderedPrompt> rendered(const char* source, const Json& context,
                                const TemplateSettings& settings = {}) {
    const auto parsed = ChatTemplate::parse(source);
    if (!parsed) return parsed.error();
    return parsed->renderContext(context, settings);
}

TEST(TemplateMarks, NumbersAndFlagsOfContentAreContent) {
    const Json context = {{"n", 7}, {"f", 1.5}, {"t", true}};
    for (const char* source :
         {"{{ n }}", "{{ f }}", "{{ t }}", "{{ n + 1 }}", "{{ -n }}", "{{ n | abs }}",
          "{{ n | tojson }}", "{{ [n][0] }}", "{{ n | string }}", "{{ n | float }}"}) {
        const auto prompt = rendered(source, context);
        ASSERT_TRUE(prompt.ok()) << source;
        EXPECT_EQ(prompt->spans, (std::vector<Span>{{0, prompt->text.size(), true}})) << source;
    }
    EXPECT_EQ(rendered("{{ 1 + 2 }}", context)->spans, (std::vector<Span>{{0, 1, false}}));
}

TEST(TemplateMarks, NamesAndFillersOfContentAreContent) {
    const Json context = {{"g", "α"}, {"d", {{"κ", "λ"}}}, {"n", 7}};
    for (const char* source :
         {"{{ dict(**d).keys() | first }}", "{{ dict(**d) | list | first }}",
          "{{ strftime_now(g) }}", "{% macro m() %}{{ kwargs | first }}{% endmacro %}{{ m(**d) }}",
          "{{ g.center(9, g) }}", "{{ ''.ljust(3, g) }}", "{{ '%d' % n }}", "{{ '%f' % n }}",
          "{{ '%s' % n }}"}) {
        const auto prompt = rendered(source, context);
        ASSERT_TRUE(prompt.ok()) << source << ": " << prompt.error().text();
        EXPECT_EQ(prompt->spans, (std::vector<Span>{{0, prompt->text.size(), true}})) << source;
    }
    EXPECT_EQ(rendered("{{ d | tojson(indent=g) }}", context).error().id, "template.unsupported");
    EXPECT_EQ(rendered("{{ d | tojson(separators=(g, g)) }}", context).error().id,
              "template.unsupported");
}

TEST(TemplateMarks, TokensOfTheModelAreTemplateText) {
    const auto prompt =
        rendered("{{ bos_token }}{{ x }}{{ eos_token }}", {{"x", "y"}}, {"<s>", "</s>", {}});
    EXPECT_EQ(prompt->text, "<s>y</s>");
    EXPECT_EQ(prompt->spans, (std::vector<Span>{{0, 3, false}, {3, 4, true}, {4, 8, false}}));
}

TEST(TemplateMarks, AContextCannotGiveItselfTemplateText) {
    const auto prompt = rendered("{{ bos_token }}", {{"bos_token", "<x>"}}, {"<s>", "", {}});
    EXPECT_EQ(prompt->spans, (std::vector<Span>{{0, 3, true}}));
}

TEST(TemplateMarks, InvalidBytesOfContentAreReplaced) {
    EXPECT_EQ(rendered("{{ x }}", {{"x", "a\xFF"}})->text, "a\xEF\xBF\xBD");
}

}  // namespace
}  // namespace agens::text
