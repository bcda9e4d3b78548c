// SPDX-License-Identifier: Apache-2.0
// Both directions as constant tables.
#include "engine/text/byte_letters.h"

#include <array>

#include "engine/text/utf8.h"

namespace agens::text {
namespace {

constexpr std::size_t kLetters = 256 + 68;  // code points 0 … 323

constexpr bool keepsItsCodePoint(unsigned byte) {
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

constexpr std::array<char32_t, 256> makeLetters() {
    std::array<char32_t, 256> letters{};
    char32_t next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
        letters[byte] = keepsItsCodePoint(byte) ? char32_t{byte} : next++;
    }
    return letters;
}
constexpr std::array<char32_t, 256> kLetterOf = makeLetters();

constexpr std::array<std::int16_t, kLetters> makeBytes() {
    std::array<std::int16_t, kLetters> bytes{};
    for (auto& byte : bytes)
        byte = -1;
    for (unsigned byte = 0; byte < 256; ++byte)
        bytes[kLetterOf[byte]] = static_cast<std::int16_t>(byte);
    return bytes;
}
constexpr std::array<std::int16_t, kLetters> kByteOf = makeBytes();

}  // namespace

char32_t letterOfByte(std::uint8_t byte) {
    return kLetterOf[byte];
}

std::optional<std::uint8_t> byteOfLetter(char32_t letter) {
    if (letter >= kLetters || kByteOf[letter] < 0) return std::nullopt;
    return static_cast<std::uint8_t>(kByteOf[letter]);
}

std::string bytesOfLetters(std::string_view tokenText) {
    std::string bytes;
    bytes.reserve(tokenText.size());
    for (std::size_t at = 0; at < tokenText.size();) {
        const Utf8Step step = readUtf8(tokenText, at);
        const auto byte =
            step.kind == Utf8Step::Kind::Character ? byteOfLetter(step.codePoint) : std::nullopt;
        if (byte) {
            bytes.push_back(static_cast<char>(*byte));
        } else {
            bytes += tokenText.substr(at, step.bytes);
        }
        at += step.bytes;
    }
    return bytes;
}

}  // namespace agens::text
