// SPDX-License-Identifier: Apache-2.0
// Throws what CHECK collected.
#include "engine/base/check.h"

namespace agens {

CheckMessage::CheckMessage(const char* file, int line, const char* condition) {
    m_stream << file << ":" << line << ": " << condition << " ";
}

CheckMessage::~CheckMessage() noexcept(false) {
    throw CheckFailure(m_stream.str());
}

}  // namespace agens
