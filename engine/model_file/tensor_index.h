// SPDX-License-Identifier: Apache-2.0
// TensorIndex: name → format, shape, byte range in the mapped file. Checked by the reader: every
// range lies inside the file, ranges do not overlap, sizes fit the format. Types of this folder
// stop at `weights`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/mapped_file.h"
#include "engine/base/result.h"
#include "engine/device/formats/block_format.h"
#include "engine/model_file/metadata.h"

namespace agens::model_file {

struct TensorEntry {
    std::string name;
    device::BlockFormat format = device::BlockFormat::F32;
    std::vector<std::uint64_t> shape;  // outermost first: a matrix is [rows out, columns in]
    std::uint64_t offset = 0;          // in the file
    std::uint64_t bytes = 0;

    std::uint64_t rows() const;     // product of all but the innermost axis
    std::uint64_t columns() const;  // innermost axis; 1 for an empty shape
};

// One opened model file: mapping, metadata, tensors in file order.
struct ModelFile {
    std::shared_ptr<const MappedFile> file;
    std::string container;  // "gguf v3"
    Metadata metadata;
    std::vector<TensorEntry> tensors;

    const TensorEntry* find(std::string_view name) const;
    std::span<const std::byte> bytesOf(const TensorEntry& entry) const {
        return file->bytes().subspan(entry.offset, entry.bytes);
    }
    // "Q4_1, Q8_0, F32": formats by falling byte count.
    std::string formatsText() const;
};

// Recognises the container by its first bytes (never by the name) and reads its header.
// Errors: Io; InvalidFile (damaged, with offset); Unsupported (another container or version).
Result<ModelFile> openModelFile(const std::filesystem::path& path);

}  // namespace agens::model_file
