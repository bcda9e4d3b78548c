// SPDX-License-Identifier: Apache-2.0
// Every small feature of the template language against what jinja2 gives, and every abuse refused
// in time. tests/golden/templates holds them; an expectation there is never written by hand.
#include <gtest/gtest.h>

#include <chrono>

#include "tests/support/test_paths.h"
#include "tests/text/golden_templates.h"

namespace agens::text {
namespace {

using test::goldenTime;
using test::judged;
using test::readJson;
using test::readLines;

std::filesystem::path features() {
    return test::goldenFolder() / "templates";
}

std::string templateOf(const Json& line) {
    if (line.contains("template")) return line["template"].get<std::string>();
    std::string source;
    for (const Json& part : line["template_parts"]) {
        for (int i = 0; i < part[1].get<int>(); ++i)
            source += part[0].get<std::string>();
    }
    return source;
}

Result<RenderedPrompt> renderFeature(const Json& line, const Json& variables) {
    const auto parsed = ChatTemplate::parse(templateOf(line));
    if (!parsed) return parsed.error();
    return parsed->renderContext(variables, {"", "", goldenTime()});
}

bool isUnsupported(const Result<RenderedPrompt>& result) {
    return !result.ok() && result.error().id == "template.unsupported";
}

TEST(TemplateFeatures, EveryFeatureIsEqualOrSaidToBeUnsupported) {
    const Json variables = readJson(features() / "features.vars.json");
    int unsupported = 0;
    for (const Json& line : readLines(features() / "features.jsonl")) {
        if (line["cat"] == "abuse") continue;
        const auto result = renderFeature(line, variables);
        if (line["level"] == "extra" && isUnsupported(result)) {
            ++unsupported;
            continue;
        }
        EXPECT_EQ(judged(line, result), "") << line["id"] << ": " << line["template"]
                                            << ", expected: " << line.value("expected", "an error");
    }
    EXPECT_LE(unsupported, 24);  // of 73 beyond the core; a number to lower, never to raise
}

TEST(TemplateFeatures, EveryAbuseIsRefusedInTime) {
    const Json variables = readJson(features() / "features.vars.json");
    for (const Json& line : readLines(features() / "features.jsonl")) {
        if (line["cat"] != "abuse") continue;
        const auto begin = std::chrono::steady_clock::now();
        const auto result = renderFeature(line, variables);
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2)) << line["id"];
        const bool isEmptyAllowed = line.value("or_error", false);
        if (isEmptyAllowed && result.ok()) {
            EXPECT_EQ(result->text, "") << line["id"];
        } else {
            EXPECT_FALSE(result.ok()) << line["id"] << ": " << templateOf(line).substr(0, 100);
        }
    }
}

}  // namespace
}  // namespace agens::text
