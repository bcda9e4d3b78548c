// SPDX-License-Identifier: Apache-2.0
#include "engine/text/template/operators.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "engine/text/template/failure.h"
#include "engine/text/template/python_text.h"
#include "engine/text/utf8.h"

namespace agens::text {
namespace {

Mark markOf(const Value& a, const Value& b) {
    return a.mark() == Mark::Content || b.mark() == Mark::Content ? Mark::Content : Mark::Template;
}

[[noreturn]] void failTypes(std::string_view symbol, const Value& left, const Value& right) {
    needDefined(left);
    needDefined(right);
    failRuntime("'" + std::string(symbol) + "' does not work on " + typeName(left) + " and " +
                typeName(right) + ".");
}

[[noreturn]] void failTooLarge() {
    fail(FailureKind::Limit, "The chat template computes a number that is too large.");
}

bool isWhole(const Value& value) {
    return value.asInteger() != nullptr || value.asBool() != nullptr;
}
bool isNumeric(const Value& value) {
    return isWhole(value) || value.asDouble() != nullptr;
}

Integer wholeOf(const Value& value) {
    if (const bool* flag = value.asBool()) return *flag ? 1 : 0;
    return *value.asInteger();
}

double realOf(const Value& value) {
    if (const double* real = value.asDouble()) return *real;
    return static_cast<double>(wholeOf(value));
}

Integer floorDivided(Integer a, Integer b) {
    if (b == 0) failRuntime("Division by zero.");
    if (b == -1) {
        Integer result = 0;
        if (__builtin_sub_overflow(Integer{0}, a, &result)) failTooLarge();
        return result;
    }
    const Integer quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Integer wholePower(Integer base, Integer exponent) {
    Integer result = 1;
    if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    for (Integer i = 0; i < exponent; ++i) {
        if (__builtin_mul_overflow(result, base, &result)) failTooLarge();
    }
    return result;
}

Integer wholeResult(std::string_view symbol, Integer a, Integer b) {
    Integer result = 0;
    bool overflows = false;
    if (symbol == "+") overflows = __builtin_add_overflow(a, b, &result);
    if (symbol == "-") overflows = __builtin_sub_overflow(a, b, &result);
    if (symbol == "*") overflows = __builtin_mul_overflow(a, b, &result);
    if (symbol == "//") result = floorDivided(a, b);
    if (symbol == "%") result = b == -1 ? 0 : a - floorDivided(a, b) * b;
    if (symbol == "**") result = wholePower(a, b);
    if (overflows) failTooLarge();
    return result;
}

double realResult(std::string_view symbol, double a, double b) {
    if (symbol == "+") return a + b;
    if (symbol == "-") return a - b;
    if (symbol == "*") return a * b;
    if (symbol == "**") {
        if (a == 0 && b < 0) failRuntime("Division by zero.");
        return std::pow(a, b);
    }
    if (b == 0) failRuntime("Division by zero.");
    if (symbol == "/") return a / b;
    double rest = std::fmod(a, b);
    if (rest != 0 && (rest < 0) != (b < 0)) rest += b;
    return symbol == "%" ? rest : std::floor((a - rest) / b + 0.5);
}

Value numeric(std::string_view symbol, const Value& left, const Value& right) {
    const Mark mark = markOf(left, right);
    const bool staysWhole =
        isWhole(left) && isWhole(right) && symbol != "/" && !(symbol == "**" && wholeOf(right) < 0);
    if (staysWhole) return Value::integer(wholeResult(symbol, wholeOf(left), wholeOf(right)), mark);
    return Value::real(realResult(symbol, realOf(left), realOf(right)), mark);
}

Value repeated(const Value& subject, Integer times, Budget& budget) {
    times = std::clamp<Integer>(times, 0, Integer{1} << 40);
    if (const Text* text = subject.asText()) {
        const Integer size = times * static_cast<Integer>(text->bytes().size());
        budget.checkTextSize(static_cast<std::size_t>(std::min<Integer>(size, Integer{1} << 60)));
        TextBuilder builder(budget);
        if (text->runs().size() == 1) {
            // One mark: put the bytes together first, a million short pieces would be slow.
            const auto wanted = static_cast<std::size_t>(size);
            std::string bytes;
            bytes.reserve(wanted);
            if (wanted > 0) bytes = text->bytes();
            while (bytes.size() < wanted) {
                bytes.append(bytes, 0, std::min(bytes.size(), wanted - bytes.size()));
            }
            return builder.add(bytes, text->markAt(0)).finish();
        }
        for (Integer i = 0; i < times && size > 0; ++i) {
            builder.add(*text);
        }
        return builder.finish();
    }
    const Sequence& sequence = *subject.asSequence();
    const Integer size = times * static_cast<Integer>(sequence.items().size());
    if (size > 1'000'000)
        fail(FailureKind::Limit, "The chat template makes a list that is too long.");
    std::vector<Value> items;
    for (Integer i = 0; i < times && size > 0; ++i) {
        items.insert(items.end(), sequence.items().begin(), sequence.items().end());
    }
    return std::make_shared<const Sequence>(sequence.kind(), std::move(items), budget);
}

bool isRepeatable(const Value& value) {
    const Sequence* sequence = value.asSequence();
    return value.asText() != nullptr ||
           (sequence != nullptr && sequence->kind() <= SequenceKind::Tuple);
}

Value joinedSequences(const Sequence& left, const Sequence& right, Budget& budget) {
    std::vector<Value> items = left.items();
    items.insert(items.end(), right.items().begin(), right.items().end());
    return std::make_shared<const Sequence>(left.kind(), std::move(items), budget);
}

struct Slice {
    std::size_t first = 0;
    std::int64_t step = 1;
    std::size_t count = 0;

    std::size_t at(std::size_t n) const {
        return first + static_cast<std::size_t>(static_cast<std::int64_t>(n) * step);
    }
};

// The places of a slice of something with `size` items.
Slice sliceOf(std::size_t size, const SliceBounds& bounds) {
    const auto given = [](const Value* value) { return value != nullptr && !value->isNone(); };
    const auto length = static_cast<std::int64_t>(size);
    const std::int64_t step =
        given(bounds.step) ? needCount(*bounds.step, "The step of a slice") : 1;
    if (step == 0) failRuntime("The step of a slice is zero.");
    const auto place = [&](const Value* value, std::int64_t standard) {
        if (!given(value)) return standard;
        std::int64_t at = needCount(*value, "The bound of a slice");
        if (at < 0) at += length;
        return step > 0 ? std::clamp<std::int64_t>(at, 0, length)
                        : std::clamp<std::int64_t>(at, -1, length - 1);
    };
    const std::int64_t begin = place(bounds.begin, step > 0 ? 0 : length - 1);
    const std::int64_t end = place(bounds.end, step > 0 ? length : -1);
    const std::int64_t span = step > 0 ? end - begin : begin - end;
    if (span <= 0) return {};
    return {static_cast<std::size_t>(begin), step,
            static_cast<std::size_t>((span - 1) / std::abs(step) + 1)};
}

Value slicedText(const Text& text, const SliceBounds& bounds, Budget& budget) {
    const std::string_view bytes = text.bytes();
    budget.step(bytes.size() / 16);
    const Slice slice = sliceOf(characterCount(bytes), bounds);
    TextBuilder builder(budget);
    if (slice.step == 1) {
        const std::size_t begin = placeOfCharacter(bytes, slice.first);
        const std::size_t end = placeOfCharacter(bytes, slice.count, begin);
        return builder.add(text, begin, end).finish(text.isMarkup());
    }
    // Steps other than one are rare; the places of all characters are fine for them.
    budget.take(bytes.size() * sizeof(std::size_t));
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < bytes.size(); nextCharacter(bytes, at)) {
        places.push_back(at);
    }
    places.push_back(bytes.size());
    for (std::size_t n = 0; n < slice.count; ++n) {
        builder.add(text, places[slice.at(n)], places[slice.at(n) + 1]);
    }
    budget.give(bytes.size() * sizeof(std::size_t));
    return builder.finish(text.isMarkup());
}

}  // namespace

Value binary(std::string_view symbol, const Value& left, const Value& right, Budget& budget) {
    budget.step();
    if (isNumeric(left) && isNumeric(right)) return numeric(symbol, left, right);
    if (symbol == "+" && left.asText() != nullptr && right.asText() != nullptr) {
        return concatenated(*left.asText(), *right.asText(), budget);
    }
    if (symbol == "+" && left.asSequence() != nullptr && right.asSequence() != nullptr &&
        left.asSequence()->kind() == right.asSequence()->kind() && isRepeatable(left)) {
        return joinedSequences(*left.asSequence(), *right.asSequence(), budget);
    }
    if (symbol == "*" && isRepeatable(left) && isWhole(right)) {
        return repeated(left, wholeOf(right), budget);
    }
    if (symbol == "*" && isWhole(left) && isRepeatable(right)) {
        return repeated(right, wholeOf(left), budget);
    }
    if (symbol == "%" && left.asText() != nullptr) {
        const Sequence* several = right.asSequence();
        const bool isTuple = several != nullptr && several->kind() == SequenceKind::Tuple;
        return percentFormat(*left.asText(), isTuple ? several->items() : std::vector{right},
                             budget);
    }
    failTypes(symbol, left, right);
}

Value negated(const Value& value) {
    if (const double* real = value.asDouble()) return Value::real(-*real, value.mark());
    if (isWhole(value)) return Value::integer(wholeResult("-", 0, wholeOf(value)), value.mark());
    needDefined(value);
    failRuntime(std::string("A value of type ") + typeName(value) + " has no sign.");
}

Value sliced(const Value& subject, const SliceBounds& bounds, Budget& budget) {
    if (const Text* text = subject.asText()) return slicedText(*text, bounds, budget);
    const Sequence* sequence = subject.asSequence();
    if (sequence == nullptr || !sequence->isIndexable()) {
        return Value::undefined(std::string("A value of type ") + typeName(subject) +
                                " cannot be sliced.");
    }
    std::vector<Value> items;
    const Slice slice = sliceOf(sequence->items().size(), bounds);
    for (std::size_t n = 0; n < slice.count; ++n) {
        items.push_back(sequence->items()[slice.at(n)]);
    }
    const bool isTuple = sequence->kind() == SequenceKind::Tuple;
    return isTuple ? tuple(std::move(items), budget) : list(std::move(items), budget);
}

Integer needInteger(const Value& value, const char* what) {
    if (isWhole(value)) return wholeOf(value);
    needDefined(value);
    failRuntime(std::string(what) + " is a " + typeName(value) + "; a whole number expected.");
}

std::int64_t needCount(const Value& value, const char* what) {
    constexpr Integer kLimit = Integer{1} << 40;
    return static_cast<std::int64_t>(std::clamp(needInteger(value, what), -kLimit, kLimit));
}

const Text& needText(const Value& value, const char* what) {
    if (const Text* text = value.asText()) return *text;
    needDefined(value);
    failRuntime(std::string(what) + " is a " + typeName(value) + "; a text expected.");
}

std::size_t characterCount(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::size_t placeOfCharacter(std::string_view text, std::size_t index, std::size_t from) {
    for (; index > 0 && from < text.size(); --index) {
        nextCharacter(text, from);
    }
    return from;
}

std::size_t findText(std::string_view text, std::string_view wanted, std::size_t from) {
    if (from > text.size()) return std::string_view::npos;
    if (wanted.empty()) return from;
    // memmem takes linear time; std::string_view::find does not when both texts repeat themselves.
    const void* found =
        memmem(text.data() + from, text.size() - from, wanted.data(), wanted.size());
    if (found == nullptr) return std::string_view::npos;
    return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

Value concatenated(const Text& left, const Text& right, Budget& budget) {
    TextBuilder builder(budget);
    const bool isMarkup = left.isMarkup() || right.isMarkup();
    // Markup and plain text become markup: the plain side is escaped.
    for (const Text* side : {&left, &right}) {
        if (isMarkup && !side->isMarkup()) {
            builder.add(*escapedText(*side, budget));
        } else {
            builder.add(*side);
        }
    }
    return builder.finish(isMarkup);
}

TextPtr escapedText(const Text& text, Budget& budget) {
    TextBuilder builder(budget);
    std::size_t from = 0;
    for (std::size_t at = 0; at < text.bytes().size(); ++at) {
        std::string_view escaped;
        switch (text.bytes()[at]) {
            case '&':
                escaped = "&amp;";
                break;
            case '<':
                escaped = "&lt;";
                break;
            case '>':
                escaped = "&gt;";
                break;
            case '\'':
                escaped = "&#39;";
                break;
            case '"':
                escaped = "&#34;";
                break;
            default:
                continue;
        }
        builder.add(text, from, at);
        builder.add(escaped, text.markAt(at));
        from = at + 1;
    }
    builder.add(text, from, text.bytes().size());
    return builder.finish(true);
}

}  // namespace agens::text
