// SPDX-License-Identifier: Apache-2.0
// safetensors: a u64 header length, a JSON header, then the tensors' bytes.
//   {"NAME": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
//
// Used for results (`agens logits --out`) and for reading goldens; checkpoints as a container come
// later and will share this reader. Data is not aligned in the file: copy it out with valuesAs().
// Errors: Io; InvalidFile and Unsupported with the row of README.md as id.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/mapped_file.h"
#include "engine/base/result.h"

namespace agens::model_file {

struct SafetensorsEntry {
    std::string name;
    std::string dtype;  // "F32", "I64", …
    std::vector<std::uint64_t> shape;
    std::uint64_t offset = 0;  // in the file
    std::uint64_t bytes = 0;
};

struct SafetensorsFile {
    std::shared_ptr<const MappedFile> file;
    std::vector<SafetensorsEntry> entries;  // in the order of the header

    const SafetensorsEntry* find(std::string_view name) const;

    // Values of a tensor whose dtype is the one of T; InvalidRequest if it is missing or another.
    template <class T>
    Result<std::vector<T>> valuesAs(std::string_view name) const {
        TRY(const SafetensorsEntry* entry, findTyped(name, dtypeOf(T{})));
        std::vector<T> values(entry->bytes / sizeof(T));
        if (!values.empty()) {
            std::memcpy(values.data(), file->bytes().data() + entry->offset, entry->bytes);
        }
        return values;
    }

 private:
    static const char* dtypeOf(float) { return "F32"; }
    static const char* dtypeOf(double) { return "F64"; }
    static const char* dtypeOf(std::int32_t) { return "I32"; }
    static const char* dtypeOf(std::int64_t) { return "I64"; }
    Result<const SafetensorsEntry*> findTyped(std::string_view name, const char* dtype) const;
};

Result<SafetensorsFile> openSafetensors(const std::filesystem::path& path);

// One tensor to write; the caller keeps the data alive during the call.
struct SafetensorsTensor {
    std::string name;
    const char* dtype = "F32";
    std::vector<std::uint64_t> shape;
    std::span<const std::byte> data;
};

// Writes a temporary file in the same folder, syncs it and renames it into place: either the whole
// file is there or nothing. Replaces an older file of that name.
Result<void> writeSafetensors(const std::filesystem::path& path,
                              std::span<const SafetensorsTensor> tensors);

}  // namespace agens::model_file
