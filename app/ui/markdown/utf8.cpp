// SPDX-License-Identifier: Apache-2.0
// UTF-8: see the header. The table is the one of the Unicode standard, 3.9, table 3-7.
#include "app/ui/markdown/utf8.h"

namespace agens::markdown {
namespace {

struct LeadByte {
    std::size_t length = 0;  // 0: cannot start a sequence
    unsigned char secondLow = 0x80;
    unsigned char secondHigh = 0xBF;
};

LeadByte classify(unsigned char lead) {
    if (lead < 0x80) return {1};
    if (lead < 0xC2) return {0};
    if (lead < 0xE0) return {2};
    if (lead == 0xE0) return {3, 0xA0, 0xBF};
    if (lead == 0xED) return {3, 0x80, 0x9F};  // no surrogates
    if (lead < 0xF0) return {3};
    if (lead == 0xF0) return {4, 0x90, 0xBF};
    if (lead < 0xF4) return {4};
    if (lead == 0xF4) return {4, 0x80, 0x8F};
    return {0};
}

}  // namespace

DecodedUtf8 decodeUtf8(std::string_view text) {
    const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const LeadByte lead = classify(byteAt(0));
    if (lead.length == 0) return {};
    if (lead.length == 1) return {Utf8Status::Valid, byteAt(0), 1};
    char32_t codePoint = byteAt(0) & (0xFFU >> (lead.length + 1));
    for (std::size_t i = 1; i < lead.length; ++i) {
        if (i == text.size()) return {Utf8Status::Incomplete, kReplacement, i};
        const unsigned char low = i == 1 ? lead.secondLow : 0x80;
        const unsigned char high = i == 1 ? lead.secondHigh : 0xBF;
        if (byteAt(i) < low || byteAt(i) > high) return {Utf8Status::Invalid, kReplacement, i};
        codePoint = (codePoint << 6) | (byteAt(i) & 0x3FU);
    }
    return {Utf8Status::Valid, codePoint, lead.length};
}

void appendUtf8(std::string& out, char32_t codePoint) {
    const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (codePoint < 0x80) return put(codePoint);
    if (codePoint < 0x800) {
        put(0xC0 | (codePoint >> 6));
        return put(0x80 | (codePoint & 0x3F));
    }
    if (codePoint < 0x10000) {
        put(0xE0 | (codePoint >> 12));
        put(0x80 | ((codePoint >> 6) & 0x3F));
        return put(0x80 | (codePoint & 0x3F));
    }
    put(0xF0 | (codePoint >> 18));
    put(0x80 | ((codePoint >> 12) & 0x3F));
    put(0x80 | ((codePoint >> 6) & 0x3F));
    put(0x80 | (codePoint & 0x3F));
}

char32_t codePointBefore(std::string_view text, std::size_t offset) {
    if (offset == 0) return 0;
    std::size_t start = offset - 1;
    while (start > 0 && offset - start < 4 && isContinuationByte(text[start]))
        --start;
    return decodeUtf8(text.substr(start, offset - start)).codePoint;
}

char32_t codePointAt(std::string_view text, std::size_t offset) {
    return offset < text.size() ? decodeUtf8(text.substr(offset)).codePoint : 0;
}

}  // namespace agens::markdown
