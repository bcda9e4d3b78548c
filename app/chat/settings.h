// SPDX-License-Identifier: Apache-2.0
// The typed table of settings: key, kind, default, range. Values travel and are stored as text
// ("true", "100", "dark"); Settings gives them typed and falls back to the default where a row is
// missing or does not fit, so a damaged or foreign value never stops the program.
// Rows with keys this version does not know stay in the store untouched.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace agens::chat {

enum class SettingKind { Boolean, Integer, Number, Choice, Text };

struct SettingSpec {
    std::string_view key;
    SettingKind kind = SettingKind::Text;
    std::string_view fallback;  // the default, as text
    // Choice: the words, separated by '|'. Integer and Number: words allowed beside numbers; a
    // leading '|' allows the empty text (= the model's own default).
    std::string_view words;
    double minimum = 0;
    double maximum = 0;
    bool shown = true;  // false: kept by the window itself (size, last model), on no page
};

std::span<const SettingSpec> settingTable();
const SettingSpec* findSetting(std::string_view key);

// Errors: InvalidRequest "settings.unknown", "settings.value" (names the range or the words).
Result<void> checkSetting(std::string_view key, std::string_view value);

// A snapshot of the stored rows. Asking for a key that is not in the table is our own bug (CHECK).
class Settings {
 public:
    Settings() = default;
    explicit Settings(std::map<std::string, std::string, std::less<>> rows)
        : m_rows(std::move(rows)) {}

    std::string text(std::string_view key) const;  // stored and valid, else the default
    bool boolean(std::string_view key) const;
    std::int64_t integer(std::string_view key) const;          // 0 for a word
    std::optional<double> number(std::string_view key) const;  // nothing for a word or ""
    bool isChanged(std::string_view key) const;                // differs from the default
    const std::map<std::string, std::string, std::less<>>& rows() const { return m_rows; }

 private:
    std::map<std::string, std::string, std::less<>> m_rows;
};

}  // namespace agens::chat
