// SPDX-License-Identifier: Apache-2.0
// Expressions.
#include <algorithm>

#include "engine/text/template/failure.h"
#include "engine/text/template/interpreter.h"
#include "engine/text/template/library.h"
#include "engine/text/template/objects.h"
#include "engine/text/template/operators.h"
#include "engine/text/template/python_text.h"

namespace agens::text {
namespace {

bool isHashable(const Value& value) {
    if (value.asDict() != nullptr || value.asObject() != nullptr) return false;
    const Sequence* sequence = value.asSequence();
    if (sequence == nullptr) return true;
    return sequence->kind() == SequenceKind::Tuple &&
           std::all_of(sequence->items().begin(), sequence->items().end(), isHashable);
}

Value noAttribute(const Value& subject, std::string_view name) {
    return Value::undefined(std::string("A ") + typeName(subject) + " has no attribute " +
                            std::string(name) + ".");
}

}  // namespace

Value Interpreter::evaluate(const Expr& expr) {
    const DepthGuard depth(m_budget);
    m_budget.step();
    switch (expr.kind) {
        case ExprKind::Constant:
            return expr.constant;
        case ExprKind::Name:
            return evaluateName(expr);
        case ExprKind::List:
            return list(evaluateAll(expr.parts, 0), m_budget);
        case ExprKind::Tuple:
            return tuple(evaluateAll(expr.parts, 0), m_budget);
        case ExprKind::Dict:
            return evaluateDict(expr);
        case ExprKind::Attribute:
            return attribute(evaluate(*expr.parts[0]), expr.name);
        case ExprKind::Item:
            return evaluateItem(expr);
        case ExprKind::Slice:
            failRuntime("A slice stands outside of brackets.");
        case ExprKind::Call:
            return evaluateCall(expr);
        case ExprKind::Filter:
            return evaluateFilter(expr);
        case ExprKind::Test:
            return Value::boolean(evaluateTest(expr));
        case ExprKind::Negative:
            return negated(evaluate(*expr.parts[0]));
        case ExprKind::Positive:
            return negated(negated(evaluate(*expr.parts[0])));
        case ExprKind::Not:
            return Value::boolean(!isTrue(evaluate(*expr.parts[0])));
        case ExprKind::Binary: {
            const Value left = evaluate(*expr.parts[0]);
            return binary(expr.name, left, evaluate(*expr.parts[1]), m_budget);
        }
        case ExprKind::Concat:
            return evaluateConcat(expr);
        case ExprKind::Compare:
            return Value::boolean(evaluateCompare(expr));
        case ExprKind::And:
        case ExprKind::Or: {
            Value left = evaluate(*expr.parts[0]);
            const bool decides = isTrue(left) == (expr.kind == ExprKind::Or);
            return decides ? left : evaluate(*expr.parts[1]);
        }
        case ExprKind::Conditional: {
            if (isTrue(evaluate(*expr.parts[0]))) return evaluate(*expr.parts[1]);
            return expr.parts[2] ? evaluate(*expr.parts[2]) : Value();
        }
    }
    return {};
}

Value Interpreter::evaluateName(const Expr& expr) {
    if (const Value* value = m_scope->find(expr.name)) return *value;
    return findGlobal(expr.name);
}

std::vector<Value> Interpreter::evaluateAll(const std::vector<ExprPtr>& parts, std::size_t from) {
    std::vector<Value> values;
    values.reserve(parts.size() - from);
    for (std::size_t i = from; i < parts.size(); ++i)
        values.push_back(evaluate(*parts[i]));
    return values;
}

Value Interpreter::evaluateDict(const Expr& expr) {
    std::vector<Dict::Entry> entries;
    for (std::size_t i = 0; i + 1 < expr.parts.size(); i += 2) {
        Value key = evaluate(*expr.parts[i]);
        entries.emplace_back(std::move(key), evaluate(*expr.parts[i + 1]));
    }
    return std::make_shared<const Dict>(std::move(entries), m_budget);
}

Value Interpreter::evaluateItem(const Expr& expr) {
    const Value subject = evaluate(*expr.parts[0]);
    const Expr& index = *expr.parts[1];
    if (index.kind != ExprKind::Slice) return item(subject, evaluate(index));
    needDefined(subject);
    Value values[3];
    const Value* bounds[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
        if (index.parts[i] == nullptr) continue;
        values[i] = evaluate(*index.parts[i]);
        bounds[i] = &values[i];
    }
    return sliced(subject, {bounds[0], bounds[1], bounds[2]}, m_budget);
}

Value Interpreter::attribute(const Value& subject, std::string_view name) {
    needDefined(subject);
    if (const Method* method = findMethod(subject, name)) {
        return ObjectPtr(std::make_shared<BoundMethod>(subject, *method));
    }
    if (const Dict* dict = subject.asDict()) {
        if (const Value* value = dict->find(name)) return *value;
    }
    if (Object* object = subject.asObject()) {
        if (const auto value = object->attribute(name)) return *value;
    }
    if (name.starts_with("__")) {
        fail(FailureKind::Refused, "A chat template may not reach for " + std::string(name) + ".");
    }
    return noAttribute(subject, name);
}

Value Interpreter::item(const Value& subject, const Value& key) {
    needDefined(subject);
    if (const Dict* dict = subject.asDict(); dict != nullptr && isHashable(key)) {
        m_budget.step();
        if (const Value* value = dict->find(key)) return *value;
    }
    const bool isPlace = key.asInteger() != nullptr || key.asBool() != nullptr;
    if (isPlace && subject.asText() != nullptr) {
        const Text& text = *subject.asText();
        m_budget.step(text.bytes().size() / 16);
        const auto count = static_cast<std::int64_t>(characterCount(text.bytes()));
        std::int64_t at = needCount(key, "An index");
        if (at < 0) at += count;
        if (at < 0 || at >= count) return Value::undefined("The text has no such character.");
        const std::size_t begin = placeOfCharacter(text.bytes(), static_cast<std::size_t>(at));
        const std::size_t end = placeOfCharacter(text.bytes(), 1, begin);
        return TextBuilder(m_budget).add(text, begin, end).finish();
    }
    const Sequence* sequence = subject.asSequence();
    if (isPlace && sequence != nullptr && sequence->isIndexable()) {
        const auto count = static_cast<std::int64_t>(sequence->items().size());
        std::int64_t at = needCount(key, "An index");
        if (at < 0) at += count;
        if (at >= 0 && at < count) return sequence->items()[static_cast<std::size_t>(at)];
        return Value::undefined("The list has no element " + std::to_string(at) + ".");
    }
    if (const Text* name = key.asText()) return attribute(subject, name->bytes());
    return Value::undefined(std::string("A ") + typeName(subject) + " has no such element.");
}

Arguments Interpreter::evaluateArguments(const Expr& expr) {
    Arguments arguments;
    arguments.positional = evaluateAll(expr.parts, 1);
    for (const auto& [name, value] : expr.keywords) {
        arguments.named.emplace_back(name, evaluate(*value));
    }
    if (expr.spreadList || expr.spreadDict) spreadArguments(expr, arguments);
    return arguments;
}

void Interpreter::spreadArguments(const Expr& expr, Arguments& arguments) {
    if (expr.spreadList) {
        for (Value& value : itemsOf(evaluate(*expr.spreadList), m_budget)) {
            arguments.positional.push_back(std::move(value));
        }
    }
    if (!expr.spreadDict) return;
    const Value named = evaluate(*expr.spreadDict);
    if (named.asDict() == nullptr) failRuntime("'**' needs a mapping.");
    for (const auto& [name, value] : named.asDict()->entries()) {
        arguments.named.emplace_back(needText(name, "The name of an argument").bytes(), value);
    }
}

Value Interpreter::evaluateCall(const Expr& expr, Arguments* further) {
    const Value callee = evaluate(*expr.parts[0]);
    Arguments arguments = evaluateArguments(expr);
    if (further != nullptr) {
        for (auto& named : further->named)
            arguments.named.push_back(std::move(named));
    }
    return call(callee, arguments);
}

Value Interpreter::call(const Value& callee, Arguments& arguments) {
    needDefined(callee);
    if (Object* object = callee.asObject()) return object->call(*this, arguments);
    failRuntime(std::string("A value of type ") + typeName(callee) + " cannot be called.");
}

Value Interpreter::evaluateFilter(const Expr& expr) {
    if (expr.filter == nullptr) failRuntime("There is no filter named " + expr.name + ".");
    const Value subject = evaluate(*expr.parts[0]);
    Arguments arguments = evaluateArguments(expr);
    return expr.filter->function(*this, subject, arguments);
}

bool Interpreter::evaluateTest(const Expr& expr) {
    if (expr.test == nullptr) failRuntime("There is no test named " + expr.name + ".");
    const Value subject = evaluate(*expr.parts[0]);
    Arguments arguments = evaluateArguments(expr);
    return expr.test->function(*this, subject, arguments);
}

Value Interpreter::applyFilter(std::string_view name, const Value& subject, Arguments& arguments) {
    const Filter* filter = findFilter(name);
    if (filter == nullptr) failRuntime("There is no filter named " + std::string(name) + ".");
    return filter->function(*this, subject, arguments);
}

bool Interpreter::applyTest(std::string_view name, const Value& subject, Arguments& arguments) {
    const Test* test = findTest(name);
    if (test == nullptr) failRuntime("There is no test named " + std::string(name) + ".");
    return test->function(*this, subject, arguments);
}

bool Interpreter::contains(const Value& container, const Value& wanted) {
    if (container.isUndefined()) return false;
    if (const Text* text = container.asText()) {
        m_budget.moveText(text->bytes().size());
        return findText(text->bytes(), needText(wanted, "What is looked for in a text").bytes()) !=
               std::string_view::npos;
    }
    if (const Dict* dict = container.asDict()) return dict->find(wanted) != nullptr;
    if (const Sequence* sequence = container.asSequence()) {
        return std::any_of(sequence->items().begin(), sequence->items().end(),
                           [&](const Value& each) { return areEqual(each, wanted, m_budget); });
    }
    failRuntime(std::string("A value of type ") + typeName(container) + " holds no elements.");
}

bool Interpreter::evaluateCompare(const Expr& expr) {
    Value left = evaluate(*expr.parts[0]);
    for (std::size_t i = 0; i < expr.operators.size(); ++i) {
        const std::string& symbol = expr.operators[i];
        Value right = evaluate(*expr.parts[i + 1]);
        bool holds = false;
        if (symbol == "==") {
            holds = areEqual(left, right, m_budget);
        } else if (symbol == "!=") {
            holds = !areEqual(left, right, m_budget);
        } else if (symbol == "in") {
            holds = contains(right, left);
        } else if (symbol == "not in") {
            holds = !contains(right, left);
        } else {
            const int order = compare(left, right, symbol.c_str(), m_budget);
            holds = symbol == "<"    ? order < 0
                    : symbol == "<=" ? order <= 0
                    : symbol == ">"  ? order > 0
                                     : order >= 0;
        }
        if (!holds) return false;
        left = std::move(right);
    }
    return true;
}

Value Interpreter::evaluateConcat(const Expr& expr) {
    TextBuilder builder(m_budget);
    for (const ExprPtr& part : expr.parts)
        addPrinted(builder, evaluate(*part), m_budget);
    return builder.finish();
}

}  // namespace agens::text
