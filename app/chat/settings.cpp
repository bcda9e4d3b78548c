// SPDX-License-Identifier: Apache-2.0
// The table of settings and the checks on it.
#include "app/chat/settings.h"

#include <array>
#include <charconv>
#include <cmath>

#include "app/chat/text_rules.h"
#include "engine/base/check.h"

namespace agens::chat {
namespace {

using enum SettingKind;

constexpr std::array kTable = std::to_array<SettingSpec>({
    {"general.startup", Choice, "last", "last|new"},
    {"models.loadAtStart", Boolean, "true", ""},
    {"composer.enterSends", Boolean, "true", ""},
    {"general.confirmQuitWhileBusy", Boolean, "true", ""},
    {"ui.theme", Choice, "system", "system|light|dark"},
    {"ui.textScale", Integer, "100", "", 80, 200},
    {"ui.width", Choice, "comfortable", "comfortable|full"},
    {"ui.codeFont", Text, "", ""},
    {"ui.language", Text, "system", ""},
    {"ui.reduceMotion", Choice, "system", "system|true|false"},
    {"ui.stats", Boolean, "true", ""},
    {"ui.colourDrafts", Boolean, "false", ""},
    {"chat.reasoning", Choice, "auto", "auto|open|closed"},
    {"code.wrap", Boolean, "false", ""},
    {"memory.profile", Choice, "auto", "auto|cpu|16gb|24gb"},
    {"memory.context", Integer, "0", "", 0, 16'777'216},
    {"memory.images", Choice, "auto", "auto|on|off"},
    {"memory.kv", Choice, "auto", "auto|f32|f16|q8|k8v4|q4"},
    {"gen.temperature", Number, "", "|", 0, 100},
    {"gen.topP", Number, "", "|", 0, 1},
    {"gen.topK", Integer, "", "|", 0, 2'147'483'647},
    {"gen.minP", Number, "", "|", 0, 1},
    {"gen.presence", Number, "", "|", -2, 2},
    {"gen.repeat", Number, "", "|", 0, 10},
    {"gen.maxTokens", Integer, "0", "", 0, 16'777'216},
    {"gen.seed", Integer, "random", "random", 0, 9'007'199'254'740'992.0},
    {"gen.thinking", Choice, "auto", "auto|on|off"},
    {"draft.mode", Choice, "auto", "auto|off"},
    {"draft.showAlarms", Boolean, "true", ""},
    {"data.trashDays", Integer, "30", "", 1, 3650},
    // Kept by the window itself.
    {"model.current", Text, "", "", 0, 0, false},
    {"chat.current", Text, "", "", 0, 0, false},
    {"window.width", Integer, "1280", "", 360, 16'384, false},
    {"window.height", Integer, "800", "", 480, 16'384, false},
    {"window.maximised", Boolean, "false", "", 0, 0, false},
    {"window.sidebar", Boolean, "true", "", 0, 0, false},
});

constexpr std::size_t kTextBytes = 4096;

bool isAmong(std::string_view words, std::string_view value) {
    for (;;) {
        const std::size_t bar = words.find('|');
        if (words.substr(0, bar) == value) return true;
        if (bar == std::string_view::npos) return false;
        words.remove_prefix(bar + 1);
    }
}

// The whole text as a finite number.
std::optional<double> parseNumber(std::string_view text) {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number);
    if (failure != std::errc() || rest != end || !std::isfinite(number)) return std::nullopt;
    return number;
}

bool isInRange(const SettingSpec& spec, std::string_view value) {
    const auto number = parseNumber(value);
    if (!number || *number < spec.minimum || *number > spec.maximum) return false;
    return spec.kind == Number || value.find_first_not_of("-0123456789") == std::string_view::npos;
}

bool isValid(const SettingSpec& spec, std::string_view value) {
    switch (spec.kind) {
        case Boolean:
            return value == "true" || value == "false";
        case Choice:
            return isAmong(spec.words, value);
        case Integer:
        case Number:
            return (!spec.words.empty() && isAmong(spec.words, value)) || isInRange(spec, value);
        case Text:
            return value.size() <= kTextBytes && isUtf8(value);
    }
    return false;
}

std::string plain(double number) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number,
                                   std::chars_format::fixed)
                         .ptr;
    return {digits.data(), end};
}

// "one of system, light, dark" · "a number from 80 to 200".
std::string expectation(const SettingSpec& spec) {
    if (spec.kind == Boolean) return "true or false";
    if (spec.kind == Text) return "text of at most 4096 bytes";
    std::string words;
    for (const char c : spec.words)
        words += c == '|' ? std::string(", ") : std::string(1, c);
    if (spec.kind == Choice) return "one of " + words;
    const std::string range = std::string(spec.kind == Integer ? "a whole number" : "a number") +
                              " from " + plain(spec.minimum) + " to " + plain(spec.maximum);
    if (spec.words.empty()) return range;
    return range + (spec.words.front() == '|' ? ", or nothing" : ", or " + words);
}

const SettingSpec& specOf(std::string_view key) {
    const SettingSpec* spec = findSetting(key);
    CHECK(spec != nullptr) << "no setting named " << key;
    return *spec;
}

}  // namespace

std::span<const SettingSpec> settingTable() {
    return kTable;
}

const SettingSpec* findSetting(std::string_view key) {
    for (const SettingSpec& spec : kTable) {
        if (spec.key == key) return &spec;
    }
    return nullptr;
}

Result<void> checkSetting(std::string_view key, std::string_view value) {
    const SettingSpec* spec = findSetting(key);
    if (spec == nullptr) {
        return Error{ErrorKind::InvalidRequest, "settings.unknown", "There is no such setting.",
                     std::string(key)};
    }
    if (!isValid(*spec, value)) {
        return Error{ErrorKind::InvalidRequest, "settings.value",
                     "The setting " + std::string(key) + " takes " + expectation(*spec) + ".",
                     std::string(key)};
    }
    return {};
}

std::string Settings::text(std::string_view key) const {
    const SettingSpec& spec = specOf(key);
    const auto row = m_rows.find(key);
    const bool isGood = row != m_rows.end() && isValid(spec, row->second);
    return isGood ? row->second : std::string(spec.fallback);
}

bool Settings::boolean(std::string_view key) const {
    return text(key) == "true";
}

std::int64_t Settings::integer(std::string_view key) const {
    const std::string value = text(key);
    std::int64_t number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    return number;
}

std::optional<double> Settings::number(std::string_view key) const {
    return parseNumber(text(key));
}

bool Settings::isChanged(std::string_view key) const {
    return text(key) != specOf(key).fallback;
}

}  // namespace agens::chat
