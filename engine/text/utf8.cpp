// SPDX-License-Identifier: Apache-2.0
// Which second byte may follow a lead byte: table 3-7 of the Unicode standard.
#include "engine/text/utf8.h"

namespace agens::text {
namespace {

struct Lead {
    std::uint8_t length = 0;  // 0: no character begins with this byte
    std::uint8_t secondLow = 0x80;
    std::uint8_t secondHigh = 0xBF;
};

constexpr Lead leadOf(std::uint8_t byte) {
    if (byte < 0x80) return {.length = 1};
    if (byte < 0xC2) return {};
    if (byte < 0xE0) return {.length = 2};
    if (byte == 0xE0) return {.length = 3, .secondLow = 0xA0};
    if (byte == 0xED) return {.length = 3, .secondHigh = 0x9F};
    if (byte < 0xF0) return {.length = 3};
    if (byte == 0xF0) return {.length = 4, .secondLow = 0x90};
    if (byte < 0xF4) return {.length = 4};
    if (byte == 0xF4) return {.length = 4, .secondHigh = 0x8F};
    return {};
}

std::uint8_t byteAt(std::string_view text, std::size_t at) {
    return static_cast<std::uint8_t>(text[at]);
}

}  // namespace

Utf8Step readUtf8(std::string_view text, std::size_t at) {
    using Kind = Utf8Step::Kind;
    const std::uint8_t first = byteAt(text, at);
    if (first < 0x80) return {Kind::Character, 1, first};
    const Lead lead = leadOf(first);
    if (lead.length == 0) return {Kind::Invalid, 1, 0};
    char32_t codePoint = first & (0x7FU >> lead.length);
    for (std::uint8_t i = 1; i < lead.length; ++i) {
        if (at + i == text.size()) return {Kind::Incomplete, i, 0};
        const std::uint8_t next = byteAt(text, at + i);
        const std::uint8_t low = i == 1 ? lead.secondLow : std::uint8_t{0x80};
        const std::uint8_t high = i == 1 ? lead.secondHigh : std::uint8_t{0xBF};
        if (next < low || next > high) return {Kind::Invalid, i, 0};
        codePoint = (codePoint << 6) | (next & 0x3FU);
    }
    return {Kind::Character, lead.length, codePoint};
}

char32_t nextCharacter(std::string_view text, std::size_t& at) {
    const std::uint8_t first = byteAt(text, at);
    if (first < 0x80) {
        ++at;
        return first;
    }
    const unsigned more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    char32_t codePoint = first & (0x3FU >> more);
    for (unsigned i = 1; i <= more; ++i)
        codePoint = (codePoint << 6) | (byteAt(text, at + i) & 0x3FU);
    at += more + 1;
    return codePoint;
}

void appendUtf8(std::string& text, char32_t c) {
    const auto byte = [&text](char32_t value) { text.push_back(static_cast<char>(value)); };
    if (c < 0x80) {
        byte(c);
    } else if (c < 0x800) {
        byte(0xC0 | (c >> 6));
        byte(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        byte(0xE0 | (c >> 12));
        byte(0x80 | ((c >> 6) & 0x3F));
        byte(0x80 | (c & 0x3F));
    } else {
        byte(0xF0 | (c >> 18));
        byte(0x80 | ((c >> 12) & 0x3F));
        byte(0x80 | ((c >> 6) & 0x3F));
        byte(0x80 | (c & 0x3F));
    }
}

bool isValidUtf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Step step = readUtf8(text, at);
        if (step.kind != Utf8Step::Kind::Character) return false;
        at += step.bytes;
    }
    return true;
}

std::string withReplacements(std::string_view text) {
    std::string clean;
    clean.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Step step = readUtf8(text, at);
        const bool isCharacter = step.kind == Utf8Step::Kind::Character;
        clean += isCharacter ? text.substr(at, step.bytes) : kReplacement;
        at += step.bytes;
    }
    return clean;
}

}  // namespace agens::text
