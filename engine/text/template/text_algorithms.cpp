// SPDX-License-Identifier: Apache-2.0
// What filters and methods of texts share: cutting, replacing, case, padding, printf formatting.
// Every result is built from pieces of its sources, so the marks stay with the bytes.
#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "engine/text/template/failure.h"
#include "engine/text/template/interpreter.h"
#include "engine/text/template/library_tables.h"
#include "engine/text/template/operators.h"
#include "engine/text/template/python_text.h"
#include "engine/text/unicode_table.h"
#include "engine/text/utf8.h"

namespace agens::text {
namespace {

// White space as str.strip() and str.split() see it.
bool isPythonSpace(char32_t c) {
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

std::string mappedCase(std::string_view text, CaseChange change) {
    const icu::StringPiece piece(text.data(), static_cast<std::int32_t>(text.size()));
    std::string mapped;
    icu::StringByteSink<std::string> sink(&mapped);
    UErrorCode status = U_ZERO_ERROR;
    if (change == CaseChange::Upper) icu::CaseMap::utf8ToUpper("", 0, piece, sink, nullptr, status);
    if (change == CaseChange::Lower) icu::CaseMap::utf8ToLower("", 0, piece, sink, nullptr, status);
    if (change == CaseChange::Fold) icu::CaseMap::utf8Fold(0, piece, sink, nullptr, status);
    return U_FAILURE(status) ? std::string(text) : mapped;
}

bool isCased(char32_t c) {
    return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_CASED) != 0;
}

// The next character begins a word for the filter title.
bool beginsWord(char32_t c) {
    return isSpace(c) || c == '-' || c == '(' || c == '{' || c == '[' || c == '<';
}

// What to do with one character under a change that depends on its neighbours.
CaseChange changeOf(CaseChange change, char32_t c, bool isFirst, bool inWord) {
    if (change == CaseChange::Capitalize) return isFirst ? CaseChange::Upper : CaseChange::Lower;
    if (change == CaseChange::Title || change == CaseChange::Words) {
        return inWord ? CaseChange::Lower : CaseChange::Upper;
    }
    return u_isUUppercase(static_cast<UChar32>(c)) != 0 ? CaseChange::Lower : CaseChange::Upper;
}

struct FormatSpec {
    bool leftAligned = false;
    bool zeroPadded = false;
    bool withSign = false;
    std::int64_t width = 0;
    std::int64_t precision = -1;
    char letter = 's';
};

class PercentFormatter {
 public:
    PercentFormatter(const Text& format, const std::vector<Value>& arguments, Budget& budget)
        : m_format(format), m_arguments(arguments), m_budget(budget), m_builder(budget) {}

    Value run() {
        const std::string_view bytes = m_format.bytes();
        while (m_at < bytes.size()) {
            const std::size_t percent = std::min(bytes.find('%', m_at), bytes.size());
            m_builder.add(m_format, m_at, percent);
            m_at = percent + 1;
            if (percent < bytes.size()) convert();
        }
        if (m_used < m_arguments.size()) failRuntime("A format has more values than places.");
        return m_builder.finish();
    }

 private:
    char peek() const { return m_at < m_format.bytes().size() ? m_format.bytes()[m_at] : '\0'; }

    std::int64_t readNumber() {
        std::int64_t number = 0;
        while (peek() >= '0' && peek() <= '9') {
            number =
                std::min<std::int64_t>(number * 10 + (m_format.bytes()[m_at++] - '0'), 1LL << 40);
        }
        return number;
    }

    FormatSpec readSpec() {
        FormatSpec spec;
        for (;; ++m_at) {
            if (peek() == '-') {
                spec.leftAligned = true;
            } else if (peek() == '0') {
                spec.zeroPadded = true;
            } else if (peek() == '+') {
                spec.withSign = true;
            } else {
                break;
            }
        }
        spec.width = readNumber();
        if (peek() == '.') {
            ++m_at;
            spec.precision = readNumber();
        }
        spec.letter = peek();
        ++m_at;
        return spec;
    }

    const Value& next() {
        if (m_used == m_arguments.size()) failRuntime("A format has fewer values than places.");
        return m_arguments[m_used++];
    }

    void convert() {
        if (peek() == '(') failUnsupported("A format with names");
        const FormatSpec spec = readSpec();
        switch (spec.letter) {
            case '%':
                m_builder.add("%", Mark::Template);
                break;
            case 's':
                addText(*printed(next(), m_budget), spec);
                break;
            case 'r': {
                TextBuilder repr(m_budget);
                addRepr(repr, next(), m_budget);
                addText(*repr.finish(), spec);
                break;
            }
            case 'd':
            case 'i':
            case 'u':
                addNumber(wholeText(next()), spec);
                break;
            case 'f':
            case 'F':
                addNumber(realText(next(), spec.precision), spec);
                break;
            default:
                failUnsupported("This format");
        }
    }

    static std::string wholeText(const Value& value) {
        if (const double* real = value.asDouble()) {
            if (std::fabs(*real) > 1e30)
                fail(FailureKind::Limit, "A formatted number is too large.");
            return toText(static_cast<Integer>(*real));
        }
        return toText(needInteger(value, "A formatted value"));
    }

    static std::string realText(const Value& value, std::int64_t precision) {
        const double* real = value.asDouble();
        const double number =
            real != nullptr ? *real : static_cast<double>(needInteger(value, "A formatted value"));
        if (precision > 300) fail(FailureKind::Limit, "A formatted number has too many digits.");
        std::array<char, 700> buffer;
        std::snprintf(buffer.data(), buffer.size(), "%.*f",
                      static_cast<int>(precision < 0 ? 6 : precision), number);
        return buffer.data();
    }

    void addNumber(std::string number, const FormatSpec& spec) {
        if (spec.withSign && number[0] != '-') number.insert(0, 1, '+');
        const auto size = static_cast<std::int64_t>(number.size());
        if (spec.zeroPadded && !spec.leftAligned && size < spec.width) {
            m_budget.checkTextSize(static_cast<std::size_t>(spec.width));
            const std::size_t signs = number[0] == '-' || number[0] == '+' ? 1 : 0;
            number.insert(signs, static_cast<std::size_t>(spec.width - size), '0');
        }
        addText(*Text::literal(number), spec);
    }

    void addText(const Text& text, const FormatSpec& spec) {
        std::size_t end = text.bytes().size();
        if (spec.letter == 's' && spec.precision >= 0) {
            end = placeOfCharacter(text.bytes(), static_cast<std::size_t>(spec.precision));
        }
        TextBuilder cut(m_budget);
        const Value whole = cut.add(text, 0, end).finish();
        const Value wide = padded(*whole.asText(), spec.width, " ",
                                  spec.leftAligned ? Align::Left : Align::Right, m_budget);
        m_builder.add(*wide.asText());
    }

    const Text& m_format;
    const std::vector<Value>& m_arguments;
    Budget& m_budget;
    TextBuilder m_builder;
    std::size_t m_at = 0;
    std::size_t m_used = 0;
};

}  // namespace

Value trimmed(const Text& text, const Text* set, Side side, Budget& budget) {
    const std::string_view bytes = text.bytes();
    // The character in [begin, end) is to be cut off.
    const auto goes = [&](std::size_t begin, std::size_t end) {
        budget.step();
        if (set == nullptr) return isPythonSpace(nextCharacter(bytes, begin));
        budget.moveText(set->bytes().size());
        return set->bytes().find(bytes.substr(begin, end - begin)) != std::string_view::npos;
    };
    std::size_t first = 0;
    while (side != Side::Right && first < bytes.size()) {
        const std::size_t next = placeOfCharacter(bytes, 1, first);
        if (!goes(first, next)) break;
        first = next;
    }
    std::size_t last = bytes.size();
    while (side != Side::Left && last > first) {
        std::size_t before = last - 1;
        while ((bytes[before] & 0xC0) == 0x80)
            --before;
        if (!goes(before, last)) break;
        last = before;
    }
    return TextBuilder(budget).add(text, first, last).finish(text.isMarkup());
}

Value replacedText(const Text& text, const Text& old, const Text& by, std::int64_t count,
                   Budget& budget) {
    TextBuilder builder(budget);
    const std::string_view bytes = text.bytes();
    std::size_t from = 0;
    if (old.bytes().empty()) {
        // An empty text stands before every character and at the end.
        for (std::size_t at = 0; count != 0; --count) {
            builder.add(by);
            if (at == bytes.size()) break;
            from = at;
            nextCharacter(bytes, at);
            builder.add(text, from, at);
            from = at;
        }
        return builder.add(text, from, bytes.size()).finish();
    }
    for (std::size_t found = findText(bytes, old.bytes());
         found != std::string_view::npos && count != 0;
         found = findText(bytes, old.bytes(), from), --count) {
        builder.add(text, from, found).add(by);
        from = found + old.bytes().size();
        budget.step();
    }
    return builder.add(text, from, bytes.size()).finish();
}

Value withCase(const Text& text, CaseChange change, Budget& budget) {
    TextBuilder builder(budget);
    const bool isUniform =
        change == CaseChange::Upper || change == CaseChange::Lower || change == CaseChange::Fold;
    if (isUniform) {
        std::size_t from = 0;
        for (const Text::Run& run : text.runs()) {
            builder.add(mappedCase(text.bytes().substr(from, run.end - from), change), run.mark);
            from = run.end;
        }
        return builder.finish(text.isMarkup());
    }
    bool inWord = false;
    for (std::size_t at = 0; at < text.bytes().size();) {
        const std::size_t begin = at;
        const char32_t c = nextCharacter(text.bytes(), at);
        const CaseChange own = changeOf(change, c, begin == 0, inWord);
        builder.add(mappedCase(text.bytes().substr(begin, at - begin), own), text.markAt(begin));
        inWord = change == CaseChange::Words ? !beginsWord(c) : isCased(c);
        budget.step();
    }
    return builder.finish(text.isMarkup());
}

Value padded(const Text& text, std::int64_t width, std::string_view fill, Align align,
             Budget& budget) {
    const auto size = static_cast<std::int64_t>(characterCount(text.bytes()));
    const std::int64_t missing = std::max<std::int64_t>(width - size, 0);
    budget.checkTextSize(static_cast<std::size_t>(missing) * fill.size());
    std::int64_t before = align == Align::Right ? missing : 0;
    // The odd place goes where str.center() puts it.
    if (align == Align::Center) before = missing / 2 + (missing & width & 1);
    TextBuilder builder(budget);
    const auto add = [&](std::int64_t times) {
        std::string padding;
        for (std::int64_t i = 0; i < times; ++i)
            padding += fill;
        builder.add(padding, Mark::Template);
    };
    add(before);
    builder.add(text);
    add(missing - before);
    return builder.finish();
}

Value percentFormat(const Text& format, const std::vector<Value>& arguments, Budget& budget) {
    return PercentFormatter(format, arguments, budget).run();
}

}  // namespace agens::text
