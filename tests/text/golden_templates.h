// SPDX-License-Identifier: Apache-2.0
// Reading golden templates and judging a rendering against them.
#pragma once

#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/text/template/chat_template.h"

namespace agens::test {

Json readJson(const std::filesystem::path& file);
std::vector<Json> readLines(const std::filesystem::path& file);
// "2026-03-14 15:09:26", a Saturday: the clock of all golden renderings.
std::tm goldenTime();
bool spansCover(const text::RenderedPrompt& prompt);
// Empty: as `expected` says. Otherwise what is wrong.
std::string judged(const Json& expected, const Result<text::RenderedPrompt>& result);

}  // namespace agens::test
