// SPDX-License-Identifier: Apache-2.0
#include "tests/text/golden_templates.h"

#include <fstream>

#include "tests/support/test_paths.h"

namespace agens::test {

using text::RenderedPrompt;
using text::Span;

Json readJson(const std::filesystem::path& file) {
    return Json::parse(readText(file));
}

std::vector<Json> readLines(const std::filesystem::path& file) {
    std::vector<Json> lines;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(Json::parse(line));
    return lines;
}

std::tm goldenTime() {
    std::tm time{};
    time.tm_year = 126;
    time.tm_mon = 2;
    time.tm_mday = 14;
    time.tm_hour = 15;
    time.tm_min = 9;
    time.tm_sec = 26;
    time.tm_wday = 6;
    time.tm_yday = 72;
    return time;
}

bool spansCover(const RenderedPrompt& prompt) {
    std::size_t at = 0;
    for (const Span& span : prompt.spans) {
        if (span.begin != at || span.end <= span.begin) return false;
        at = span.end;
    }
    return at == prompt.text.size();
}

std::string judged(const Json& expected, const Result<RenderedPrompt>& result) {
    if (expected.contains("expected")) {
        if (!result) return "error " + result.error().id + ": " + result.error().text();
        if (result->text != expected["expected"].get<std::string>())
            return "text:\n" + result->text;
        return spansCover(*result) ? "" : "spans do not cover the text";
    }
    if (result) return "no error; text:\n" + result->text;
    const Json& error = expected["error"];
    if (error["kind"] != "raise_exception") return "";
    const bool isSame = result.error().id == "template.raised" &&
                        result.error().what == error["message"].get<std::string>();
    return isSame ? "" : "other error: " + result.error().text();
}

}  // namespace agens::test
