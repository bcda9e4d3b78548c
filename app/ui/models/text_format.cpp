// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/ui/models/text_format.h"

namespace agens::ui {

QString groupedNumber(std::uint64_t number) {
    QString digits = QString::number(number);
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, QChar(QChar::Nbsp));
    return digits;
}

QString parameterCount(std::uint64_t parameters) {
    const auto count = static_cast<double>(parameters);
    if (count >= 1e9) return QString::number(count / 1e9, 'f', count < 1e10 ? 1 : 0) + "B";
    if (count >= 1e6) return QString::number(count / 1e6, 'f', 0) + "M";
    return groupedNumber(parameters);
}

QString secondsText(std::uint64_t microseconds) {
    const double seconds = static_cast<double>(microseconds) / 1e6;
    return QString::number(seconds, 'f', seconds < 10 ? 2 : 0) + " s";
}

QString speedText(double tokensPerSecond) {
    if (tokensPerSecond <= 0) return {};
    return QString::number(tokensPerSecond, 'f', 1) + " tok/s";
}

QString tokensText(std::uint64_t tokens) {
    return groupedNumber(tokens) + (tokens == 1 ? " token" : " tokens");
}

}  // namespace agens::ui
