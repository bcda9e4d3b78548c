// SPDX-License-Identifier: Apache-2.0
// ICU's normaliser; its errors cannot happen on valid UTF-8, and then the text stays as it is.
#include "engine/text/normalize.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

#include <algorithm>

namespace agens::text {
namespace {

icu::StringPiece pieceOf(std::string_view text) {
    return {text.data(), static_cast<std::int32_t>(text.size())};
}

}  // namespace

bool isNfc(std::string_view text) {
    if (std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; })) return true;
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(status);
    return U_FAILURE(status) || nfc->isNormalizedUTF8(pieceOf(text), status);
}

std::string toNfc(std::string_view text) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(status);
    if (U_FAILURE(status)) return std::string(text);
    std::string normalised;
    icu::StringByteSink<std::string> sink(&normalised);
    nfc->normalizeUTF8(0, pieceOf(text), sink, nullptr, status);
    return U_FAILURE(status) ? std::string(text) : normalised;
}

}  // namespace agens::text
