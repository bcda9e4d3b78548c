// SPDX-License-Identifier: Apache-2.0
#include "engine/text/template/python_text.h"

#include <unicode/uchar.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "engine/text/template/failure.h"
#include "engine/text/utf8.h"

namespace agens::text {
namespace {

constexpr const char* kHexDigits = "0123456789abcdef";

std::string hexEscape(const char* prefix, char32_t c, int digits) {
    std::string text = prefix;
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
        text += kHexDigits[(c >> shift) & 0xF];
    }
    return text;
}

bool isPrintable(char32_t c) {
    if (c == ' ') return true;
    const std::uint32_t category = U_GET_GC_MASK(static_cast<UChar32>(c));
    return (category & (U_GC_C_MASK | U_GC_Z_MASK)) == 0;
}

// One character of repr(); empty: as it is.
std::string reprEscape(char32_t c, char quote) {
    if (c == static_cast<unsigned char>(quote) || c == '\\') {
        return std::string("\\") + static_cast<char>(c);
    }
    if (c == '\n') return "\\n";
    if (c == '\r') return "\\r";
    if (c == '\t') return "\\t";
    if (isPrintable(c)) return {};
    if (c < 0x100) return hexEscape("\\x", c, 2);
    if (c < 0x10000) return hexEscape("\\u", c, 4);
    return hexEscape("\\U", c, 8);
}

std::string jsonEscape(char32_t c, bool ensureAscii) {
    switch (c) {
        case '"':
            return "\\\"";
        case '\\':
            return "\\\\";
        case '\n':
            return "\\n";
        case '\r':
            return "\\r";
        case '\t':
            return "\\t";
        case '\b':
            return "\\b";
        case '\f':
            return "\\f";
        default:
            break;
    }
    if (c < 0x20) return hexEscape("\\u", c, 4);
    if (!ensureAscii || c < 0x7F) return {};
    if (c < 0x10000) return hexEscape("\\u", c, 4);
    const char32_t above = c - 0x10000;
    return hexEscape("\\u", 0xD800 + (above >> 10), 4) +
           hexEscape("\\u", 0xDC00 + (above & 0x3FF), 4);
}

// Copies `text`, replacing the characters for which `escape` gives something.
template <class Escape>
void addEscaped(TextBuilder& builder, const Text& text, Escape escape) {
    std::size_t from = 0;
    for (std::size_t at = 0; at < text.bytes().size();) {
        const std::size_t begin = at;
        const std::string escaped = escape(nextCharacter(text.bytes(), at));
        if (escaped.empty()) continue;
        builder.add(text, from, begin);
        builder.add(escaped, text.markAt(begin));
        from = at;
    }
    builder.add(text, from, text.bytes().size());
}

void addTextRepr(TextBuilder& builder, const Text& text) {
    const bool hasSingle = text.bytes().find('\'') != std::string_view::npos;
    const bool hasDouble = text.bytes().find('"') != std::string_view::npos;
    const char quote = hasSingle && !hasDouble ? '"' : '\'';
    const std::string mark(1, quote);
    if (text.isMarkup()) builder.add("Markup(", Mark::Template);
    builder.add(mark, Mark::Template);
    addEscaped(builder, text, [quote](char32_t c) { return reprEscape(c, quote); });
    builder.add(mark, Mark::Template);
    if (text.isMarkup()) builder.add(")", Mark::Template);
}

void addItems(TextBuilder& builder, const std::vector<Value>& items, Budget& budget) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0) builder.add(", ", Mark::Template);
        addRepr(builder, items[i], budget);
    }
}

void addSequenceRepr(TextBuilder& builder, const Sequence& sequence, Budget& budget) {
    const auto framed = [&](const char* open, const char* close) {
        builder.add(open, Mark::Template);
        addItems(builder, sequence.items(), budget);
        builder.add(close, Mark::Template);
    };
    switch (sequence.kind()) {
        case SequenceKind::List:
            return framed("[", "]");
        case SequenceKind::Tuple:
            return framed("(", sequence.items().size() == 1 ? ",)" : ")");
        case SequenceKind::Keys:
            return framed("dict_keys([", "])");
        case SequenceKind::Values:
            return framed("dict_values([", "])");
        case SequenceKind::Items:
            return framed("dict_items([", "])");
        case SequenceKind::Range:
        case SequenceKind::Generator:
            break;
    }
    fail(FailureKind::Unsupported, "Printing a range or generator is not supported.");
}

void addDictRepr(TextBuilder& builder, const Dict& dict, Budget& budget) {
    builder.add("{", Mark::Template);
    bool isFirst = true;
    for (const auto& [key, value] : dict.entries()) {
        if (!isFirst) builder.add(", ", Mark::Template);
        isFirst = false;
        addRepr(builder, key, budget);
        builder.add(": ", Mark::Template);
        addRepr(builder, value, budget);
    }
    builder.add("}", Mark::Template);
}

class JsonWriter {
 public:
    JsonWriter(TextBuilder& builder, const JsonStyle& style, Budget& budget)
        : m_builder(builder), m_style(style), m_budget(budget) {}

    void add(const Value& value) {
        m_budget.step();
        if (value.isNone()) {
            m_builder.add("null", value.mark());
        } else if (const bool* flag = value.asBool()) {
            m_builder.add(*flag ? "true" : "false", value.mark());
        } else if (const Integer* number = value.asInteger()) {
            m_builder.add(toText(*number), value.mark());
        } else if (const double* real = value.asDouble()) {
            m_builder.add(realText(*real), value.mark());
        } else if (const Text* text = value.asText()) {
            addString(*text);
        } else if (const Dict* dict = value.asDict()) {
            addDict(*dict);
        } else if (value.asSequence() != nullptr &&
                   value.asSequence()->kind() <= SequenceKind::Tuple) {
            addList(value.asSequence()->items());
        } else {
            failRuntime(std::string("A value of type ") + typeName(value) +
                        " cannot be written as JSON.");
        }
    }

 private:
    static std::string realText(double real) {
        if (std::isnan(real)) return "NaN";
        if (std::isinf(real)) return real > 0 ? "Infinity" : "-Infinity";
        return toText(real);
    }

    void addString(const Text& text) {
        m_builder.add("\"", Mark::Template);
        addEscaped(m_builder, text,
                   [this](char32_t c) { return jsonEscape(c, m_style.ensureAscii); });
        m_builder.add("\"", Mark::Template);
    }

    void newLine() {
        if (!m_style.indent) return;
        m_builder.add("\n", Mark::Template);
        for (std::size_t i = 0; i < m_level; ++i)
            m_builder.add(*m_style.indent, Mark::Template);
    }

    void separate(bool isFirst) {
        if (!isFirst) m_builder.add(m_style.itemSeparator, Mark::Template);
        newLine();
    }

    void addList(const std::vector<Value>& items) {
        m_builder.add("[", Mark::Template);
        ++m_level;
        for (std::size_t i = 0; i < items.size(); ++i) {
            separate(i == 0);
            add(items[i]);
        }
        --m_level;
        if (!items.empty()) newLine();
        m_builder.add("]", Mark::Template);
    }

    void addKey(const Value& key) {
        if (const Text* text = key.asText()) return addString(*text);
        if (key.asSequence() != nullptr || key.asDict() != nullptr || key.isUndefined()) {
            failRuntime(std::string("A key of type ") + typeName(key) +
                        " cannot be written as JSON.");
        }
        m_builder.add("\"", Mark::Template);
        add(key);
        m_builder.add("\"", Mark::Template);
    }

    void addDict(const Dict& dict) {
        std::vector<const Dict::Entry*> entries;
        for (const auto& entry : dict.entries())
            entries.push_back(&entry);
        if (m_style.sortKeys) {
            std::stable_sort(entries.begin(), entries.end(), [this](const auto* a, const auto* b) {
                return compare(a->first, b->first, "<", m_budget) < 0;
            });
        }
        m_builder.add("{", Mark::Template);
        ++m_level;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            separate(i == 0);
            addKey(entries[i]->first);
            m_builder.add(m_style.keySeparator, Mark::Template);
            add(entries[i]->second);
        }
        --m_level;
        if (!entries.empty()) newLine();
        m_builder.add("}", Mark::Template);
    }

    TextBuilder& m_builder;
    const JsonStyle& m_style;
    Budget& m_budget;
    std::size_t m_level = 0;
};

}  // namespace

std::string toText(Integer number) {
    if (number == 0) return "0";
    __extension__ typedef unsigned __int128 Wide;
    // The magnitude of the smallest Integer does not fit Integer.
    Wide rest = number < 0 ? Wide{0} - static_cast<Wide>(number) : static_cast<Wide>(number);
    std::string digits;
    for (; rest > 0; rest /= 10)
        digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    if (number < 0) digits += '-';
    std::reverse(digits.begin(), digits.end());
    return digits;
}

std::string toText(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
    std::array<char, 40> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                   std::chars_format::scientific);
    std::string digits(buffer.data(), end.ptr);
    const std::size_t e = digits.find('e');
    const int exponent = std::stoi(digits.substr(e + 1));
    if (exponent < -4 || exponent >= 16) return digits;  // "1e+16", "1.5e-05", as Python writes it
    const auto fixed = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                     std::chars_format::fixed);
    std::string text(buffer.data(), fixed.ptr);
    if (text.find('.') == std::string::npos) text += ".0";
    return text;
}

void addPrinted(TextBuilder& builder, const Value& value, Budget& budget) {
    if (const Text* text = value.asText()) {
        builder.add(*text);
    } else if (!value.isUndefined()) {
        addRepr(builder, value, budget);
    }
}

TextPtr printed(const Value& value, Budget& budget) {
    if (value.asText() != nullptr) return value.textPtr();
    TextBuilder builder(budget);
    addPrinted(builder, value, budget);
    return builder.finish();
}

void addRepr(TextBuilder& builder, const Value& value, Budget& budget) {
    budget.step();
    if (const Text* text = value.asText()) return addTextRepr(builder, *text);
    if (const Sequence* sequence = value.asSequence()) {
        return addSequenceRepr(builder, *sequence, budget);
    }
    if (const Dict* dict = value.asDict()) return addDictRepr(builder, *dict, budget);
    if (value.isUndefined()) {
        builder.add("Undefined", Mark::Template);
    } else if (value.isNone()) {
        builder.add("None", value.mark());
    } else if (const bool* flag = value.asBool()) {
        builder.add(*flag ? "True" : "False", value.mark());
    } else if (const Integer* number = value.asInteger()) {
        builder.add(toText(*number), value.mark());
    } else if (const double* real = value.asDouble()) {
        builder.add(toText(*real), value.mark());
    } else {
        fail(FailureKind::Unsupported,
             std::string("Printing a ") + typeName(value) + " is not supported.");
    }
}

TextPtr toJsonText(const Value& value, const JsonStyle& style, Budget& budget) {
    TextBuilder builder(budget);
    JsonWriter(builder, style, budget).add(value);
    return builder.finish();
}

}  // namespace agens::text
