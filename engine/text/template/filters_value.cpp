// SPDX-License-Identifier: Apache-2.0
// Filters on numbers and values of any kind.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/text/template/failure.h"
#include "engine/text/template/interpreter.h"
#include "engine/text/template/library_tables.h"
#include "engine/text/template/operators.h"
#include "engine/text/template/python_text.h"

namespace agens::text {
namespace {

std::string stripped(std::string_view text) {
    const auto isBlank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    std::string plain(text);
    plain.erase(std::remove(plain.begin(), plain.end(), '_'), plain.end());
    return plain;
}

std::optional<double> parseReal(std::string text) {
    if (text.starts_with('+')) text.erase(0, 1);
    double number = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || result.ptr != text.data() + text.size()) return std::nullopt;
    return number;
}

std::optional<Integer> parseWhole(std::string text, int base) {
    bool isNegative = false;
    if (text.starts_with('-') || text.starts_with('+')) {
        isNegative = text.front() == '-';
        text.erase(0, 1);
    }
    if (base == 16 && (text.starts_with("0x") || text.starts_with("0X"))) text.erase(0, 2);
    if (base == 8 && (text.starts_with("0o") || text.starts_with("0O"))) text.erase(0, 2);
    if (base == 2 && (text.starts_with("0b") || text.starts_with("0B"))) text.erase(0, 2);
    if (text.empty()) return std::nullopt;
    Integer number = 0;
    for (const char& c : text) {
        int digit = 0;
        if (std::from_chars(&c, &c + 1, digit, base).ec != std::errc()) return std::nullopt;
        if (__builtin_mul_overflow(number, base, &number) ||
            __builtin_add_overflow(number, digit, &number)) {
            fail(FailureKind::Limit, "The chat template computes a number that is too large.");
        }
    }
    return isNegative ? -number : number;
}

Value wholeOfReal(double real, const Value& standard, Mark mark) {
    if (!std::isfinite(real)) return standard;
    if (std::fabs(real) >= 1e38) {
        fail(FailureKind::Limit, "The chat template computes a number that is too large.");
    }
    return Value::integer(static_cast<Integer>(real), mark);
}

Value filterInt(Interpreter&, const Value& subject, Arguments& arguments) {
    arguments.expect("int", {"default", "base"});
    const Value* given = arguments.get(0, "default");
    const Value standard = given == nullptr ? Value::integer(0) : *given;
    const Value* base = arguments.get(1, "base");
    const std::int64_t number = base == nullptr ? 10 : needCount(*base, "The base");
    if (number < 2 || number > 36) failRuntime("The base of a number is 2 to 36.");
    if (const double* real = subject.asDouble())
        return wholeOfReal(*real, standard, subject.mark());
    if (subject.asInteger() != nullptr || subject.asBool() != nullptr) {
        return Value::integer(needInteger(subject, "The number"), subject.mark());
    }
    if (const Text* text = subject.asText()) {
        const Mark mark = text->hasContent() ? Mark::Content : Mark::Template;
        const std::string plain = stripped(text->bytes());
        if (const auto whole = parseWhole(plain, static_cast<int>(number))) {
            return Value::integer(*whole, mark);
        }
        if (const auto real = parseReal(plain)) return wholeOfReal(*real, standard, mark);
    }
    return standard;
}

Value filterFloat(Interpreter&, const Value& subject, Arguments& arguments) {
    arguments.expect("float", {"default"});
    const Value* standard = arguments.get(0, "default");
    if (const double* real = subject.asDouble()) return Value::real(*real, subject.mark());
    if (subject.asInteger() != nullptr || subject.asBool() != nullptr) {
        return Value::real(static_cast<double>(needInteger(subject, "The number")), subject.mark());
    }
    if (const Text* text = subject.asText()) {
        const Mark mark = text->hasContent() ? Mark::Content : Mark::Template;
        if (const auto real = parseReal(stripped(text->bytes()))) return Value::real(*real, mark);
    }
    return standard == nullptr ? Value::real(0) : *standard;
}

Value filterAbs(Interpreter&, const Value& subject, Arguments& arguments) {
    arguments.expect("abs", {});
    if (const double* real = subject.asDouble())
        return Value::real(std::fabs(*real), subject.mark());
    const Integer number = needInteger(subject, "The number");
    return number < 0 ? negated(subject) : Value::integer(number, subject.mark());
}

Value filterRound(Interpreter&, const Value& subject, Arguments& arguments) {
    arguments.expect("round", {"precision", "method"});
    const Value* digits = arguments.get(0, "precision");
    const Value* method = arguments.get(1, "method");
    const std::string_view how =
        method == nullptr ? "common" : needText(*method, "The method of round").bytes();
    const double* real = subject.asDouble();
    const double number =
        real != nullptr ? *real : static_cast<double>(needInteger(subject, "The number"));
    const auto places = std::clamp<std::int64_t>(
        digits == nullptr ? 0 : needCount(*digits, "The precision"), -20, 20);
    const double scale = std::pow(10.0, static_cast<double>(places));
    if (how == "ceil") return Value::real(std::ceil(number * scale) / scale, subject.mark());
    if (how == "floor") return Value::real(std::floor(number * scale) / scale, subject.mark());
    if (how != "common") failRuntime("The method of round is common, ceil or floor.");
    // Through decimal text: that is how a float is rounded to decimals without a second error.
    char buffer[400];
    if (places < 0 || std::fabs(number) > 1e300) {
        return Value::real(std::nearbyint(number * scale) / scale, subject.mark());
    }
    const int size = std::snprintf(buffer, sizeof buffer, "%.*f", static_cast<int>(places), number);
    double rounded = 0;
    std::from_chars(buffer, buffer + size, rounded);
    return Value::real(rounded, subject.mark());
}

Value filterDefault(Interpreter&, const Value& subject, Arguments& arguments) {
    arguments.expect("default", {"default_value", "boolean"});
    const Value* flag = arguments.get(1, "boolean");
    const bool isWanted =
        subject.isUndefined() || (flag != nullptr && isTrue(*flag) && !isTrue(subject));
    if (!isWanted) return subject;
    const Value* standard = arguments.get(0, "default_value");
    return standard == nullptr ? Value(Text::literal("")) : *standard;
}

Value filterString(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("string", {});
    return textOf(i, subject);
}

// Punctuation of JSON is template text, so a message may not choose it.
std::string ownText(const Value& value, const char* what) {
    const Text& text = needText(value, what);
    if (text.hasContent()) failUnsupported("JSON with punctuation from a message");
    return std::string(text.bytes());
}

std::string indentOf(const Value& indent) {
    if (indent.asText() != nullptr) return ownText(indent, "The indent");
    const std::int64_t width = needCount(indent, "The indent of tojson");
    if (width > 1000) fail(FailureKind::Limit, "The indent of tojson is too large.");
    return std::string(static_cast<std::size_t>(std::max<std::int64_t>(width, 0)), ' ');
}

Value filterToJson(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("tojson", {"ensure_ascii", "indent", "separators", "sort_keys"});
    JsonStyle style;
    if (const Value* ascii = arguments.get(0, "ensure_ascii")) style.ensureAscii = isTrue(*ascii);
    if (const Value* indent = arguments.get(1, "indent"); indent != nullptr && !indent->isNone()) {
        style.indent = indentOf(*indent);
        style.itemSeparator = ",";
    }
    if (const Value* both = arguments.get(2, "separators"); both != nullptr && !both->isNone()) {
        const std::vector<Value> separators = itemsOf(*both, i.budget());
        if (separators.size() != 2) failRuntime("separators of tojson are two texts.");
        style.itemSeparator = ownText(separators[0], "A separator");
        style.keySeparator = ownText(separators[1], "A separator");
    }
    if (const Value* sort = arguments.get(3, "sort_keys")) style.sortKeys = isTrue(*sort);
    return toJsonText(subject, style, i.budget());
}

Value filterAttr(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("attr", {"name"});
    const Text& name = needText(arguments.need("attr", 0, "name"), "The name");
    if (subject.asObject() != nullptr) return i.attribute(subject, name.bytes());
    if (name.bytes().starts_with("_") || findMethod(subject, name.bytes()) != nullptr) {
        fail(FailureKind::Refused, "The filter attr reaches attributes of objects only.");
    }
    return Value::undefined("There is no attribute " + std::string(name.bytes()) + ".");
}

constexpr Filter kFilters[] = {
    {"abs", filterAbs},         {"attr", filterAttr},     {"d", filterDefault},
    {"default", filterDefault}, {"float", filterFloat},   {"int", filterInt},
    {"round", filterRound},     {"string", filterString}, {"tojson", filterToJson},
};

}  // namespace

std::span<const Filter> valueFilters() {
    return kFilters;
}

TextPtr textOf(Interpreter& interpreter, const Value& value) {
    return printed(value, interpreter.budget());
}

void failUnsupported(std::string_view what) {
    fail(FailureKind::Unsupported, std::string(what) + " is not supported.");
}

}  // namespace agens::text
