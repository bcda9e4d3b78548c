// SPDX-License-Identifier: Apache-2.0
// Construction, equality and order of values.
#include "engine/text/template/value.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "engine/text/template/failure.h"
#include "engine/text/template/python_text.h"
#include "engine/text/utf8.h"

namespace agens::text {
namespace {

std::uint32_t nestingAround(std::uint32_t inner) {
    if (inner >= kDeepestValue) {
        fail(FailureKind::Limit, "The chat template nests values too deeply.");
    }
    return inner + 1;
}

// A key as a string, equal for equal keys (1, 1.0 and True are one key); fails for unhashable ones.
std::string spelledKey(const Value& key) {
    if (const Text* text = key.asText()) return "s" + std::string(text->bytes());
    if (key.isNone()) return "n";
    if (const bool* flag = key.asBool()) return *flag ? "i1" : "i0";
    if (const Integer* number = key.asInteger()) return "i" + toText(*number);
    if (const double* number = key.asDouble()) {
        if (std::floor(*number) == *number && std::fabs(*number) < 1e18) {
            return "i" + toText(static_cast<Integer>(*number));
        }
        return "f" + toText(*number);
    }
    if (key.isUndefined()) return "u";
    if (const Sequence* sequence = key.asSequence();
        sequence != nullptr && sequence->kind() == SequenceKind::Tuple) {
        std::string spelled = "t";
        for (const Value& item : sequence->items()) {
            const std::string part = spelledKey(item);
            spelled += std::to_string(part.size()) + ":" + part;
        }
        return spelled;
    }
    failRuntime(std::string("A value of type ") + typeName(key) + " cannot be a key.");
}

double asReal(const Value& value) {
    if (const double* real = value.asDouble()) return *real;
    if (const Integer* whole = value.asInteger()) return static_cast<double>(*whole);
    return *value.asBool() ? 1.0 : 0.0;
}

bool isNumeric(const Value& value) {
    return value.isNumber() || value.asBool() != nullptr;
}

int threeWay(double a, double b) {
    return a < b ? -1 : a > b ? 1 : 0;
}

int compareNumbers(const Value& a, const Value& b) {
    const auto whole = [](const Value& value, Integer& number) {
        if (const bool* flag = value.asBool()) number = *flag ? 1 : 0;
        if (const Integer* integer = value.asInteger()) number = *integer;
        return value.asDouble() == nullptr;
    };
    Integer left = 0;
    Integer right = 0;
    if (whole(a, left) && whole(b, right)) return left < right ? -1 : left > right ? 1 : 0;
    return threeWay(asReal(a), asReal(b));
}

bool areEqualSequences(const Sequence& a, const Sequence& b, Budget& budget) {
    if (a.kind() != b.kind() || a.items().size() != b.items().size()) return false;
    for (std::size_t i = 0; i < a.items().size(); ++i) {
        if (!areEqual(a.items()[i], b.items()[i], budget)) return false;
    }
    return true;
}

bool areEqualDicts(const Dict& a, const Dict& b, Budget& budget) {
    if (a.entries().size() != b.entries().size()) return false;
    for (const auto& [key, value] : a.entries()) {
        const Value* other = b.find(key);
        if (other == nullptr || !areEqual(value, *other, budget)) return false;
    }
    return true;
}

}  // namespace

Value Value::undefined(std::string why) {
    Value value;
    value.m_data = Undefined{std::make_shared<const std::string>(std::move(why))};
    return value;
}

Value Value::boolean(bool truth, Mark mark) {
    Value value;
    value.m_data = truth;
    value.m_mark = mark;
    return value;
}

Value Value::integer(Integer number, Mark mark) {
    Value value;
    value.m_data = number;
    value.m_mark = mark;
    return value;
}

Value Value::real(double number, Mark mark) {
    Value value;
    value.m_data = number;
    value.m_mark = mark;
    return value;
}

std::string Value::whyUndefined() const {
    const Undefined* undefined = std::get_if<Undefined>(&m_data);
    if (undefined == nullptr || undefined->why == nullptr) return "The value is undefined.";
    return *undefined->why;
}

std::uint32_t Value::nesting() const {
    if (const Sequence* sequence = asSequence()) return sequence->nesting();
    if (const Dict* dict = asDict()) return dict->nesting();
    return 0;
}

Sequence::Sequence(SequenceKind kind, std::vector<Value> items, Budget& budget)
    : m_kind(kind), m_items(std::move(items)), m_budget(budget) {
    std::uint32_t deepest = 0;
    for (const Value& item : m_items)
        deepest = std::max(deepest, item.nesting());
    m_nesting = nestingAround(deepest);
    budget.step(m_items.size() / 8);
    const std::size_t cost = sizeof(Sequence) + m_items.size() * sizeof(Value);
    budget.take(cost);
    m_charged = cost;
}

Dict::Dict(std::vector<Entry> entries, Budget& budget) : m_budget(budget) {
    std::uint32_t deepest = 0;
    std::size_t keyBytes = 0;
    for (Entry& entry : entries) {
        std::string spelled = spelledKey(entry.first);
        keyBytes += spelled.size();
        deepest = std::max({deepest, entry.first.nesting(), entry.second.nesting()});
        const auto [place, isNew] = m_index.emplace(std::move(spelled), m_entries.size());
        if (isNew) {
            m_entries.push_back(std::move(entry));
        } else {
            m_entries[place->second].second = std::move(entry.second);
        }
    }
    m_nesting = nestingAround(deepest);
    budget.step(m_entries.size());
    const std::size_t cost = sizeof(Dict) + keyBytes + m_entries.size() * (sizeof(Entry) + 72);
    budget.take(cost);
    m_charged = cost;
}

const Value* Dict::find(const Value& key) const {
    return findSpelled(spelledKey(key));
}
const Value* Dict::find(std::string_view key) const {
    return findSpelled("s" + std::string(key));
}

const Value* Dict::findSpelled(const std::string& spelled) const {
    const auto found = m_index.find(spelled);
    return found == m_index.end() ? nullptr : &m_entries[found->second].second;
}

Value Object::call(Interpreter& /*interpreter*/, Arguments& /*arguments*/) {
    failRuntime(std::string("A ") + typeName() + " cannot be called.");
}

void Arguments::expect(const char* function, std::initializer_list<const char*> names) const {
    if (positional.size() > names.size()) {
        failRuntime(std::string(function) + " takes at most " + std::to_string(names.size()) +
                    " arguments.");
    }
    for (std::size_t i = 0; i < named.size(); ++i) {
        const auto known = std::find(names.begin(), names.end(), named[i].first);
        if (known == names.end()) {
            failRuntime(std::string(function) + " has no argument " + named[i].first + ".");
        }
        if (static_cast<std::size_t>(known - names.begin()) < positional.size()) {
            failRuntime(std::string(function) + " got two values for " + named[i].first + ".");
        }
    }
}

const Value* Arguments::get(std::size_t place, const char* name) const {
    if (place < positional.size()) return &positional[place];
    for (const auto& [given, value] : named) {
        if (given == name) return &value;
    }
    return nullptr;
}

const Value& Arguments::need(const char* function, std::size_t place, const char* name) const {
    const Value* value = get(place, name);
    if (value == nullptr) failRuntime(std::string(function) + " needs the argument " + name + ".");
    return *value;
}

Value nameText(std::string_view name, Budget& budget) {
    return TextBuilder(budget).add(name, Mark::Content).finish();
}

Value fromJson(const Json& json, Budget& budget) {
    using Type = Json::value_t;
    switch (json.type()) {
        case Type::boolean:
            return Value::boolean(json.get<bool>(), Mark::Content);
        case Type::number_integer:
            return Value::integer(json.get<std::int64_t>(), Mark::Content);
        case Type::number_unsigned:
            return Value::integer(json.get<std::uint64_t>(), Mark::Content);
        case Type::number_float:
            return Value::real(json.get<double>(), Mark::Content);
        case Type::string: {
            TextBuilder text(budget);
            text.add(withReplacements(json.get_ref<const std::string&>()), Mark::Content);
            return text.finish();
        }
        case Type::array: {
            std::vector<Value> items;
            for (const Json& item : json)
                items.push_back(fromJson(item, budget));
            return list(std::move(items), budget);
        }
        case Type::object: {
            std::vector<Dict::Entry> entries;
            for (const auto& [key, item] : json.items()) {
                TextBuilder name(budget);
                name.add(withReplacements(key), Mark::Content);
                entries.emplace_back(name.finish(), fromJson(item, budget));
            }
            return std::make_shared<const Dict>(std::move(entries), budget);
        }
        default:
            return None{};
    }
}

const char* typeName(const Value& value) {
    if (value.isUndefined()) return "Undefined";
    if (value.isNone()) return "NoneType";
    if (value.asBool() != nullptr) return "bool";
    if (value.asInteger() != nullptr) return "int";
    if (value.asDouble() != nullptr) return "float";
    if (value.asText() != nullptr) return "str";
    if (value.asDict() != nullptr) return "dict";
    if (const Sequence* sequence = value.asSequence()) {
        constexpr const char* kNames[] = {"list",      "tuple",       "range",     "generator",
                                          "dict_keys", "dict_values", "dict_items"};
        return kNames[static_cast<std::size_t>(sequence->kind())];
    }
    return value.asObject()->typeName();
}

bool isTrue(const Value& value) {
    if (value.isUndefined() || value.isNone()) return false;
    if (const bool* flag = value.asBool()) return *flag;
    if (const Integer* number = value.asInteger()) return *number != 0;
    if (const double* number = value.asDouble()) return *number != 0.0;
    if (const Text* text = value.asText()) return !text->bytes().empty();
    if (const Dict* dict = value.asDict()) return !dict->entries().empty();
    if (const Sequence* sequence = value.asSequence()) {
        return sequence->kind() == SequenceKind::Generator || !sequence->items().empty();
    }
    return true;
}

bool areEqual(const Value& a, const Value& b, Budget& budget) {
    budget.step();
    if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b) == 0;
    if (a.isUndefined() || b.isUndefined()) return a.isUndefined() && b.isUndefined();
    if (a.isNone() || b.isNone()) return a.isNone() && b.isNone();
    if (a.asText() != nullptr && b.asText() != nullptr) {
        budget.moveText(a.asText()->bytes().size());
        return a.asText()->bytes() == b.asText()->bytes();
    }
    if (a.asSequence() != nullptr && b.asSequence() != nullptr) {
        return areEqualSequences(*a.asSequence(), *b.asSequence(), budget);
    }
    if (a.asDict() != nullptr && b.asDict() != nullptr) {
        return areEqualDicts(*a.asDict(), *b.asDict(), budget);
    }
    return a.asObject() != nullptr && a.asObject() == b.asObject();
}

int compare(const Value& a, const Value& b, const char* symbol, Budget& budget) {
    budget.step();
    if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b);
    if (a.asText() != nullptr && b.asText() != nullptr) {
        budget.moveText(std::min(a.asText()->bytes().size(), b.asText()->bytes().size()));
        return a.asText()->bytes().compare(b.asText()->bytes());  // UTF-8 keeps the order
    }
    const Sequence* left = a.asSequence();
    const Sequence* right = b.asSequence();
    if (left != nullptr && right != nullptr && left->kind() == right->kind() &&
        left->kind() <= SequenceKind::Tuple) {
        const std::size_t common = std::min(left->items().size(), right->items().size());
        for (std::size_t i = 0; i < common; ++i) {
            if (areEqual(left->items()[i], right->items()[i], budget)) continue;
            return compare(left->items()[i], right->items()[i], symbol, budget);
        }
        return threeWay(static_cast<double>(left->items().size()),
                        static_cast<double>(right->items().size()));
    }
    needDefined(a);
    needDefined(b);
    failRuntime(std::string("'") + symbol + "' cannot compare " + typeName(a) + " with " +
                typeName(b) + ".");
}

std::vector<Value> itemsOf(const Value& value, Budget& budget) {
    std::vector<Value> items;
    if (value.isUndefined()) return items;
    if (const Sequence* sequence = value.asSequence()) {
        budget.step(sequence->items().size() / 8);
        return sequence->items();
    }
    if (const Dict* dict = value.asDict()) {
        budget.step(dict->entries().size() / 8);
        for (const auto& entry : dict->entries())
            items.push_back(entry.first);
        return items;
    }
    if (const Text* text = value.asText()) {
        for (std::size_t at = 0; at < text->bytes().size();) {
            const std::size_t begin = at;
            nextCharacter(text->bytes(), at);
            items.push_back(TextBuilder(budget).add(*text, begin, at).finish());
            budget.step();
        }
        return items;
    }
    failRuntime(std::string("A value of type ") + typeName(value) + " cannot be iterated.");
}

bool isIterable(const Value& value) {
    return value.isUndefined() || value.asSequence() != nullptr || value.asDict() != nullptr ||
           value.asText() != nullptr;
}

void needDefined(const Value& value) {
    if (value.isUndefined()) failRuntime(value.whyUndefined());
}

Value list(std::vector<Value> items, Budget& budget) {
    return std::make_shared<const Sequence>(SequenceKind::List, std::move(items), budget);
}

Value tuple(std::vector<Value> items, Budget& budget) {
    return std::make_shared<const Sequence>(SequenceKind::Tuple, std::move(items), budget);
}

}  // namespace agens::text
