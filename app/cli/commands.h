// SPDX-License-Identifier: Apache-2.0
// One function a command, each in its own file. They return an exit status; what went wrong is on
// stderr by then.
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/terminal.h"

namespace agens::cli {

int run(const ChatArguments& arguments, Terminal& terminal);
int run(const GenerateArguments& arguments, Terminal& terminal);
int run(const InspectArguments& arguments, Terminal& terminal);
int run(const LogitsArguments& arguments, Terminal& terminal);
int run(const TokenizeArguments& arguments, Terminal& terminal);
int run(const DetokenizeArguments& arguments, Terminal& terminal);
int run(const RenderArguments& arguments, Terminal& terminal);
int run(const DequantizeArguments& arguments, Terminal& terminal);
int run(const BenchArguments& arguments, Terminal& terminal);
int run(const HistoryListArguments& arguments, Terminal& terminal);
int run(const HistoryShowArguments& arguments, Terminal& terminal);

}  // namespace agens::cli
