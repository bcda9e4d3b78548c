// SPDX-License-Identifier: Apache-2.0
// Texts of units.
#include "engine/base/units.h"

#include <array>
#include <cstdio>

namespace agens {

std::string toText(ByteCount bytes) {
    if (bytes.value < 1024) return std::to_string(bytes.value) + " bytes";
    static constexpr std::array kNames = {"KiB", "MiB", "GiB", "TiB"};
    double amount = static_cast<double>(bytes.value) / 1024.0;
    std::size_t unit = 0;
    while (amount >= 1024.0 && unit + 1 < kNames.size()) {
        amount /= 1024.0;
        ++unit;
    }
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), unit >= 2 ? "%.2f %s" : "%.1f %s", amount,
                  kNames[unit]);
    return text.data();
}

}  // namespace agens
