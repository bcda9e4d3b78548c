// SPDX-License-Identifier: Apache-2.0
#include "engine/text/template/time_text.h"

#include <algorithm>

#include "engine/text/template/failure.h"

namespace agens::text {
namespace {

constexpr std::string_view kDays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                      "Thursday", "Friday", "Saturday"};
constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};

std::string digits(int number, std::size_t width, bool isPlain) {
    std::string text = std::to_string(number);
    if (!isPlain && text.size() < width) text.insert(0, width - text.size(), '0');
    return text;
}

// `isPlain`: "%-d", without leading zeros.
std::string conversion(char letter, const std::tm& time, bool isPlain) {
    const auto day = kDays[static_cast<std::size_t>(std::clamp(time.tm_wday, 0, 6))];
    const auto month = kMonths[static_cast<std::size_t>(std::clamp(time.tm_mon, 0, 11))];
    const int hour12 = time.tm_hour % 12 == 0 ? 12 : time.tm_hour % 12;
    switch (letter) {
        case 'Y':
            return std::to_string(time.tm_year + 1900);
        case 'y':
            return digits(time.tm_year % 100, 2, isPlain);
        case 'm':
            return digits(time.tm_mon + 1, 2, isPlain);
        case 'd':
            return digits(time.tm_mday, 2, isPlain);
        case 'e': {
            std::string text = std::to_string(time.tm_mday);
            return text.size() < 2 && !isPlain ? " " + text : text;
        }
        case 'H':
            return digits(time.tm_hour, 2, isPlain);
        case 'I':
            return digits(hour12, 2, isPlain);
        case 'M':
            return digits(time.tm_min, 2, isPlain);
        case 'S':
            return digits(time.tm_sec, 2, isPlain);
        case 'j':
            return digits(time.tm_yday + 1, 3, isPlain);
        case 'p':
            return time.tm_hour < 12 ? "AM" : "PM";
        case 'A':
            return std::string(day);
        case 'a':
            return std::string(day.substr(0, 3));
        case 'B':
            return std::string(month);
        case 'b':
            return std::string(month.substr(0, 3));
        case '%':
            return "%";
        default:
            break;
    }
    fail(FailureKind::Unsupported,
         std::string("The time format %") + letter + " is not supported.");
}

}  // namespace

std::string timeText(std::string_view format, const std::tm& time) {
    std::string text;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%' || i + 1 == format.size()) {
            text += format[i];
            continue;
        }
        ++i;
        const bool isPlain = format[i] == '-' && i + 1 < format.size();
        if (isPlain) ++i;
        text += conversion(format[i], time, isPlain);
    }
    return text;
}

}  // namespace agens::text
