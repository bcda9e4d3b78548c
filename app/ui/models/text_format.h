// SPDX-License-Identifier: Apache-2.0
// Numbers and sentences as the window shows them. Pure; fixed to English form, so that a screenshot
// is the same everywhere.
// Thread: any.
#pragma once

#include <QString>
#include <cstdint>
#include <string>
#include <string_view>

namespace agens::ui {

inline QString toQt(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}
inline std::string toStd(const QString& text) {
    return text.toStdString();
}

// "8 192", grouped by no-break spaces.
QString groupedNumber(std::uint64_t number);
// "135M", "1.7B".
QString parameterCount(std::uint64_t parameters);
// "0.41 s", "12 s".
QString secondsText(std::uint64_t microseconds);
// "84.6 tok/s"; empty for 0.
QString speedText(double tokensPerSecond);
// "1 token", "318 tokens".
QString tokensText(std::uint64_t tokens);
// "62.0 of 93.8 MiB · 410 MiB/s · about 1 s left"; without a rate (0) only the first part. Whole
// seconds rounded up: nothing that still runs takes 0 s.
QString loadText(std::uint64_t doneBytes, std::uint64_t totalBytes, double bytesPerSecond);

}  // namespace agens::ui
