// SPDX-License-Identifier: Apache-2.0
// GGUF versions 2 and 3: header and tensor list of an untrusted file, read without touching tensor
// data. Layout (little-endian):
//
//   "GGUF" u32 version u64 tensorCount u64 keyCount
//   keyCount    × { string key, u32 value type, value }                          gguf_metadata.h
//   tensorCount × { string name, u32 axes, u64 dims[axes] innermost first, u32 type, u64 offset }
//   padding to general.alignment (32), then the data section; offsets count from its start
//
// Invariant of a returned ModelFile: every tensor has a known format, whole blocks per row, and a
// byte range inside the file that no other tensor shares.
// Errors: InvalidFile and Unsupported; `id` is the row of README.md ("G24"). Memory grows with the
// entries really present, never with a number found in the file. Thread: any.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "engine/base/mapped_file.h"
#include "engine/base/result.h"
#include "engine/model_file/tensor_index.h"

namespace agens::model_file {

// True for files whose first bytes say GGUF.
bool looksLikeGguf(std::span<const std::byte> bytes);

Result<ModelFile> readGguf(std::shared_ptr<const MappedFile> file);

}  // namespace agens::model_file
