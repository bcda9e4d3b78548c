// SPDX-License-Identifier: Apache-2.0
// stdin and files with a cap, so that a runaway pipe is an error and not a full memory.
#include "app/cli/input.h"

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

namespace agens::cli {
namespace {

constexpr std::size_t kLongestInput = std::size_t{64} << 20;
constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Error tooLong(const std::string& source) {
    return {ErrorKind::InvalidRequest, "input.too_long", "The input is longer than 64 MiB.",
            source};
}

Result<std::string> readAll(std::istream& stream, const std::string& source) {
    std::string text;
    char block[65'536];
    while (stream.read(block, sizeof(block)) || stream.gcount() > 0) {
        text.append(block, static_cast<std::size_t>(stream.gcount()));
        if (text.size() > kLongestInput) return tooLong(source);
    }
    if (stream.bad()) {
        return Error{ErrorKind::Io, "input.read", "The input could not be read.", source};
    }
    return text;
}

Error atLine(Error error, std::size_t line) {
    error.where = "line " + std::to_string(line) + (error.where.empty() ? "" : ", " + error.where);
    return error;
}

}  // namespace

Result<std::string> readStandardInput() {
    return readAll(std::cin, "stdin");
}

Result<std::string> readWholeFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return Error{ErrorKind::Io, "input.open",
                     "\"" + path.filename().string() +
                         "\" cannot be opened: " + std::generic_category().message(errno) + ".",
                     path.string()};
    }
    return readAll(file, path.string());
}

Result<void> forEachJsonLine(const std::function<Result<void>(const Json&)>& handle) {
    std::string line;
    for (std::size_t number = 1; std::getline(std::cin, line); ++number) {
        if (line.size() > kLongestInput) return atLine(tooLong("stdin"), number);
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        auto json = parseJson(line, "stdin");
        if (!json) return atLine(std::move(json).error(), number);
        if (!json->is_object()) {
            return atLine(
                {ErrorKind::InvalidRequest, "input.object", "Each line must be a JSON object.", ""},
                number);
        }
        if (auto handled = handle(*json); !handled)
            return atLine(std::move(handled).error(), number);
    }
    return {};
}

std::optional<std::string> decodeBase64(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    std::string bytes;
    std::size_t padding = 0;
    while (padding < 2 && text.size() > padding && text[text.size() - 1 - padding] == '=')
        ++padding;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isPadding = i >= text.size() - padding;
        const std::size_t digit = isPadding ? 0 : kBase64.find(text[i]);
        if (digit == std::string_view::npos) return std::nullopt;
        bits = (bits << 6) | static_cast<std::uint32_t>(digit);
        if (i % 4 != 3) continue;
        for (const int shift : {16, 8, 0})
            bytes.push_back(static_cast<char>((bits >> shift) & 0xFF));
        bits = 0;
    }
    bytes.resize(bytes.size() - padding);
    return bytes;
}

std::string encodeBase64(std::string_view bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            const auto byte = i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U;
            bits = (bits << 8) | byte;
        }
        for (std::size_t j = 0; j < 4; ++j) {
            const bool isPadding = i + j > bytes.size();
            text.push_back(isPadding ? '=' : kBase64[(bits >> (18 - 6 * j)) & 63]);
        }
    }
    return text;
}

Result<std::vector<TokenId>> idsFrom(const Json& list) {
    const auto wrong = [] {
        return Error{ErrorKind::InvalidRequest, "input.ids", "\"ids\" must be a list of token ids.",
                     "ids"};
    };
    if (!list.is_array()) return wrong();
    std::vector<TokenId> ids;
    ids.reserve(list.size());
    for (const Json& id : list) {
        if (!id.is_number_unsigned() || id.get<std::uint64_t>() > INT32_MAX) return wrong();
        ids.emplace_back(id.get<std::int32_t>());
    }
    return ids;
}

}  // namespace agens::cli
