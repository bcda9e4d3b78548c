// SPDX-License-Identifier: Apache-2.0
// The scanners. Names of the helpers follow the alternatives of the patterns in models-text 1.3.
#include "engine/text/pretokenize.h"

#include <array>
#include <string>

#include "engine/text/unicode_table.h"
#include "engine/text/utf8.h"

namespace agens::text {
namespace {

constexpr std::size_t kNone = std::string_view::npos;  // the alternative does not match

constexpr std::array<CharClass, 128> makeAsciiClasses() {
    std::array<CharClass, 128> classes{};
    for (unsigned c = 0; c < 128; ++c) {
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) classes[c] = CharClass::Letter;
        if (c >= '0' && c <= '9') classes[c] = CharClass::Number;
        if (isSpace(c)) classes[c] = CharClass::Space;
    }
    return classes;
}
constexpr std::array<CharClass, 128> kAsciiClasses = makeAsciiClasses();

struct Char {
    CharClass kind;
    std::size_t end;  // place behind it
};

inline Char charAt(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 128) return {kAsciiClasses[first], at + 1};
    const char32_t c = nextCharacter(text, at);
    return {classOf(c), at};
}

// End of the run of characters from `at` for which `belongs` holds.
template <class Belongs>
inline std::size_t endOfRun(std::string_view text, std::size_t at, Belongs belongs) {
    while (at < text.size()) {
        const Char next = charAt(text, at);
        if (!belongs(next.kind)) break;
        at = next.end;
    }
    return at;
}

inline bool isNewline(char c) {
    return c == '\r' || c == '\n';
}

// 's 't 're 've 'm 'll 'd
std::size_t contraction(std::string_view text, std::size_t from, bool foldCase) {
    if (text[from] != '\'') return kNone;
    const auto letter = [&](std::size_t at) -> char {
        if (at >= text.size()) return '\0';
        const char c = text[at];
        return foldCase && c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    };
    const char first = letter(from + 1);
    const char second = letter(from + 2);
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return from + 2;
    if ((first == 'r' && second == 'e') || (first == 'v' && second == 'e') ||
        (first == 'l' && second == 'l')) {
        return from + 3;
    }
    // U+017F (long s) folds to s.
    if (foldCase && text.substr(from + 1, 2) == "\xC5\xBF") return from + 3;
    return kNone;
}

// \s+(?!\S)|\s+ : all white space, but the last character of it is left to a word that follows.
std::size_t whiteSpace(std::string_view text, std::size_t from) {
    std::size_t lastBegin = from;
    std::size_t end = from;
    while (end < text.size()) {
        const Char next = charAt(text, end);
        if (next.kind != CharClass::Space) break;
        lastBegin = end;
        end = next.end;
    }
    return end == text.size() || lastBegin == from ? end : lastBegin;
}

std::size_t gpt2(std::string_view text, std::size_t from) {
    if (const std::size_t end = contraction(text, from, false); end != kNone) return end;
    // " ?X+" for letters, numbers, others: the character behind the optional space decides.
    Char lead = charAt(text, from);
    if (text[from] == ' ' && lead.end < text.size()) {
        const Char behind = charAt(text, lead.end);
        if (behind.kind != CharClass::Space) lead = behind;
    }
    if (lead.kind == CharClass::Space) return whiteSpace(text, from);
    if (lead.kind == CharClass::Letter || lead.kind == CharClass::Number) {
        return endOfRun(text, lead.end, [&](CharClass kind) { return kind == lead.kind; });
    }
    return endOfRun(text, lead.end, [](CharClass kind) {
        return kind == CharClass::Other || kind == CharClass::Mark;
    });
}

std::size_t smolLm(std::string_view text, std::size_t from) {
    const Char first = charAt(text, from);
    if (first.kind == CharClass::Number) return first.end;
    // Numbers were split off before, so a number ends the text as gpt2 sees it. That matters only
    // for white space, which is the only alternative that looks ahead.
    if (first.kind != CharClass::Space) return gpt2(text, from);
    const std::size_t end = endOfRun(text, from, [](CharClass k) { return k == CharClass::Space; });
    if (end < text.size() && charAt(text, end).kind == CharClass::Number) return end;
    return gpt2(text, from);
}

struct LetterRules {
    std::size_t numbersAtOnce;
    bool marksAreLetters;
};

inline bool isLetter(CharClass kind, LetterRules rules) {
    return kind == CharClass::Letter || (rules.marksAreLetters && kind == CharClass::Mark);
}

inline bool isOther(CharClass kind, LetterRules rules) {
    return kind == CharClass::Other || (!rules.marksAreLetters && kind == CharClass::Mark);
}

// [^\r\n\p{L}\p{N}]?\p{L}+
std::size_t letters(std::string_view text, std::size_t from, const Char& first, LetterRules rules) {
    const auto run = [&](std::size_t at) {
        return endOfRun(text, at, [&](CharClass kind) { return isLetter(kind, rules); });
    };
    const bool canLead = first.kind != CharClass::Letter && first.kind != CharClass::Number &&
                         !isNewline(text[from]);
    if (canLead && first.end < text.size() && isLetter(charAt(text, first.end).kind, rules)) {
        return run(first.end);
    }
    return isLetter(first.kind, rules) ? run(first.end) : kNone;
}

// \p{N}{1,n}
std::size_t numbers(std::string_view text, std::size_t from, LetterRules rules) {
    std::size_t end = from;
    for (std::size_t i = 0; i < rules.numbersAtOnce && end < text.size(); ++i) {
        const Char next = charAt(text, end);
        if (next.kind != CharClass::Number) break;
        end = next.end;
    }
    return end;
}

// " ?[^\s\p{L}\p{N}]+[\r\n]*"
std::size_t others(std::string_view text, std::size_t from, LetterRules rules) {
    const auto run = [&](std::size_t at) {
        return endOfRun(text, at, [&](CharClass kind) { return isOther(kind, rules); });
    };
    std::size_t end = run(from);
    if (end == from && text[from] == ' ') {
        end = run(from + 1);
        if (end == from + 1) return kNone;
    }
    if (end == from) return kNone;
    while (end < text.size() && isNewline(text[end]))
        ++end;
    return end;
}

// \s*[\r\n]+|\s+(?!\S)|\s+ : up to the last newline of the white space if it has one.
std::size_t linesOrSpace(std::string_view text, std::size_t from) {
    std::size_t lastNewlineEnd = kNone;
    std::size_t at = from;
    while (at < text.size()) {
        const Char next = charAt(text, at);
        if (next.kind != CharClass::Space) break;
        if (isNewline(text[at])) lastNewlineEnd = next.end;
        at = next.end;
    }
    return lastNewlineEnd != kNone ? lastNewlineEnd : whiteSpace(text, from);
}

std::size_t llama3(std::string_view text, std::size_t from, LetterRules rules) {
    if (const std::size_t end = contraction(text, from, true); end != kNone) return end;
    const Char first = charAt(text, from);
    if (const std::size_t end = letters(text, from, first, rules); end != kNone) return end;
    if (first.kind == CharClass::Number) return numbers(text, from, rules);
    if (const std::size_t end = others(text, from, rules); end != kNone) return end;
    return linesOrSpace(text, from);
}

}  // namespace

std::optional<PreTokenizer> preTokenizerNamed(std::string_view name) {
    if (name == "gpt-2") return PreTokenizer::Gpt2;
    if (name == "smollm") return PreTokenizer::SmolLm;
    if (name == "llama-bpe" || name == "llama3" || name == "llama-v3" || name == "falcon3" ||
        name == "lfm2") {
        return PreTokenizer::Llama3;
    }
    if (name == "qwen2" || name == "deepseek-r1-qwen") return PreTokenizer::Qwen2;
    if (name == "qwen35") return PreTokenizer::Qwen35;
    return std::nullopt;
}

std::size_t endOfPreToken(PreTokenizer kind, std::string_view text, std::size_t from) {
    switch (kind) {
        case PreTokenizer::Gpt2:
            return gpt2(text, from);
        case PreTokenizer::SmolLm:
            return smolLm(text, from);
        case PreTokenizer::Llama3:
            return llama3(text, from, {3, false});
        case PreTokenizer::Qwen2:
            return llama3(text, from, {1, false});
        case PreTokenizer::Qwen35:
            return llama3(text, from, {1, true});
    }
    return text.size();
}

}  // namespace agens::text
