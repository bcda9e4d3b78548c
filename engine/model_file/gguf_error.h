// SPDX-License-Identifier: Apache-2.0
// Sentences of the GGUF reader. `id` is the row of the check in README.md; `where` is the file's
// name with a byte offset, a key or a tensor. Texts from the file are made printable first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace agens::model_file {

// Names the file in every error of one reading.
class GgufErrors {
 public:
    explicit GgufErrors(std::string fileName) : m_fileName(std::move(fileName)) {}

    // "The file is damaged (G07): an empty key at byte 24."
    Error damaged(const char* id, const std::string& what, std::uint64_t offset) const;
    // A whole sentence of its own.
    Error invalid(const char* id, std::string sentence, std::string_view place) const;
    Error unsupported(const char* id, std::string sentence, std::string_view place) const;

 private:
    std::string m_fileName;
};

// Foreign text for a sentence: printable ASCII stays, everything else becomes '?', cut at 80 bytes.
std::string printable(std::string_view text);

}  // namespace agens::model_file
