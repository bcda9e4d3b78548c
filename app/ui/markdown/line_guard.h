// SPDX-License-Identifier: Apache-2.0
// Lines that make md4c 0.4.8 slow, found before it sees them.
//
//   - more than kMaxMarkers list and quote markers in front of one line: every blank line that
//     follows costs the depth (64 Ki markers and 128 Ki blank lines: 5.4 s; 2 cores, 2026-11)
//   - more than kMaxAddresses "://" in one word: each is followed to the end of the word (24 000 in
//     256 KiB: 1.9 s)
// Both are far beyond what is shown (kMaxDepth, kMaxLinks). The text from such a line on counts as
// over the limit. A line only becomes one by growing, so pieces and whole agree where it begins.
// Thread: pure function.
#pragma once

#include <cstddef>
#include <string_view>

namespace agens::markdown {

inline constexpr std::size_t kMaxMarkers = 128;
inline constexpr std::size_t kMaxAddresses = 1000;

// Start of the first such line, or the size of the text.
std::size_t endOfParsableText(std::string_view text);

}  // namespace agens::markdown
