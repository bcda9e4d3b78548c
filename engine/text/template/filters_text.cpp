// SPDX-License-Identifier: Apache-2.0
// Filters on texts. Each prints its subject first, as the language has it: 5 | upper is "5".
#include <algorithm>

#include "engine/text/template/failure.h"
#include "engine/text/template/interpreter.h"
#include "engine/text/template/library_tables.h"
#include "engine/text/template/operators.h"
#include "engine/text/template/python_text.h"

namespace agens::text {
namespace {

template <CaseChange Change>
Value filterCase(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("The filter", {});
    return withCase(*textOf(i, subject), Change, i.budget());
}

Value filterTrim(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("trim", {"chars"});
    const Value* set = arguments.get(0, "chars");
    const Text* characters =
        set == nullptr || set->isNone() ? nullptr : &needText(*set, "The characters to trim");
    return trimmed(*textOf(i, subject), characters, Side::Both, i.budget());
}

Value filterReplace(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("replace", {"old", "new", "count"});
    const TextPtr old = textOf(i, arguments.need("replace", 0, "old"));
    const TextPtr by = textOf(i, arguments.need("replace", 1, "new"));
    const Value* count = arguments.get(2, "count");
    const std::int64_t most =
        count == nullptr || count->isNone() ? -1 : needCount(*count, "The count of replace");
    return replacedText(*textOf(i, subject), *old, *by, most, i.budget());
}

// Lines of `text` with the ends that splitlines() knows, as [begin, end) without the newline.
std::vector<std::pair<std::size_t, std::size_t>> linesOf(std::string_view text) {
    std::vector<std::pair<std::size_t, std::size_t>> lines;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\n' && text[at] != '\r') continue;
        lines.emplace_back(begin, at);
        if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') ++at;
        begin = at + 1;
    }
    if (begin < text.size()) lines.emplace_back(begin, text.size());
    return lines;
}

TextPtr indentation(const Value* width, Budget& budget) {
    if (width != nullptr && width->asText() != nullptr) return width->textPtr();
    const std::int64_t count = width == nullptr ? 4 : needCount(*width, "The width of indent");
    TextBuilder builder(budget);
    builder.addRepeated(' ', static_cast<std::size_t>(std::max<std::int64_t>(count, 0)),
                        Mark::Template);
    return builder.finish();
}

Value filterIndent(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("indent", {"width", "first", "blank"});
    const TextPtr text = textOf(i, subject);
    const TextPtr indent = indentation(arguments.get(0, "width"), i.budget());
    const Value* first = arguments.get(1, "first");
    const Value* blank = arguments.get(2, "blank");
    const bool indentsFirst = first != nullptr && isTrue(*first);
    const bool indentsBlank = blank != nullptr && isTrue(*blank);
    const auto lines = linesOf(text->bytes());
    TextBuilder builder(i.budget());
    for (std::size_t n = 0; n < lines.size(); ++n) {
        const auto [begin, end] = lines[n];
        if (n > 0) builder.add("\n", text->markAt(lines[n - 1].second));
        const bool isWanted = n == 0 ? indentsFirst : begin < end || indentsBlank;
        if (isWanted) builder.add(*indent);
        builder.add(*text, begin, end);
    }
    // A newline at the end begins an empty line, which is kept.
    const bool endsLine = !text->bytes().empty() && text->bytes().back() == '\n';
    if (endsLine) builder.add("\n", text->markAt(text->bytes().size() - 1));
    if (endsLine && indentsBlank) builder.add(*indent);
    return builder.finish();
}

Value filterEscape(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("escape", {});
    const TextPtr text = textOf(i, subject);
    return text->isMarkup() ? Value(text) : Value(escapedText(*text, i.budget()));
}

Value filterForceEscape(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("forceescape", {});
    return escapedText(*textOf(i, subject), i.budget());
}

Value filterSafe(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("safe", {});
    TextBuilder builder(i.budget());
    builder.add(*textOf(i, subject));
    return builder.finish(true);
}

Value filterFormat(Interpreter& i, const Value& subject, Arguments& arguments) {
    if (!arguments.named.empty()) failUnsupported("The filter format with named arguments");
    return percentFormat(*textOf(i, subject), arguments.positional, i.budget());
}

Value filterCenter(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("center", {"width"});
    const Value* width = arguments.get(0, "width");
    const std::int64_t wanted = width == nullptr ? 80 : needCount(*width, "The width of center");
    return padded(*textOf(i, subject), wanted, nullptr, Align::Center, i.budget());
}

Value filterWordCount(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("wordcount", {});
    Integer words = 0;
    bool inWord = false;
    for (const char c : textOf(i, subject)->bytes()) {
        const bool isLetter =
            std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
        if (isLetter && !inWord) ++words;
        inWord = isLetter;
    }
    return Value::integer(words);
}

// Parts of the language that no chat template needs.
Value filterUnsupported(Interpreter&, const Value&, Arguments&) {
    failUnsupported("This filter");
}

constexpr Filter kFilters[] = {
    {"capitalize", filterCase<CaseChange::Capitalize>},
    {"center", filterCenter},
    {"e", filterEscape},
    {"escape", filterEscape},
    {"filesizeformat", filterUnsupported},
    {"forceescape", filterForceEscape},
    {"format", filterFormat},
    {"indent", filterIndent},
    {"lower", filterCase<CaseChange::Lower>},
    {"pprint", filterUnsupported},
    {"random", filterUnsupported},
    {"replace", filterReplace},
    {"safe", filterSafe},
    {"striptags", filterUnsupported},
    {"title", filterCase<CaseChange::Words>},
    {"trim", filterTrim},
    {"truncate", filterUnsupported},
    {"upper", filterCase<CaseChange::Upper>},
    {"urlencode", filterUnsupported},
    {"urlize", filterUnsupported},
    {"wordcount", filterWordCount},
    {"wordwrap", filterUnsupported},
    {"xmlattr", filterUnsupported},
};

}  // namespace

std::span<const Filter> textFilters() {
    return kFilters;
}

}  // namespace agens::text
