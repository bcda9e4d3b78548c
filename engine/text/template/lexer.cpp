// SPDX-License-Identifier: Apache-2.0
#include "engine/text/template/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/text/template/failure.h"
#include "engine/text/utf8.h"

namespace agens::text {
namespace {

bool isBlank(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isNameByte(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
}

std::string normalisedSource(std::string_view source) {
    std::string text;
    text.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] == '\r') {
            text += '\n';
            if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
        } else {
            text += source[i];
        }
    }
    if (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

class Lexer {
 public:
    explicit Lexer(std::string_view source) : m_source(normalisedSource(source)) {}

    std::vector<Token> run() {
        while (m_at < m_source.size())
            lexRoot();
        push(TokenType::End, "");
        return std::move(m_tokens);
    }

 private:
    std::string_view rest() const { return std::string_view(m_source).substr(m_at); }
    bool startsWith(std::string_view text) const { return rest().starts_with(text); }

    void advance(std::size_t count) {
        const auto begin = m_source.begin() + static_cast<std::ptrdiff_t>(m_at);
        m_line += static_cast<std::uint32_t>(
            std::count(begin, begin + static_cast<std::ptrdiff_t>(count), '\n'));
        m_at += count;
    }

    void push(TokenType type, std::string value) {
        m_tokens.push_back({type, std::move(value), m_line});
    }

    [[noreturn]] void failSyntax(const std::string& what) const {
        fail(FailureKind::Syntax, what, m_line);
    }

    // Data up to the next tag, then the tag.
    void lexRoot() {
        std::size_t tag = m_at;
        for (;; ++tag) {
            tag = m_source.find('{', tag);
            if (tag == std::string::npos || tag + 1 == m_source.size()) {
                return pushData(rest(), '\0', false);
            }
            const char kind = m_source[tag + 1];
            if (kind == '{' || kind == '%' || kind == '#') break;
        }
        const char kind = m_source[tag + 1];
        const char sign = tag + 2 < m_source.size() ? m_source[tag + 2] : '\0';
        pushData(std::string_view(m_source).substr(m_at, tag - m_at), sign, kind != '{');
        advance(2 + (sign == '-' || sign == '+' ? 1 : 0));
        m_lineStarts = false;
        if (kind == '#') return skipComment();
        if (kind == '{') return lexTag(TokenType::VariableBegin, TokenType::VariableEnd, "}}");
        if (!lexRaw()) lexTag(TokenType::BlockBegin, TokenType::BlockEnd, "%}");
    }

    // `sign`: of the tag that follows; `strips`: it is a block or comment.
    void pushData(std::string_view data, char sign, bool strips) {
        std::size_t keep = data.size();
        if (sign == '-') {
            while (keep > 0 && isBlank(data[keep - 1]))
                --keep;
        } else if (sign != '+' && strips) {
            const std::size_t newline = data.rfind('\n');
            const std::size_t lineBegin = newline == std::string_view::npos ? 0 : newline + 1;
            const bool isWholeLine = lineBegin > 0 || m_lineStarts;
            if (isWholeLine && std::all_of(data.begin() + static_cast<std::ptrdiff_t>(lineBegin),
                                           data.end(), isBlank)) {
                keep = lineBegin;
            }
        }
        if (keep > 0) push(TokenType::Data, std::string(data.substr(0, keep)));
        advance(data.size());
    }

    // Behind the closing "%}" or "#}": signs and the newline that goes with it.
    void afterClosing(char sign) {
        if (sign == '-') {
            skipBlanks();
        } else if (sign != '+' && startsWith("\n")) {
            advance(1);
        }
        m_lineStarts = m_at > 0 && m_source[m_at - 1] == '\n';
    }

    void skipBlanks() {
        while (m_at < m_source.size() && isBlank(m_source[m_at]))
            advance(1);
    }

    void skipComment() {
        const std::size_t end = m_source.find("#}", m_at);
        if (end == std::string::npos) failSyntax("Missing end of comment tag.");
        const char sign = end > m_at ? m_source[end - 1] : '\0';
        advance(end + 2 - m_at);
        afterClosing(sign);
    }

    // Behind "{%": a raw block as one piece of data. False: another block.
    bool lexRaw() {
        std::size_t at = skipBlanksFrom(m_at);
        if (m_source.compare(at, 3, "raw") != 0) return false;
        at = skipBlanksFrom(at + 3);
        const bool trims = m_source.compare(at, 3, "-%}") == 0;
        if (!trims && m_source.compare(at, 2, "%}") != 0) return false;
        advance(at + (trims ? 3 : 2) - m_at);
        if (trims) skipBlanks();
        m_lineStarts = m_at > 0 && m_source[m_at - 1] == '\n';
        lexRawBody();
        return true;
    }

    void lexRawBody() {
        for (std::size_t tag = m_source.find("{%", m_at); tag != std::string::npos;
             tag = m_source.find("{%", tag + 1)) {
            std::size_t at = tag + 2;
            const char sign = at < m_source.size() ? m_source[at] : '\0';
            if (sign == '-' || sign == '+') ++at;
            at = skipBlanksFrom(at);
            if (m_source.compare(at, 6, "endraw") != 0) continue;
            at = skipBlanksFrom(at + 6);
            const char closing = at < m_source.size() ? m_source[at] : '\0';
            if (closing == '-' || closing == '+') ++at;
            if (m_source.compare(at, 2, "%}") != 0) continue;
            pushData(std::string_view(m_source).substr(m_at, tag - m_at), sign, true);
            advance(at + 2 - m_at);
            return afterClosing(closing);
        }
        failSyntax("Missing end of raw directive.");
    }

    std::size_t skipBlanksFrom(std::size_t at) const {
        while (at < m_source.size() && isBlank(m_source[at]))
            ++at;
        return at;
    }

    void lexTag(TokenType begin, TokenType end, std::string_view closing) {
        push(begin, "");
        std::string brackets;
        for (;;) {
            skipBlanks();
            if (m_at == m_source.size()) {
                failSyntax("Unexpected end of the template inside a tag.");
            }
            const char sign = m_source[m_at];
            const bool hasSign = sign == '-' || (sign == '+' && closing == "%}");
            const bool closes =
                startsWith(closing) || (hasSign && rest().substr(1).starts_with(closing));
            if (closes && brackets.empty()) {
                push(end, "");
                advance(closing.size() + (startsWith(closing) ? 0 : 1));
                if (closing == "%}") return afterClosing(sign);
                if (sign == '-') skipBlanks();
                m_lineStarts = m_at > 0 && m_source[m_at - 1] == '\n' && sign == '-';
                return;
            }
            lexExpressionToken(brackets);
        }
    }

    void lexExpressionToken(std::string& brackets) {
        const char c = m_source[m_at];
        if (isDigit(c)) return lexNumber();
        if (isNameByte(c)) return lexName();
        if (c == '"' || c == '\'') return lexString(c);
        lexOperator(brackets);
    }

    void lexName() {
        std::size_t end = m_at;
        while (end < m_source.size() && isNameByte(m_source[end]))
            ++end;
        push(TokenType::Name, m_source.substr(m_at, end - m_at));
        advance(end - m_at);
    }

    std::size_t endOfDigits(std::size_t at) const {
        while (at < m_source.size() &&
               (isDigit(m_source[at]) ||
                (m_source[at] == '_' && at + 1 < m_source.size() && isDigit(m_source[at + 1])))) {
            ++at;
        }
        return at;
    }

    void lexNumber() {
        if (lexBasedInteger()) return;
        const auto digitAt = [this](std::size_t at) {
            return at < m_source.size() && isDigit(m_source[at]);
        };
        const bool afterDot = m_at > 0 && m_source[m_at - 1] == '.';
        std::size_t end = endOfDigits(m_at);
        bool isFloat = false;
        if (!afterDot && end < m_source.size() && m_source[end] == '.' && digitAt(end + 1)) {
            end = endOfDigits(end + 1);
            isFloat = true;
        }
        if (!afterDot && end < m_source.size() && (m_source[end] == 'e' || m_source[end] == 'E')) {
            const bool hasSign =
                end + 1 < m_source.size() && (m_source[end + 1] == '+' || m_source[end + 1] == '-');
            const std::size_t digits = end + (hasSign ? 2 : 1);
            if (digitAt(digits)) {
                end = endOfDigits(digits);
                isFloat = true;
            }
        }
        std::string value = m_source.substr(m_at, end - m_at);
        value.erase(std::remove(value.begin(), value.end(), '_'), value.end());
        push(isFloat ? TokenType::RealNumber : TokenType::WholeNumber, std::move(value));
        advance(end - m_at);
    }

    bool lexBasedInteger() {
        if (m_source[m_at] != '0' || m_at + 2 >= m_source.size()) return false;
        const char base =
            static_cast<char>(std::tolower(static_cast<unsigned char>(m_source[m_at + 1])));
        if (base != 'x' && base != 'o' && base != 'b') return false;
        std::size_t end = m_at + 2;
        while (end < m_source.size() &&
               (std::isxdigit(static_cast<unsigned char>(m_source[end])) != 0 ||
                m_source[end] == '_')) {
            ++end;
        }
        std::string value = m_source.substr(m_at, end - m_at);
        value.erase(std::remove(value.begin(), value.end(), '_'), value.end());
        push(TokenType::WholeNumber, std::move(value));
        advance(end - m_at);
        return true;
    }

    void lexString(char quote) {
        std::size_t end = m_at + 1;
        while (end < m_source.size() && m_source[end] != quote)
            end += m_source[end] == '\\' ? 2U : 1U;
        if (end >= m_source.size()) {
            failSyntax(std::string("Unexpected character ") + quote + ": the text has no end.");
        }
        push(TokenType::String,
             resolved(std::string_view(m_source).substr(m_at + 1, end - m_at - 1)));
        advance(end + 1 - m_at);
    }

    // Python's escapes.
    std::string resolved(std::string_view raw) const {
        std::string text;
        for (std::size_t i = 0; i < raw.size(); ++i) {
            if (raw[i] != '\\' || i + 1 == raw.size()) {
                text += raw[i];
                continue;
            }
            i = addEscape(raw, i + 1, text);
        }
        return text;
    }

    // raw[i] follows a backslash; returns the place of the last character used.
    std::size_t addEscape(std::string_view raw, std::size_t i, std::string& text) const {
        constexpr std::string_view kLetters = "abfnrtv\\'\"";
        constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
        const char c = raw[i];
        if (const std::size_t known = kLetters.find(c); known != std::string_view::npos) {
            text += kMeanings[known];
        } else if (c == 'x' || c == 'u' || c == 'U') {
            const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 8;
            appendUtf8(text, codePoint(raw.substr(i + 1, digits), digits, 16));
            return i + digits;
        } else if (c >= '0' && c <= '7') {
            std::size_t digits = 1;
            while (digits < 3 && i + digits < raw.size() && raw[i + digits] >= '0' &&
                   raw[i + digits] <= '7') {
                ++digits;
            }
            appendUtf8(text, codePoint(raw.substr(i, digits), digits, 8));
            return i + digits - 1;
        } else if (c == 'N') {
            fail(FailureKind::Unsupported, "Named characters in texts are not supported.", m_line);
        } else if (c != '\n') {
            text += '\\';
            text += c;
        }
        return i;
    }

    char32_t codePoint(std::string_view digits, std::size_t count, int base) const {
        std::size_t used = 0;
        unsigned long value = 0x110000;
        const bool isNumber =
            digits.size() == count && std::all_of(digits.begin(), digits.end(), [](char c) {
                return std::isxdigit(static_cast<unsigned char>(c)) != 0;
            });
        if (isNumber) value = std::stoul(std::string(digits), &used, base);
        const bool isSurrogate = value >= 0xD800 && value <= 0xDFFF;
        if (value > 0x10FFFF || isSurrogate)
            failSyntax("A text holds an escape that is no character.");
        return static_cast<char32_t>(value);
    }

    void lexOperator(std::string& brackets) {
        constexpr std::array<std::string_view, 7> kLong = {
            "**", "//", "==", "!=", ">=", "<=", "=="};
        constexpr std::string_view kShort = "+-/*%~[](){}><=.:|,;";
        for (const std::string_view known : kLong) {
            if (!startsWith(known)) continue;
            push(TokenType::Operator, std::string(known));
            return advance(known.size());
        }
        const char c = m_source[m_at];
        if (kShort.find(c) == std::string_view::npos) {
            failSyntax(std::string("Unexpected character ") + c + ".");
        }
        matchBracket(c, brackets);
        push(TokenType::Operator, std::string(1, c));
        advance(1);
    }

    void matchBracket(char c, std::string& brackets) const {
        if (c == '(') brackets += ')';
        if (c == '[') brackets += ']';
        if (c == '{') brackets += '}';
        if (c != ')' && c != ']' && c != '}') return;
        if (brackets.empty() || brackets.back() != c) {
            failSyntax(std::string("Unexpected ") + c + ".");
        }
        brackets.pop_back();
    }

    std::string m_source;
    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    std::uint32_t m_line = 1;
    bool m_lineStarts = true;  // the data that follows begins a line
};

}  // namespace

std::vector<Token> tokenize(std::string_view source) {
    return Lexer(source).run();
}

std::string describe(const Token& token) {
    switch (token.type) {
        case TokenType::Data:
            return "text";
        case TokenType::BlockBegin:
            return "the begin of a block";
        case TokenType::BlockEnd:
            return "the end of the block";
        case TokenType::VariableBegin:
            return "the begin of an expression";
        case TokenType::VariableEnd:
            return "the end of the expression";
        case TokenType::String:
            return "a text";
        case TokenType::End:
            return "the end of the template";
        default:
            return "'" + token.value + "'";
    }
}

}  // namespace agens::text
