// SPDX-License-Identifier: Apache-2.0
// The key-value part of a GGUF header.
//
// Value types: 0 u8, 1 i8, 2 u16, 3 i16, 4 u32, 5 i32, 6 f32, 7 bool, 8 string, 9 array, 10 u64,
// 11 i64, 12 f64. A string is a u64 length and that many bytes; an array a u32 element type, a u64
// count and the elements. Counts are compared with the bytes that remain before anything is
// allocated. Arrays of arrays are checked, then dropped: no key we read has one.
// Errors: rows G06 to G13 and G16 of README.md.
#pragma once

#include <cstdint>

#include "engine/base/byte_reader.h"
#include "engine/base/result.h"
#include "engine/model_file/gguf_error.h"
#include "engine/model_file/metadata.h"

namespace agens::model_file {

// Reads `count` entries at the reader's place.
Result<Metadata> readGgufMetadata(ByteReader& reader, std::uint64_t count,
                                  const GgufErrors& errors);

}  // namespace agens::model_file
