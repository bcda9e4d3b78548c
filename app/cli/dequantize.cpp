// SPDX-License-Identifier: Apache-2.0
// agens dequantize: one tensor of a model file, or a file of raw blocks, as f32 values by the
// definition of the format. Output: NAME.npy (shape kept) or raw little-endian f32.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <span>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/input.h"
#include "engine/device/formats/decode_row.h"
#include "engine/model_file/tensor_index.h"

namespace agens::cli {
namespace {

struct Decoded {
    std::vector<std::uint64_t> shape;
    std::vector<float> values;
};

Error requestError(const char* id, std::string what, std::string where) {
    return {ErrorKind::InvalidRequest, id, std::move(what), std::move(where)};
}

Result<device::BlockFormat> formatNamed(const std::string& name) {
    std::string known;
    for (const device::BlockFormatFacts& facts : device::kBlockFormats) {
        const bool isSame = std::ranges::equal(
            name, std::string_view(facts.name),
            [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; });
        if (isSame) return facts.format;
        known += (known.empty() ? "" : ", ") + std::string(facts.name);
    }
    return requestError("dequantize.format",
                        "The format \"" + name + "\" is not known; known are " + known + ".",
                        "--raw-blocks");
}

Result<Decoded> decodedBlocks(const DequantizeArguments& arguments) {
    TRY(const device::BlockFormat format, formatNamed(arguments.rawBlocks));
    TRY(const MappedFile file, MappedFile::open(arguments.input));
    const device::BlockFormatFacts& facts = device::factsOf(format);
    const std::span<const std::byte> bytes = file.bytes();
    if (bytes.size() % facts.blockBytes != 0) {
        return requestError("dequantize.size",
                            "The file has " + std::to_string(bytes.size()) +
                                " bytes, no multiple of " + std::to_string(facts.blockBytes) + ".",
                            arguments.input.string());
    }
    Decoded decoded;
    decoded.values.resize(bytes.size() / facts.blockBytes * facts.blockValues);
    decoded.shape = {decoded.values.size()};
    device::decodeRow(format, bytes.data(), decoded.values);
    return decoded;
}

Result<Decoded> decodedTensor(const DequantizeArguments& arguments) {
    TRY(const model_file::ModelFile file, model_file::openModelFile(arguments.input));
    const model_file::TensorEntry* tensor = file.find(arguments.tensor);
    if (tensor == nullptr) {
        return requestError(
            "dequantize.tensor",
            "The file has no tensor \"" + arguments.tensor + "\"; `agens inspect` lists them.",
            arguments.input.string());
    }
    Decoded decoded{.shape = tensor->shape, .values = {}};
    decoded.values.resize(tensor->rows() * tensor->columns());
    const std::byte* row = file.bytesOf(*tensor).data();
    for (std::uint64_t r = 0; r < tensor->rows(); ++r) {
        device::decodeRow(
            tensor->format, row,
            std::span(decoded.values).subspan(r * tensor->columns(), tensor->columns()));
        row += device::rowBytes(tensor->format, tensor->columns());
    }
    return decoded;
}

// Header of NumPy's format 1.0: magic, version, u16 length, a Python dict padded to 64 bytes.
std::string npyHeader(const std::vector<std::uint64_t>& shape) {
    std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
    for (const std::uint64_t size : shape)
        dict += std::to_string(size) + ", ";
    dict += "), }";
    const std::size_t prefix = 10;
    dict.append(64 - (prefix + dict.size() + 1) % 64, ' ');
    dict.push_back('\n');
    const auto length = static_cast<std::uint16_t>(dict.size());
    std::string header("\x93NUMPY\x01\x00", 8);
    header.push_back(static_cast<char>(length & 0xFF));
    header.push_back(static_cast<char>(length >> 8));
    return header + dict;
}

// Never overwrites: a typo must not cost a file.
Result<void> writeNew(const std::filesystem::path& path, const Decoded& decoded) {
    std::FILE* file = std::fopen(path.c_str(), "wxb");
    if (file == nullptr) {
        return Error{
            ErrorKind::Io, "output.open",
            "\"" + path.filename().string() + "\" cannot be created: " + std::strerror(errno) + ".",
            path.string()};
    }
    const std::string header = path.extension() == ".npy" ? npyHeader(decoded.shape) : "";
    std::fwrite(header.data(), 1, header.size(), file);
    std::fwrite(decoded.values.data(), sizeof(float), decoded.values.size(), file);
    const bool failed = std::ferror(file) != 0;
    if (std::fclose(file) == 0 && !failed) return {};
    std::remove(path.c_str());
    return Error{ErrorKind::Io, "output.write",
                 "\"" + path.filename().string() + "\" cannot be written.", path.string()};
}

}  // namespace

int run(const DequantizeArguments& arguments, Terminal& terminal) {
    if (arguments.rawBlocks.empty() == arguments.tensor.empty()) {
        terminal.notice("agens dequantize: give either a tensor's name or --raw-blocks TYPE.");
        return kBadArguments;
    }
    const auto decoded =
        arguments.rawBlocks.empty() ? decodedTensor(arguments) : decodedBlocks(arguments);
    if (!decoded) return terminal.fail(decoded.error());
    if (const auto written = writeNew(arguments.out, *decoded); !written) {
        return terminal.fail(written.error());
    }
    return kOk;
}

}  // namespace agens::cli
