// SPDX-License-Identifier: Apache-2.0
// Golden chat templates: every public template with every context against what jinja2 gives. The
// templates are shared, not part of this checkout.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "engine/base/json.h"
#include "engine/text/template/chat_template.h"
#include "tests/support/test_paths.h"
#include "tests/text/golden_templates.h"

namespace agens::text {
namespace {

using test::goldenTime;
using test::judged;
using test::readJson;
using test::readLines;

std::optional<std::filesystem::path> goldenTemplates() {
    if (!test::sharedFolder()) return std::nullopt;
    return *test::sharedFolder() / "golden" / "templates";
}

class GoldenTemplates : public testing::Test {
 protected:
    void SetUp() override {
        if (!goldenTemplates()) GTEST_SKIP() << "SKIPPED (no shared data)";
        m_contexts = readJson(*goldenTemplates() / "contexts.json")["contexts"];
        const Json index = readJson(*goldenTemplates() / "index.json");
        for (const Json& entry : index["templates"]) {
            const std::string name = entry["name"].get<std::string>();
            m_settings[name] = {entry["bos_token"].get<std::string>(),
                                entry["eos_token"].get<std::string>(), goldenTime()};
            m_sources[name] = test::readText(*goldenTemplates() / entry["file"].get<std::string>());
        }
    }

    std::string checkCase(const Json& line) {
        const std::string name = line["template"].get<std::string>();
        const auto parsed = ChatTemplate::parse(m_sources.at(name));
        if (!parsed) return judged(line, parsed.error());
        const Json& context = m_contexts[line["context"].get<std::string>()];
        return judged(line, parsed->renderContext(context, m_settings.at(name)));
    }

    // Number of cases checked.
    int checkCases(const std::string& onlyTemplate) {
        int count = 0;
        for (const Json& line : readLines(*goldenTemplates() / "cases.jsonl")) {
            const std::string name = line["template"].get<std::string>();
            if (!onlyTemplate.empty() && name != onlyTemplate) continue;
            const std::string wrong = checkCase(line);
            EXPECT_EQ(wrong, "") << name << " with " << line["context"]
                                 << ", expected: " << line.value("expected", "an error");
            ++count;
        }
        return count;
    }

    Json m_contexts;
    std::map<std::string, TemplateSettings> m_settings;
    std::map<std::string, std::string> m_sources;
};

TEST_F(GoldenTemplates, SmolLm2IsEqualInEveryContext) {
    EXPECT_EQ(checkCases("SmolLM2-135M-Instruct"), 32);
}

TEST_F(GoldenTemplates, EveryPublicTemplateIsEqualInEveryContext) {
    EXPECT_EQ(checkCases(""), 1280);
}

}  // namespace
}  // namespace agens::text
