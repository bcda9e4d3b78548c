// SPDX-License-Identifier: Apache-2.0
// Names and texts of errors.
#include "engine/base/result.h"

namespace agens {

const char* toString(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::InvalidFile:
            return "InvalidFile";
        case ErrorKind::Unsupported:
            return "Unsupported";
        case ErrorKind::NoMemory:
            return "NoMemory";
        case ErrorKind::Io:
            return "Io";
        case ErrorKind::Device:
            return "Device";
        case ErrorKind::Cancelled:
            return "Cancelled";
        case ErrorKind::InvalidRequest:
            return "InvalidRequest";
        case ErrorKind::Busy:
            return "Busy";
        case ErrorKind::Internal:
            return "Internal";
    }
    return "Internal";
}

std::string Error::text() const {
    return where.empty() ? what : what + " (" + where + ")";
}

}  // namespace agens
