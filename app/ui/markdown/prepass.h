// SPDX-License-Identifier: Apache-2.0
// Pre-pass: what is changed on a copy of the text before md4c reads it, and the way back.
//
//   emphasisMarks   `**重点。**后面` stays literal in CommonMark, because punctuation touches the
//                   run on its inner side: a mark (U+FDD0) is put between the two
//   tableRepairs    md4c 0.4.8 sees no table behind a paragraph line, and none whose delimiter row
//                   has `-` or `:-`: a blank line before the head, more dashes in the row
//   leadingLines    md4c 0.4.8 reads the low byte of a line's offset as a block type when two blank
//                   lines follow the line in a list item, so a text may parse differently
//                   elsewhere: blank lines in front keep every line at its place modulo kAlignment
//   PreparedText    the copy; toSource() maps an offset of the copy to one of the source.
//
// Invariant: marks depend on the text since the last blank line and on the character behind the
// run; repairs depend on one top-level paragraph. So text before a cut (cut.h) and text behind it
// are prepared alike whether they are prepared together or apart. Repairs are multiples of
// kAlignment long: the parse that finds them sees the lines behind them at the same place.
// Requires: text cleaned by MessageText, so U+FDD0 stands in it only where we put it.
// Thread: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agens::markdown {

inline constexpr std::string_view kMark = "\xEF\xB7\x90";  // U+FDD0

inline constexpr std::size_t kAlignment = 256;

struct Insertion {
    std::size_t at = 0;  // offset into the source, before which it is put
    std::string_view what;
};

// First and last text of one top-level paragraph, as offsets into the source.
struct TextRange {
    std::size_t first = 0;
    std::size_t last = 0;
};

std::vector<Insertion> emphasisMarks(std::string_view source);
std::vector<Insertion> tableRepairs(std::string_view source,
                                    const std::vector<TextRange>& paragraphs);

// Blank lines for a text that begins `alignment` bytes behind a multiple of kAlignment.
Insertion leadingLines(std::size_t alignment);

class PreparedText {
 public:
    // `source` must outlive this; without insertions it is not copied.
    PreparedText(std::string_view source, std::vector<Insertion> insertions);

    std::string_view text() const { return m_insertions.empty() ? m_source : m_copy; }
    std::size_t toSource(std::size_t offset) const;
    // Where the source's `offset` lies in the copy, behind what is inserted there.
    std::size_t fromSource(std::size_t offset) const;

 private:
    struct Shift {
        std::size_t from;      // offset in the copy right behind an insertion
        std::size_t inserted;  // bytes inserted before `from`
    };
    std::string_view m_source;
    std::vector<Insertion> m_insertions;  // by place
    std::string m_copy;
    std::vector<Shift> m_shifts;
};

}  // namespace agens::markdown
