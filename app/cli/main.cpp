// SPDX-License-Identifier: Apache-2.0
// agens: the program in a terminal. Parses the command line, runs one command, turns its outcome
// into an exit status. The only place below which exceptions end: a CheckFailure is our bug and
// says so, everything else a library threw is reported the same way.
#include <exception>
#include <string>
#include <variant>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/terminal.h"
#include "engine/base/log.h"

namespace agens::cli {
namespace {

int runCommand(const Invocation& invocation, Terminal& terminal) {
    const auto level = log::parseLevel(invocation.logLevel);
    if (!level) {
        terminal.fail(level.error());
        return kBadArguments;
    }
    if (const auto set = log::setUpLog(*level, {}); !set) return terminal.fail(set.error());
    const int status =
        std::visit([&](const auto& command) { return run(command, terminal); }, invocation.command);
    if (terminal.flush()) return status;
    terminal.notice("agens: The output could not be written.");
    return kFailed;
}

int runMain(int count, const char* const* words) {
    Terminal terminal;
    try {
        const auto parsed = parseArguments(count, words);
        if (const int* status = std::get_if<int>(&parsed)) return *status;
        return runCommand(std::get<Invocation>(parsed), terminal);
    } catch (const std::exception& failure) {
        return terminal.fail({ErrorKind::Internal, "internal",
                              std::string("Something in the program failed: ") + failure.what(),
                              ""});
    }
}

}  // namespace
}  // namespace agens::cli

int main(int count, char** words) {
    return agens::cli::runMain(count, words);
}
