// SPDX-License-Identifier: Apache-2.0
// spdlog behind log.h.
#include "engine/base/log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <atomic>
#include <memory>
#include <mutex>

namespace agens::log {
namespace {

constexpr std::size_t kFileBytes = 5u << 20;
constexpr std::size_t kFiles = 5;

spdlog::level::level_enum toSpdlog(Level level) {
    switch (level) {
        case Level::Debug:
            return spdlog::level::debug;
        case Level::Info:
            return spdlog::level::info;
        case Level::Warning:
            return spdlog::level::warn;
        case Level::Error:
            return spdlog::level::err;
        case Level::Off:
            return spdlog::level::off;
    }
    return spdlog::level::off;
}

std::shared_ptr<spdlog::logger> makeLogger(Level level, spdlog::sink_ptr sink) {
    auto logger = std::make_shared<spdlog::logger>("agens", std::move(sink));
    logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e %^%l%$ %v");
    logger->set_level(toSpdlog(level));
    logger->flush_on(spdlog::level::warn);
    return logger;
}

// The process has one log, as it has one stderr; replaced as a whole by setUpLog, hence shared.
std::shared_ptr<spdlog::logger>& current() {
    static std::shared_ptr<spdlog::logger> logger =
        makeLogger(Level::Warning, std::make_shared<spdlog::sinks::stderr_sink_mt>());
    return logger;
}

std::mutex& currentMutex() {
    static std::mutex mutex;
    return mutex;
}

}  // namespace

Result<Level> parseLevel(std::string_view name) {
    if (name == "debug") return Level::Debug;
    if (name == "info") return Level::Info;
    if (name == "warning") return Level::Warning;
    if (name == "error") return Level::Error;
    if (name == "off") return Level::Off;
    return Error{
        ErrorKind::InvalidRequest, "log.level",
        "\"" + std::string(name) + "\" is no log level; use debug, info, warning, error or off.",
        "--log-level"};
}

Result<void> setUpLog(Level level, const std::filesystem::path& folder) {
    try {
        std::shared_ptr<spdlog::logger> logger;
        if (folder.empty()) {
            logger = makeLogger(level, std::make_shared<spdlog::sinks::stderr_sink_mt>());
        } else {
            const std::filesystem::path file = folder / "agens.log";
            logger = makeLogger(level, std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
                                           file.string(), kFileBytes, kFiles - 1));
        }
        const std::scoped_lock lock(currentMutex());
        current() = std::move(logger);
    } catch (const std::exception& failure) {
        return Error{ErrorKind::Io, "log.open",
                     std::string("The log cannot be written: ") + failure.what() + ".",
                     folder.string()};
    }
    return {};
}

void write(Level level, std::string_view area, std::string_view text) {
    std::shared_ptr<spdlog::logger> logger;
    {
        const std::scoped_lock lock(currentMutex());
        logger = current();
    }
    logger->log(toSpdlog(level), "{}: {}", area, text);
}

}  // namespace agens::log
