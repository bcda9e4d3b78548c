// SPDX-License-Identifier: Apache-2.0
// Tests of values: what stands behind "is".
#include <algorithm>

#include "engine/text/template/interpreter.h"
#include "engine/text/template/library_tables.h"
#include "engine/text/template/operators.h"

namespace agens::text {
namespace {

template <bool (*Predicate)(const Value&)>
bool plainTest(Interpreter& /*interpreter*/, const Value& subject, Arguments& arguments) {
    arguments.expect("The test", {});
    return Predicate(subject);
}

bool isDefined(const Value& v) {
    return !v.isUndefined();
}
bool isUndefinedValue(const Value& v) {
    return v.isUndefined();
}
bool isNoneValue(const Value& v) {
    return v.isNone();
}
bool isString(const Value& v) {
    return v.asText() != nullptr;
}
bool isNumberValue(const Value& v) {
    return v.isNumber() || v.asBool() != nullptr;
}
bool isIntegerValue(const Value& v) {
    return v.asInteger() != nullptr;
}
bool isFloatValue(const Value& v) {
    return v.asDouble() != nullptr;
}
bool isBooleanValue(const Value& v) {
    return v.asBool() != nullptr;
}
bool isTrueValue(const Value& v) {
    return v.asBool() != nullptr && *v.asBool();
}
bool isFalseValue(const Value& v) {
    return v.asBool() != nullptr && !*v.asBool();
}
bool isMapping(const Value& v) {
    return v.asDict() != nullptr;
}
bool isSequenceValue(const Value& v) {
    if (v.asText() != nullptr || v.asDict() != nullptr || v.isUndefined()) return true;
    return v.asSequence() != nullptr && v.asSequence()->isIndexable();
}
bool isCallableValue(const Value& v) {
    return v.asObject() != nullptr && v.asObject()->isCallable();
}
bool isEscaped(const Value& v) {
    return v.asText() != nullptr && v.asText()->isMarkup();
}

bool hasCase(const Value& v, CaseChange change, Interpreter& interpreter) {
    const TextPtr text = textOf(interpreter, v);
    const Value changed = withCase(*text, change, interpreter.budget());
    const CaseChange other = change == CaseChange::Upper ? CaseChange::Lower : CaseChange::Upper;
    const Value opposite = withCase(*text, other, interpreter.budget());
    return changed.asText()->bytes() == text->bytes() &&
           opposite.asText()->bytes() != text->bytes();
}

bool testUpper(Interpreter& interpreter, const Value& subject, Arguments&) {
    return hasCase(subject, CaseChange::Upper, interpreter);
}
bool testLower(Interpreter& interpreter, const Value& subject, Arguments&) {
    return hasCase(subject, CaseChange::Lower, interpreter);
}

Integer remainder(const Value& subject, const Value& by, Budget& budget) {
    return needInteger(binary("%", subject, by, budget), "The remainder");
}
bool testEven(Interpreter& i, const Value& subject, Arguments&) {
    return remainder(subject, Value::integer(2), i.budget()) == 0;
}
bool testOdd(Interpreter& i, const Value& subject, Arguments&) {
    return remainder(subject, Value::integer(2), i.budget()) == 1;
}
bool testDivisibleBy(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("divisibleby", {"num"});
    return remainder(subject, arguments.need("divisibleby", 0, "num"), i.budget()) == 0;
}

const Value& other(const Arguments& arguments) {
    arguments.expect("The test", {"other"});
    return arguments.need("The test", 0, "other");
}
bool testEqual(Interpreter& i, const Value& subject, Arguments& arguments) {
    return areEqual(subject, other(arguments), i.budget());
}
bool testNotEqual(Interpreter& i, const Value& subject, Arguments& arguments) {
    return !areEqual(subject, other(arguments), i.budget());
}
bool testGreater(Interpreter& i, const Value& subject, Arguments& arguments) {
    return compare(subject, other(arguments), ">", i.budget()) > 0;
}
bool testGreaterEqual(Interpreter& i, const Value& subject, Arguments& arguments) {
    return compare(subject, other(arguments), ">=", i.budget()) >= 0;
}
bool testLess(Interpreter& i, const Value& subject, Arguments& arguments) {
    return compare(subject, other(arguments), "<", i.budget()) < 0;
}
bool testLessEqual(Interpreter& i, const Value& subject, Arguments& arguments) {
    return compare(subject, other(arguments), "<=", i.budget()) <= 0;
}
bool testIn(Interpreter& i, const Value& subject, Arguments& arguments) {
    const Value& container = other(arguments);
    if (container.asText() != nullptr && subject.asText() != nullptr) {
        i.budget().moveText(container.asText()->bytes().size());
        return findText(container.asText()->bytes(), subject.asText()->bytes()) !=
               std::string_view::npos;
    }
    const std::vector<Value> items = itemsOf(container, i.budget());
    return std::any_of(items.begin(), items.end(),
                       [&](const Value& item) { return areEqual(item, subject, i.budget()); });
}
bool testSameAs(Interpreter& i, const Value& subject, Arguments& arguments) {
    const Value& second = other(arguments);
    return std::string_view(typeName(subject)) == typeName(second) &&
           areEqual(subject, second, i.budget());
}
bool testFilter(Interpreter& i, const Value& subject, Arguments&) {
    return findFilter(textOf(i, subject)->bytes()) != nullptr;
}
bool testTest(Interpreter& i, const Value& subject, Arguments&) {
    return findTest(textOf(i, subject)->bytes()) != nullptr;
}

constexpr Test kTests[] = {
    {"boolean", plainTest<isBooleanValue>},
    {"callable", plainTest<isCallableValue>},
    {"defined", plainTest<isDefined>},
    {"divisibleby", testDivisibleBy},
    {"eq", testEqual},
    {"equalto", testEqual},
    {"escaped", plainTest<isEscaped>},
    {"even", testEven},
    {"false", plainTest<isFalseValue>},
    {"filter", testFilter},
    {"float", plainTest<isFloatValue>},
    {"ge", testGreaterEqual},
    {"greaterthan", testGreater},
    {"gt", testGreater},
    {"in", testIn},
    {"integer", plainTest<isIntegerValue>},
    {"iterable", plainTest<isIterable>},
    {"le", testLessEqual},
    {"lessthan", testLess},
    {"lower", testLower},
    {"lt", testLess},
    {"mapping", plainTest<isMapping>},
    {"ne", testNotEqual},
    {"none", plainTest<isNoneValue>},
    {"number", plainTest<isNumberValue>},
    {"odd", testOdd},
    {"sameas", testSameAs},
    {"sequence", plainTest<isSequenceValue>},
    {"string", plainTest<isString>},
    {"test", testTest},
    {"true", plainTest<isTrueValue>},
    {"undefined", plainTest<isUndefinedValue>},
    {"upper", testUpper},
};

}  // namespace

std::span<const Test> valueTests() {
    return kTests;
}

}  // namespace agens::text
