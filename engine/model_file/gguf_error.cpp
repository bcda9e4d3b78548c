// SPDX-License-Identifier: Apache-2.0
// Builds the errors of gguf_error.h.
#include "engine/model_file/gguf_error.h"

namespace agens::model_file {
namespace {

constexpr std::size_t kLongestQuote = 80;

}  // namespace

Error GgufErrors::damaged(const char* id, const std::string& what, std::uint64_t offset) const {
    const std::string place = "byte " + std::to_string(offset);
    return invalid(
        id, std::string("The file is damaged (") + id + "): " + what + " at " + place + ".", place);
}

Error GgufErrors::invalid(const char* id, std::string sentence, std::string_view place) const {
    return {ErrorKind::InvalidFile, id, std::move(sentence),
            m_fileName + ", " + std::string(place)};
}

Error GgufErrors::unsupported(const char* id, std::string sentence, std::string_view place) const {
    return {ErrorKind::Unsupported, id, std::move(sentence),
            m_fileName + ", " + std::string(place)};
}

std::string printable(std::string_view text) {
    std::string shown(text.substr(0, kLongestQuote));
    for (char& c : shown) {
        if (c < ' ' || c > '~') c = '?';
    }
    return text.size() > kLongestQuote ? shown + "…" : shown;
}

}  // namespace agens::model_file
