// SPDX-License-Identifier: Apache-2.0
// Methods of texts: those of Python's str that return a value and reach nothing else.
#include <unicode/uchar.h>

#include <algorithm>
#include <utility>

#include "engine/text/template/failure.h"
#include "engine/text/template/interpreter.h"
#include "engine/text/template/library_tables.h"
#include "engine/text/template/operators.h"
#include "engine/text/template/python_text.h"
#include "engine/text/utf8.h"

namespace agens::text {
namespace {

const Text& self(const Value& subject) {
    return *subject.asText();
}

template <CaseChange Change>
Value methodCase(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("The method", {});
    return withCase(self(subject), Change, i.budget());
}

template <Side Ends>
Value methodStrip(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("strip", {"chars"});
    const Value* set = arguments.get(0, "chars");
    const Text* characters =
        set == nullptr || set->isNone() ? nullptr : &needText(*set, "The characters to strip");
    return trimmed(self(subject), characters, Ends, i.budget());
}

Value part(const Text& text, std::size_t from, std::size_t to, Budget& budget) {
    return TextBuilder(budget).add(text, from, to).finish();
}

using Pieces = std::vector<std::pair<std::size_t, std::size_t>>;  // [begin, end) each

// Pieces between separators, at most `most` cuts (-1: all).
Pieces splitAt(std::string_view text, std::string_view separator, std::int64_t most) {
    Pieces pieces;
    std::size_t begin = 0;
    for (; most != 0; --most) {
        const std::size_t found = findText(text, separator, begin);
        if (found == std::string_view::npos) break;
        pieces.emplace_back(begin, found);
        begin = found + separator.size();
    }
    pieces.emplace_back(begin, text.size());
    return pieces;
}

std::string reversed(std::string_view text) {
    return {text.rbegin(), text.rend()};
}

// The same with the cuts counted from the right: cut the mirror image, so that it stays linear.
Pieces splitAtFromRight(std::string_view text, std::string_view separator, std::int64_t most) {
    Pieces pieces = splitAt(reversed(text), reversed(separator), most);
    std::reverse(pieces.begin(), pieces.end());
    for (auto& [begin, end] : pieces) {
        begin = std::exchange(end, text.size() - begin);
        begin = text.size() - begin;
    }
    return pieces;
}

std::size_t findLast(std::string_view text, std::string_view wanted) {
    const std::size_t found = findText(reversed(text), reversed(wanted));
    return found == std::string_view::npos ? found : text.size() - found - wanted.size();
}

bool isBlankAt(std::string_view text, std::size_t at) {
    const char32_t c = nextCharacter(text, at);
    return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0 || (c >= 0x1C && c <= 0x1F);
}

// Words between runs of white space; with `most` the rest stays one piece.
Pieces words(std::string_view text, std::int64_t most) {
    Pieces pieces;
    std::size_t at = 0;
    const auto skip = [&](bool blank) {
        while (at < text.size() && isBlankAt(text, at) == blank)
            nextCharacter(text, at);
    };
    for (skip(true); at < text.size(); skip(true)) {
        const std::size_t begin = at;
        if (most-- == 0) {
            std::size_t end = text.size();
            while (end > begin &&
                   (text[end - 1] == ' ' || (text[end - 1] >= '\t' && text[end - 1] <= '\r'))) {
                --end;
            }
            pieces.emplace_back(begin, end);
            break;
        }
        skip(false);
        pieces.emplace_back(begin, at);
    }
    return pieces;
}

template <bool FromRight>
Value methodSplit(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("split", {"sep", "maxsplit"});
    const Value* separator = arguments.get(0, "sep");
    const Value* limit = arguments.get(1, "maxsplit");
    const std::int64_t most = limit == nullptr ? -1 : needCount(*limit, "maxsplit");
    const Text& text = self(subject);
    i.budget().moveText(text.bytes().size());
    Pieces pieces;
    if (separator == nullptr || separator->isNone()) {
        if (FromRight && most >= 0) failUnsupported("rsplit at white space with a limit");
        pieces = words(text.bytes(), most);
    } else {
        const Text& mark = needText(*separator, "The separator");
        if (mark.bytes().empty()) failRuntime("The separator of split is empty.");
        pieces = FromRight ? splitAtFromRight(text.bytes(), mark.bytes(), most)
                           : splitAt(text.bytes(), mark.bytes(), most);
    }
    std::vector<Value> parts;
    for (const auto& [begin, end] : pieces)
        parts.push_back(part(text, begin, end, i.budget()));
    return list(std::move(parts), i.budget());
}

Value methodSplitLines(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("splitlines", {"keepends"});
    const Value* keep = arguments.get(0, "keepends");
    const bool keepsEnds = keep != nullptr && isTrue(*keep);
    const Text& text = self(subject);
    std::vector<Value> lines;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.bytes().size();) {
        const std::size_t lineEnd = at;
        const char32_t c = nextCharacter(text.bytes(), at);
        const bool isEnd = (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 ||
                           c == 0x2028 || c == 0x2029;
        if (!isEnd) continue;
        if (c == '\r' && at < text.bytes().size() && text.bytes()[at] == '\n') ++at;
        lines.push_back(part(text, begin, keepsEnds ? at : lineEnd, i.budget()));
        begin = at;
    }
    if (begin < text.bytes().size()) {
        lines.push_back(part(text, begin, text.bytes().size(), i.budget()));
    }
    return list(std::move(lines), i.budget());
}

template <bool AtStart>
Value methodAffix(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("startswith", {"prefix"});
    const Value& wanted = arguments.need("startswith", 0, "prefix");
    const std::string_view text = self(subject).bytes();
    const auto matches = [&](const Value& affix) {
        const std::string_view bytes = needText(affix, "A prefix or suffix").bytes();
        i.budget().moveText(bytes.size());
        return AtStart ? text.starts_with(bytes) : text.ends_with(bytes);
    };
    const Sequence* several = wanted.asSequence();
    if (several == nullptr) return Value::boolean(matches(wanted));
    return Value::boolean(std::any_of(several->items().begin(), several->items().end(), matches));
}

Value methodReplace(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("replace", {"old", "new", "count"});
    const Value* count = arguments.get(2, "count");
    return replacedText(
        self(subject), needText(arguments.need("replace", 0, "old"), "What to replace"),
        needText(arguments.need("replace", 1, "new"), "The replacement"),
        count == nullptr ? -1 : needCount(*count, "The count of replace"), i.budget());
}

enum class Missing { MinusOne, Fails };

template <bool FromRight, Missing IfMissing>
Value methodFind(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("find", {"sub"});
    const std::string_view text = self(subject).bytes();
    const std::string_view wanted =
        needText(arguments.need("find", 0, "sub"), "What to find").bytes();
    i.budget().moveText(text.size());
    const std::size_t found = FromRight ? findLast(text, wanted) : findText(text, wanted);
    if (found != std::string_view::npos) {
        return Value::integer(static_cast<Integer>(characterCount(text.substr(0, found))));
    }
    if (IfMissing == Missing::Fails) failRuntime("The text does not hold what index looks for.");
    return Value::integer(-1);
}

Value methodCount(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("count", {"sub"});
    const std::string_view text = self(subject).bytes();
    const std::string_view wanted =
        needText(arguments.need("count", 0, "sub"), "What to count").bytes();
    if (wanted.empty()) return Value::integer(static_cast<Integer>(characterCount(text)) + 1);
    Integer count = 0;
    i.budget().moveText(text.size());
    for (std::size_t at = findText(text, wanted); at != std::string_view::npos;
         at = findText(text, wanted, at + wanted.size())) {
        ++count;
    }
    return Value::integer(count);
}

Value methodJoin(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("join", {"iterable"});
    TextBuilder builder(i.budget());
    bool isFirst = true;
    for (const Value& item : itemsOf(arguments.need("join", 0, "iterable"), i.budget())) {
        if (!isFirst) builder.add(self(subject));
        isFirst = false;
        builder.add(needText(item, "An item to join"));
    }
    return builder.finish();
}

template <Align Where>
Value methodPad(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("center", {"width", "fillchar"});
    const Value* fill = arguments.get(1, "fillchar");
    const std::string_view character =
        fill == nullptr ? " " : needText(*fill, "The fill character").bytes();
    if (characterCount(character) != 1) failRuntime("The fill character is one character.");
    return padded(self(subject), needCount(arguments.need("center", 0, "width"), "The width"),
                  character, Where, i.budget());
}

Value methodZeroFill(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("zfill", {"width"});
    const Text& text = self(subject);
    const std::int64_t width = needCount(arguments.need("zfill", 0, "width"), "The width");
    const std::size_t signs =
        text.bytes().starts_with('-') || text.bytes().starts_with('+') ? 1 : 0;
    const std::int64_t missing = width - static_cast<std::int64_t>(characterCount(text.bytes()));
    return TextBuilder(i.budget())
        .add(text, 0, signs)
        .addRepeated('0', static_cast<std::size_t>(std::max<std::int64_t>(missing, 0)),
                     Mark::Template)
        .add(text, signs, text.bytes().size())
        .finish();
}

// All characters fulfil `belongs`, and there is one.
template <class Belongs>
Value allCharacters(const Value& subject, Arguments& arguments, Belongs belongs) {
    arguments.expect("The method", {});
    const std::string_view text = self(subject).bytes();
    for (std::size_t at = 0; at < text.size();) {
        if (!belongs(static_cast<UChar32>(nextCharacter(text, at)))) return Value::boolean(false);
    }
    return Value::boolean(!text.empty());
}
Value methodIsAlpha(Interpreter&, const Value& subject, Arguments& arguments) {
    return allCharacters(subject, arguments,
                         [](UChar32 c) { return (U_GET_GC_MASK(c) & U_GC_L_MASK) != 0; });
}
Value methodIsDigit(Interpreter&, const Value& subject, Arguments& arguments) {
    return allCharacters(subject, arguments, [](UChar32 c) {
        const auto kind = static_cast<UNumericType>(u_getIntPropertyValue(c, UCHAR_NUMERIC_TYPE));
        return kind == U_NT_DECIMAL || kind == U_NT_DIGIT;
    });
}
Value methodIsAlnum(Interpreter&, const Value& subject, Arguments& arguments) {
    return allCharacters(subject, arguments, [](UChar32 c) {
        return (U_GET_GC_MASK(c) & U_GC_L_MASK) != 0 ||
               u_getIntPropertyValue(c, UCHAR_NUMERIC_TYPE) != U_NT_NONE;
    });
}
Value methodIsSpace(Interpreter&, const Value& subject, Arguments& arguments) {
    return allCharacters(subject, arguments, [](UChar32 c) {
        return u_isUWhiteSpace(c) != 0 || (c >= 0x1C && c <= 0x1F);
    });
}
template <CaseChange Change>
Value methodHasCase(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("The method", {});
    Arguments none;
    return Value::boolean(
        i.applyTest(Change == CaseChange::Upper ? "upper" : "lower", subject, none));
}

template <bool FromRight>
Value methodPartition(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("partition", {"sep"});
    const Text& text = self(subject);
    const Text& separator = needText(arguments.need("partition", 0, "sep"), "The separator");
    if (separator.bytes().empty()) failRuntime("The separator of partition is empty.");
    const std::size_t size = text.bytes().size();
    const std::size_t found = FromRight ? findLast(text.bytes(), separator.bytes())
                                        : findText(text.bytes(), separator.bytes());
    const bool exists = found != std::string_view::npos;
    const std::size_t begin = exists ? found : FromRight ? 0 : size;
    const std::size_t end = exists ? found + separator.bytes().size() : begin;
    return tuple({part(text, 0, begin, i.budget()), part(text, begin, end, i.budget()),
                  part(text, end, size, i.budget())},
                 i.budget());
}

template <bool Prefix>
Value methodRemoveAffix(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("removeprefix", {"affix"});
    const Text& text = self(subject);
    const std::string_view affix =
        needText(arguments.need("removeprefix", 0, "affix"), "A prefix or suffix").bytes();
    const std::size_t size = text.bytes().size();
    if (Prefix && text.bytes().starts_with(affix))
        return part(text, affix.size(), size, i.budget());
    if (!Prefix && text.bytes().ends_with(affix)) {
        return part(text, 0, size - affix.size(), i.budget());
    }
    return subject;
}

Value methodUnsupported(Interpreter&, const Value&, Arguments&) {
    failUnsupported("This method of a text");
}

constexpr Method kMethods[] = {
    {"capitalize", methodCase<CaseChange::Capitalize>},
    {"casefold", methodCase<CaseChange::Fold>},
    {"center", methodPad<Align::Center>},
    {"count", methodCount},
    {"encode", methodUnsupported},
    {"endswith", methodAffix<false>},
    {"expandtabs", methodUnsupported},
    {"find", methodFind<false, Missing::MinusOne>},
    {"format", methodUnsupported},
    {"format_map", methodUnsupported},
    {"index", methodFind<false, Missing::Fails>},
    {"isalnum", methodIsAlnum},
    {"isalpha", methodIsAlpha},
    {"isdigit", methodIsDigit},
    {"islower", methodHasCase<CaseChange::Lower>},
    {"isspace", methodIsSpace},
    {"isupper", methodHasCase<CaseChange::Upper>},
    {"join", methodJoin},
    {"ljust", methodPad<Align::Left>},
    {"lower", methodCase<CaseChange::Lower>},
    {"lstrip", methodStrip<Side::Left>},
    {"partition", methodPartition<false>},
    {"removeprefix", methodRemoveAffix<true>},
    {"removesuffix", methodRemoveAffix<false>},
    {"replace", methodReplace},
    {"rfind", methodFind<true, Missing::MinusOne>},
    {"rindex", methodFind<true, Missing::Fails>},
    {"rjust", methodPad<Align::Right>},
    {"rpartition", methodPartition<true>},
    {"rsplit", methodSplit<true>},
    {"rstrip", methodStrip<Side::Right>},
    {"split", methodSplit<false>},
    {"splitlines", methodSplitLines},
    {"startswith", methodAffix<true>},
    {"strip", methodStrip<Side::Both>},
    {"swapcase", methodCase<CaseChange::Swap>},
    {"title", methodCase<CaseChange::Title>},
    {"translate", methodUnsupported},
    {"upper", methodCase<CaseChange::Upper>},
    {"zfill", methodZeroFill},
};

}  // namespace

std::span<const Method> textMethods() {
    return kMethods;
}

}  // namespace agens::text
