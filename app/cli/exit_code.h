// SPDX-License-Identifier: Apache-2.0
// Exit statuses of `agens`.
#pragma once

namespace agens::cli {

enum ExitCode : int {
    kOk = 0,
    kFailed = 1,  // the work failed; the reason is on stderr
    kBadArguments = 2,
    kDifference = 3,  // a check ran and found a difference
    kInterrupted = 130,
};

}  // namespace agens::cli
