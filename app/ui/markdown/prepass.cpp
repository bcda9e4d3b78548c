// SPDX-License-Identifier: Apache-2.0
// Pre-pass: see the header.
#include "app/ui/markdown/prepass.h"

#include <algorithm>
#include <array>
#include <optional>

#include "app/ui/markdown/lines.h"
#include "app/ui/markdown/utf8.h"

namespace agens::markdown {
namespace {

// kAlignment times the same character.
template <char character>
constexpr std::array<char, kAlignment> filled() {
    std::array<char, kAlignment> characters{};
    characters.fill(character);
    return characters;
}
constexpr auto kNewlineBytes = filled<'\n'>();
constexpr auto kDashBytes = filled<'-'>();
constexpr std::string_view kBlankLines(kNewlineBytes.data(), kNewlineBytes.size());
constexpr std::string_view kDashes(kDashBytes.data(), kDashBytes.size());

enum class CharClass { Space, Punctuation, Letter };

struct Range {
    char32_t first;
    char32_t last;
};

template <std::size_t n>
bool isIn(const Range (&ranges)[n], char32_t c) {
    return std::any_of(std::begin(ranges), std::end(ranges),
                       [c](Range range) { return c >= range.first && c <= range.last; });
}

constexpr Range kAsciiPunctuation[] = {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}};
constexpr Range kQuotesAndDashes[] = {{0x2010, 0x2027}, {0x2030, 0x205E}};
constexpr Range kCjkPunctuation[] = {
    {0x3001, 0x3003}, {0x3008, 0x3011}, {0x3014, 0x301F}, {0x3030, 0x3030}, {0x30FB, 0x30FB},
    {0xFF01, 0xFF03}, {0xFF05, 0xFF0A}, {0xFF0C, 0xFF0F}, {0xFF1A, 0xFF1B}, {0xFF1F, 0xFF20},
    {0xFF3B, 0xFF3D}, {0xFF3F, 0xFF3F}, {0xFF5B, 0xFF5B}, {0xFF5D, 0xFF5D}, {0xFF5F, 0xFF65}};
constexpr Range kCjkLetters[] = {
    {0x3041, 0x30FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7AF}, {0xF900, 0xFAFF},
    {0xFF10, 0xFF19}, {0xFF21, 0xFF3A}, {0xFF41, 0xFF5A}, {0xFF66, 0xFF9F}, {0x20000, 0x3FFFD}};
constexpr Range kSpaces[] = {{0, ' '}, {0xA0, 0xA0}, {0x2000, 0x200A}, {0x3000, 0x3000}};

CharClass classOf(char32_t c) {
    if (isIn(kSpaces, c)) return CharClass::Space;
    if (isIn(kAsciiPunctuation, c) || isIn(kQuotesAndDashes, c) || isIn(kCjkPunctuation, c)) {
        return CharClass::Punctuation;
    }
    return CharClass::Letter;
}

// Only beside CJK text does a run that CommonMark leaves literal mean emphasis.
bool isCjkPair(char32_t punctuation, char32_t letter) {
    return isIn(kCjkPunctuation, punctuation) || isIn(kCjkLetters, letter);
}

// A run of `*` with the characters around it.
struct Run {
    std::size_t begin = 0;
    std::size_t end = 0;
    char32_t before = 0;
    char32_t after = 0;

    std::size_t length() const { return end - begin; }
};

// Pairs runs of equal length within a paragraph to tell the inner side of each.
class RunPairs {
 public:
    // Where a mark is needed for this run, if it is.
    std::optional<std::size_t> take(const Run& run) {
        const CharClass before = classOf(run.before);
        const CharClass after = classOf(run.after);
        const bool closes = isOpen(run.length());
        if (before == CharClass::Letter && after == CharClass::Punctuation && !closes) {
            open(run.length());
            return markIf(isCjkPair(run.after, run.before), run.end);
        }
        if (before == CharClass::Punctuation && after == CharClass::Letter && closes) {
            close(run.length());
            return markIf(isCjkPair(run.before, run.after), run.begin);
        }
        if (closes && before != CharClass::Space) {
            close(run.length());
        } else if (after != CharClass::Space) {
            open(run.length());
        }
        return std::nullopt;
    }
    void clear() { m_open.clear(); }

 private:
    static constexpr std::size_t kMaxOpen = 32;  // a guess beyond that is worth nothing

    static std::optional<std::size_t> markIf(bool isNeeded, std::size_t at) {
        if (isNeeded) return at;
        return std::nullopt;
    }
    bool isOpen(std::size_t length) const {
        return std::find(m_open.begin(), m_open.end(), length) != m_open.end();
    }
    void open(std::size_t length) {
        if (m_open.size() < kMaxOpen) m_open.push_back(length);
    }
    void close(std::size_t length) {
        // Whatever was opened inside and never closed is literal.
        while (m_open.back() != length)
            m_open.pop_back();
        m_open.pop_back();
    }

    std::vector<std::size_t> m_open;
};

bool isEscaped(std::string_view text, std::size_t offset) {
    return offset > 0 && text[offset - 1] == '\\';
}

std::string_view trimmed(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t") - first + 1);
}

// Cells of a table line: what stands between unescaped pipes; outer pipes count for nothing.
std::vector<std::string_view> tableCells(std::string_view line) {
    line = trimmed(line);
    if (line.starts_with('|')) line.remove_prefix(1);
    if (line.ends_with('|') && !isEscaped(line, line.size() - 1)) line.remove_suffix(1);
    std::vector<std::string_view> cells;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '|' || isEscaped(line, i)) continue;
        cells.push_back(line.substr(begin, i - begin));
        begin = i + 1;
    }
    cells.push_back(line.substr(begin));
    return cells;
}

bool isDelimiterCell(std::string_view cell) {
    cell = trimmed(cell);
    if (cell.starts_with(':')) cell.remove_prefix(1);
    if (cell.ends_with(':')) cell.remove_suffix(1);
    return !cell.empty() && cell.find_first_not_of('-') == std::string_view::npos;
}

// Number of cells of a delimiter row such as `|:--|--:|`, 0 if the line is none.
std::size_t delimiterCells(std::string_view line) {
    const bool canBe = line.find('|') != std::string_view::npos &&
                       line.find_first_not_of(" \t|:-") == std::string_view::npos;
    if (!canBe) return 0;
    const std::vector<std::string_view> cells = tableCells(line);
    return std::all_of(cells.begin(), cells.end(), isDelimiterCell) ? cells.size() : 0;
}

struct LinePair {
    std::size_t head = 0;       // start of the head line of a table
    std::size_t delimiter = 0;  // start of its delimiter row
};

// The first two lines of the paragraph that make a table.
std::optional<LinePair> tableIn(std::string_view source, TextRange paragraph) {
    std::size_t head = lineStart(source, paragraph.first);
    while (head < paragraph.last) {
        const std::size_t next = head + lineAt(source, head).size() + 1;
        if (next > paragraph.last || !isCompleteLine(source, next)) return std::nullopt;
        const std::size_t cells = delimiterCells(lineAt(source, next));
        if (cells > 0 && tableCells(lineAt(source, head)).size() == cells)
            return LinePair{head, next};
        head = next;
    }
    return std::nullopt;
}

// Cells of less than three characters get more dashes.
void widenDelimiters(std::string_view source, std::size_t line,
                     std::vector<Insertion>& insertions) {
    for (const std::string_view cell : tableCells(lineAt(source, line))) {
        if (trimmed(cell).size() >= 3) continue;
        const auto dash = static_cast<std::size_t>(cell.data() - source.data()) + cell.find('-');
        insertions.push_back({dash, kDashes});
    }
}

}  // namespace

std::vector<Insertion> emphasisMarks(std::string_view source) {
    std::vector<Insertion> marks;
    const bool isAscii =
        std::none_of(source.begin(), source.end(), [](char c) { return c & 0x80; });
    if (isAscii) return marks;
    RunPairs pairs;
    std::size_t line = 0;
    std::size_t newline = source.find('\n');
    for (std::size_t i = source.find('*'); i != std::string_view::npos; i = source.find('*', i)) {
        // A blank line since the last run ends the paragraph, and with it everything open.
        while (newline < i) {
            if (isBlankLine(source.substr(line, newline - line))) pairs.clear();
            line = newline + 1;
            newline = source.find('\n', line);
        }
        const std::size_t end = std::min(source.find_first_not_of('*', i), source.size());
        if (!isEscaped(source, i)) {
            const Run run{i, end, codePointBefore(source, i), codePointAt(source, end)};
            if (const auto at = pairs.take(run)) marks.push_back({*at, kMark});
        }
        i = end;
    }
    return marks;
}

std::vector<Insertion> tableRepairs(std::string_view source,
                                    const std::vector<TextRange>& paragraphs) {
    std::vector<Insertion> repairs;
    for (const TextRange& paragraph : paragraphs) {
        const std::optional<LinePair> table = tableIn(source, paragraph);
        if (!table) continue;
        const bool hasLineBefore = table->head > 0 && !followsBlankLine(source, table->head);
        if (hasLineBefore) repairs.push_back({table->head, kBlankLines});
        widenDelimiters(source, table->delimiter, repairs);
    }
    return repairs;
}

Insertion leadingLines(std::size_t alignment) {
    return {0, kBlankLines.substr(0, alignment)};
}

PreparedText::PreparedText(std::string_view source, std::vector<Insertion> insertions)
    : m_source(source), m_insertions(std::move(insertions)) {
    std::stable_sort(m_insertions.begin(), m_insertions.end(),
                     [](const Insertion& a, const Insertion& b) { return a.at < b.at; });
    std::size_t copied = 0;
    std::size_t inserted = 0;
    for (const Insertion& insertion : m_insertions) {
        m_copy.append(source.substr(copied, insertion.at - copied));
        m_copy.append(insertion.what);
        copied = insertion.at;
        inserted += insertion.what.size();
        m_shifts.push_back({m_copy.size(), inserted});
    }
    if (!m_insertions.empty()) m_copy.append(source.substr(copied));
}

std::size_t PreparedText::toSource(std::size_t offset) const {
    const auto behind =
        std::upper_bound(m_shifts.begin(), m_shifts.end(), offset,
                         [](std::size_t value, const Shift& shift) { return value < shift.from; });
    return behind == m_shifts.begin() ? offset : offset - std::prev(behind)->inserted;
}

std::size_t PreparedText::fromSource(std::size_t offset) const {
    std::size_t inserted = 0;
    for (const Insertion& insertion : m_insertions) {
        if (insertion.at > offset) break;
        inserted += insertion.what.size();
    }
    return offset + inserted;
}

}  // namespace agens::markdown
