// SPDX-License-Identifier: Apache-2.0
// One small decoder; everything else walks over its code points.
#include "app/chat/text_rules.h"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace agens::chat {
namespace {

constexpr std::size_t kTitleCharacters = 60;

struct Range {
    char32_t first;
    char32_t last;
};

// Blocks of Unicode 15 whose text has no spaces between words, and Hangul.
constexpr std::array<Range, 22> kUnspaced{{
    {0x0E00, 0x0E7F},   {0x0E80, 0x0EFF},    // Thai, Lao
    {0x1000, 0x109F},   {0x1100, 0x11FF},    // Myanmar, Hangul Jamo
    {0x1780, 0x17FF},   {0x19E0, 0x19FF},    // Khmer and its symbols
    {0x2E80, 0x2FDF},   {0x3005, 0x3007},    // CJK radicals, iteration marks
    {0x3021, 0x3029},   {0x3031, 0x303C},    // Hangzhou numerals, kana marks
    {0x3041, 0x30FF},   {0x3130, 0x318F},    // Hiragana, Katakana, Hangul compatibility
    {0x31A0, 0x31FF},   {0x3400, 0x9FFF},    // Bopomofo and kana extensions, Han
    {0xA960, 0xA97F},   {0xA9E0, 0xA9FF},    // Hangul Jamo and Myanmar, extended
    {0xAA60, 0xAA7F},   {0xAC00, 0xD7FF},    // Myanmar extended, Hangul
    {0xF900, 0xFAFF},   {0xFF66, 0xFFDC},    // Han compatibility, half-width kana and Hangul
    {0x1B000, 0x1B16F}, {0x20000, 0x3FFFF},  // kana supplements, Han extensions
}};

// The code point at `offset`, moving behind it; nothing = malformed.
std::optional<char32_t> nextCodePoint(std::string_view text, std::size_t& offset) {
    const auto byteAt = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t first = byteAt(offset);
    if (first < 0x80) return byteAt(offset++);
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() - offset < length) return std::nullopt;
    char32_t point = first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const std::uint8_t byte = byteAt(offset + i);
        if ((byte & 0xC0U) != 0x80) return std::nullopt;
        point = point << 6 | (byte & 0x3FU);
    }
    constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
    if (point < kLeast[length] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) {
        return std::nullopt;
    }
    offset += length;
    return point;
}

bool isControl(char32_t point) {
    return point < 0x20 || (point >= 0x7F && point < 0xA0);
}

std::string trimmed(std::string text) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// `line` with a blank for each control character.
std::string withoutControls(std::string_view line) {
    std::string clean;
    for (std::size_t offset = 0; offset < line.size();) {
        const std::size_t begin = offset;
        const auto point = nextCodePoint(line, offset);
        if (!point) return clean;
        if (isControl(*point)) {
            clean += ' ';
        } else {
            clean += line.substr(begin, offset - begin);
        }
    }
    return trimmed(std::move(clean));
}

std::string shortened(std::string line) {
    std::size_t offset = 0;
    std::size_t keep = 0;
    for (std::size_t count = 0; offset < line.size(); ++count) {
        if (count == kTitleCharacters - 1) keep = offset;
        if (count == kTitleCharacters) return trimmed(line.substr(0, keep)) + "…";
        if (!nextCodePoint(line, offset)) return line;
    }
    return line;
}

}  // namespace

bool isUtf8(std::string_view text) {
    for (std::size_t offset = 0; offset < text.size();) {
        if (!nextCodePoint(text, offset)) return false;
    }
    return true;
}

std::size_t characterCount(std::string_view utf8) {
    std::size_t count = 0;
    for (const char c : utf8) {
        if ((static_cast<std::uint8_t>(c) & 0xC0U) != 0x80) ++count;
    }
    return count;
}

std::string titleFromText(std::string_view utf8) {
    while (!utf8.empty()) {
        const std::size_t end = utf8.find_first_of("\n\r");
        // A line of megabytes is cut first: the title needs 60 characters of it.
        std::string_view line = utf8.substr(0, end).substr(0, 4096);
        if (std::string title = withoutControls(line); !title.empty()) {
            return shortened(std::move(title));
        }
        if (end == std::string_view::npos) break;
        utf8.remove_prefix(end + 1);
    }
    return {};
}

std::string oneLine(std::string_view utf8) {
    return withoutControls(utf8);
}

bool needsTrigrams(std::string_view utf8) {
    for (std::size_t offset = 0; offset < utf8.size();) {
        const auto point = nextCodePoint(utf8, offset);
        if (!point) return false;
        for (const Range& range : kUnspaced) {
            if (*point >= range.first && *point <= range.last) return true;
        }
    }
    return false;
}

}  // namespace agens::chat
