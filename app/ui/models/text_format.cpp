// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/ui/models/text_format.h"

#include <cmath>

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

QString loadText(std::uint64_t doneBytes, std::uint64_t totalBytes, double bytesPerSecond) {
    constexpr double kMebibyte = 1 << 20;
    const auto mebibytes = [](std::uint64_t bytes) {
        return QString::number(static_cast<double>(bytes) / kMebibyte, 'f', 1);
    };
    QString text = QStringLiteral("%1 of %2 MiB").arg(mebibytes(doneBytes), mebibytes(totalBytes));
    if (bytesPerSecond <= 0) return text;
    text += QStringLiteral(" · %1 MiB/s").arg(bytesPerSecond / kMebibyte, 0, 'f', 0);
    if (doneBytes >= totalBytes) return text;
    const double left = std::ceil(static_cast<double>(totalBytes - doneBytes) / bytesPerSecond);
    return text + QStringLiteral(" · about %1 s left").arg(left, 0, 'f', 0);
}

}  // namespace agens::ui
