// SPDX-License-Identifier: Apache-2.0
// The log: one line of text a call, level and area in front. spdlog stays behind this header.
// Never chat text, prompts or replies. Until setUpLog() is called, warnings and errors go to
// stderr.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace agens::log {

enum class Level { Debug, Info, Warning, Error, Off };

// Level from its name ("debug", "info", "warning", "error", "off").
Result<Level> parseLevel(std::string_view name);

// `folder` empty: stderr only. Otherwise 5 files of 5 MiB there (agens.log …).
Result<void> setUpLog(Level level, const std::filesystem::path& folder);

void write(Level level, std::string_view area, std::string_view text);

inline void debug(std::string_view area, std::string_view text) {
    write(Level::Debug, area, text);
}
inline void info(std::string_view area, std::string_view text) {
    write(Level::Info, area, text);
}
inline void warning(std::string_view area, std::string_view text) {
    write(Level::Warning, area, text);
}
inline void error(std::string_view area, std::string_view text) {
    write(Level::Error, area, text);
}

}  // namespace agens::log
