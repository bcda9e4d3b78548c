// SPDX-License-Identifier: Apache-2.0
// Block: one Markdown block of a message as the transcript shows it. Lists and quotes are
// flattened: each paragraph of a list item is a block of its own with its depth, marker and task
// state.
//
// Invariant: texts are valid UTF-8 without control characters other than tab and newline; spans are
// byte ranges inside their text, not empty, in order, never overlapping; a link index is a place in
// `links`; a table has columns * rows cells, the first row is its head.
// Nothing here is ever fetched or executed: HTML is text, a picture is its address.
// Thread: plain values; a BlockPtr is immutable and may cross threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace agens::markdown {

enum class BlockKind : std::uint8_t {
    Paragraph,
    Heading,
    ListItem,
    Quote,
    Code,
    Table,
    Rule,
    ImageRef,
    Notice,
};

enum class TaskState : std::uint8_t { None, Open, Done };
enum class Alignment : std::uint8_t { Natural, Left, Center, Right };

// Why a Notice block stands there; its sentence belongs to the window (translations).
enum class NoticeId : std::uint8_t {
    None,
    FormattingLimit,  // a block above has more links, spans or table rows than are shown
    PlainRest,        // the text below is shown as it is
    MessageLimit,     // the text goes on, but no more of it is shown
};

// Classes of a highlighter; spans of Code blocks carry them.
enum class SyntaxClass : std::uint8_t { None, Keyword, String, Number, Comment, Type, Function };

using StyleMask = std::uint8_t;
inline constexpr StyleMask kBold = 1;
inline constexpr StyleMask kItalic = 2;
inline constexpr StyleMask kStrike = 4;
inline constexpr StyleMask kCode = 8;

inline constexpr std::int32_t kNoLink = -1;

struct Span {
    std::uint32_t begin = 0;  // bytes into the text
    std::uint32_t end = 0;
    StyleMask style = 0;
    SyntaxClass syntax = SyntaxClass::None;
    std::int32_t link = kNoLink;  // place in Block::links

    bool operator==(const Span&) const = default;
};

struct StyledText {
    std::string text;
    std::vector<Span> spans;

    bool operator==(const StyledText&) const = default;
};

struct Table {
    std::vector<Alignment> alignments;  // one per column
    std::vector<StyledText> cells;      // row by row, the head first

    std::size_t columns() const { return alignments.size(); }
    std::size_t rows() const { return alignments.empty() ? 0 : cells.size() / alignments.size(); }
    bool operator==(const Table&) const = default;
};

struct Block {
    BlockKind kind = BlockKind::Paragraph;
    std::uint8_t level = 0;       // Heading: 1..6
    std::uint8_t listDepth = 0;   // 0 = not in a list
    std::uint8_t quoteDepth = 0;  // 0 = not in a quote
    TaskState task = TaskState::None;
    NoticeId notice = NoticeId::None;
    std::string marker = {};    // "•", "5."; empty for further paragraphs of the same item
    StyledText content = {};    // text of all kinds but Table; ImageRef: the alternative text
    std::string language = {};  // Code: first word behind the fence
    std::string address = {};   // ImageRef
    std::vector<std::string> links = {};  // http, https and mailto addresses only
    Table table = {};

    bool operator==(const Block&) const = default;
};

// Shared because a model, its delegates and a diff hold the same block at once, and texts are long.
using BlockPtr = std::shared_ptr<const Block>;

// Kinds shown by the same delegate. A view chooses a delegate once, so a block may only be replaced
// by one of its own shape.
enum class BlockShape : std::uint8_t { Text, Code, Table, Rule, ImageRef, Notice };
BlockShape shapeOf(BlockKind kind);

// Lines of a Code block, 1 for an empty one.
std::size_t lineCount(std::string_view text);

}  // namespace agens::markdown
