// SPDX-License-Identifier: Apache-2.0
// openModelFile(): which container is it? Decided by the first bytes alone.
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "engine/model_file/gguf.h"
#include "engine/model_file/gguf_error.h"
#include "engine/model_file/tensor_index.h"

namespace agens::model_file {
namespace {

constexpr std::string_view kLfsPointer = "version https://git-lfs";
constexpr std::array<std::string_view, 4> kOldMagics = {"ggml", "ggmf", "ggjt", "ggla"};

std::string_view textOf(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The old formats wrote their magic as a little-endian number, so the letters stand reversed.
bool isOldMagic(std::string_view text) {
    if (text.size() < 4) return false;
    const std::string forward(text.substr(0, 4));
    const std::string backward(forward.rbegin(), forward.rend());
    for (const std::string_view magic : kOldMagics) {
        if (forward == magic || backward == magic) return true;
    }
    return false;
}

}  // namespace

Result<ModelFile> openModelFile(const std::filesystem::path& path) {
    TRY(MappedFile mapped, MappedFile::open(path));
    auto file = std::make_shared<const MappedFile>(std::move(mapped));
    const std::string_view text = textOf(file->bytes());
    const GgufErrors errors(path.filename().string());
    if (text.starts_with(kLfsPointer)) {
        return errors.invalid(
            "G03", "This is a Git LFS pointer, not the model; the download is incomplete.",
            "byte 0");
    }
    if (isOldMagic(text)) {
        return errors.unsupported("G02", "This is an old GGML file; convert it to GGUF.", "byte 0");
    }
    if (text.size() < 4) {
        return errors.invalid("G01", "The file is too short to be a GGUF file.", "byte 0");
    }
    if (!looksLikeGguf(file->bytes())) {
        return errors.invalid("G02", "This is not a GGUF file.", "byte 0");
    }
    return readGguf(std::move(file));
}

}  // namespace agens::model_file
