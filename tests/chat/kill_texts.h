// SPDX-License-Identifier: Apache-2.0
// Texts of the kill test, made from numbers so that victim and judge agree without talking.
#pragma once

#include <string>

namespace agens::chat::test {

inline std::string userText(int n) {
    return "question " + std::to_string(n) + "\n" +
           std::string(static_cast<std::size_t>(n % 7) * 900, 'q');
}
inline std::string pieceText(int n, int k) {
    return "[" + std::to_string(n) + "." + std::to_string(k) + "]" +
           std::string(static_cast<std::size_t>(n % 5) * 300, 'p');
}

}  // namespace agens::chat::test
