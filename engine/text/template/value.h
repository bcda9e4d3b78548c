// SPDX-License-Identifier: Apache-2.0
// Value: what a template computes with. Own types only, nothing of the host is reachable from one.
//
//   Undefined (with the sentence why) · None · bool · Integer (128 bits) · double · Text
//   Sequence (list, tuple, view, generator, range) · Dict (keeps order) · Object (loop, macro …)
//
// Values are immutable and shared; the only mutable thing is a namespace, which the interpreter
// owns. Numbers remember whether they came from content, so that printing one marks it. Invariant:
// nesting of sequences and mappings is at most kDeepestValue, so no copy, printer or destructor
// recurses further.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/json.h"
#include "engine/text/template/budget.h"
#include "engine/text/template/marked_text.h"

namespace agens::text {

__extension__ typedef __int128 Integer;

inline constexpr std::uint32_t kDeepestValue = 100;

class Interpreter;
class Sequence;
class Dict;
class Object;
class Value;
struct Arguments;

struct Undefined {
    std::shared_ptr<const std::string> why;  // "'x' is undefined"; null: an expression without else
};
struct None {};

using SequencePtr = std::shared_ptr<const Sequence>;
using DictPtr = std::shared_ptr<const Dict>;
using ObjectPtr = std::shared_ptr<Object>;

class Value {
 public:
    using Alternatives = std::variant<Undefined, None, bool, Integer, double, TextPtr, SequencePtr,
                                      DictPtr, ObjectPtr>;

    Value() = default;
    Value(None none) : m_data(none) {}
    Value(TextPtr text) : m_data(std::move(text)) {}
    Value(SequencePtr sequence) : m_data(std::move(sequence)) {}
    Value(DictPtr dict) : m_data(std::move(dict)) {}
    Value(ObjectPtr object) : m_data(std::move(object)) {}
    static Value undefined(std::string why);
    static Value boolean(bool value, Mark mark = Mark::Template);
    static Value integer(Integer value, Mark mark = Mark::Template);
    static Value real(double value, Mark mark = Mark::Template);

    bool isUndefined() const { return std::holds_alternative<Undefined>(m_data); }
    bool isNone() const { return std::holds_alternative<None>(m_data); }
    const bool* asBool() const { return std::get_if<bool>(&m_data); }
    const Integer* asInteger() const { return std::get_if<Integer>(&m_data); }
    const double* asDouble() const { return std::get_if<double>(&m_data); }
    const Text* asText() const { return pointee<TextPtr>(); }
    const Sequence* asSequence() const { return pointee<SequencePtr>(); }
    const Dict* asDict() const { return pointee<DictPtr>(); }
    Object* asObject() const {
        const ObjectPtr* object = std::get_if<ObjectPtr>(&m_data);
        return object == nullptr ? nullptr : object->get();
    }
    TextPtr textPtr() const { return std::get<TextPtr>(m_data); }
    ObjectPtr objectPtr() const { return std::get<ObjectPtr>(m_data); }

    bool isNumber() const { return asInteger() != nullptr || asDouble() != nullptr; }
    // Where a number or truth value came from.
    Mark mark() const { return m_mark; }
    // Sentence of an undefined value.
    std::string whyUndefined() const;
    std::uint32_t nesting() const;

 private:
    template <class Pointer>
    const typename Pointer::element_type* pointee() const {
        const Pointer* pointer = std::get_if<Pointer>(&m_data);
        return pointer == nullptr ? nullptr : pointer->get();
    }

    Alternatives m_data;
    Mark m_mark = Mark::Template;
};

enum class SequenceKind { List, Tuple, Range, Generator, Keys, Values, Items };

class Sequence {
 public:
    Sequence(SequenceKind kind, std::vector<Value> items, Budget& budget);
    ~Sequence() { m_budget.give(m_charged); }
    Sequence(const Sequence&) = delete;
    Sequence& operator=(const Sequence&) = delete;

    SequenceKind kind() const { return m_kind; }
    const std::vector<Value>& items() const { return m_items; }
    std::uint32_t nesting() const { return m_nesting; }
    // A list, tuple or range: has a length, can be indexed.
    bool isIndexable() const { return m_kind <= SequenceKind::Range; }

 private:
    SequenceKind m_kind;
    std::vector<Value> m_items;
    std::uint32_t m_nesting = 1;
    Budget& m_budget;
    std::size_t m_charged = 0;
};

class Dict {
 public:
    using Entry = std::pair<Value, Value>;
    // Later entries with an equal key replace the value of the first.
    Dict(std::vector<Entry> entries, Budget& budget);
    ~Dict() { m_budget.give(m_charged); }
    Dict(const Dict&) = delete;
    Dict& operator=(const Dict&) = delete;

    const std::vector<Entry>& entries() const { return m_entries; }
    const Value* find(const Value& key) const;
    const Value* find(std::string_view key) const;
    std::uint32_t nesting() const { return m_nesting; }

 private:
    const Value* findSpelled(const std::string& spelled) const;

    std::vector<Entry> m_entries;
    std::unordered_map<std::string, std::size_t> m_index;  // by spelled key
    std::uint32_t m_nesting = 1;
    Budget& m_budget;
    std::size_t m_charged = 0;
};

// A thing with attributes or that can be called: namespace, loop, macro, function.
class Object {
 public:
    virtual ~Object() = default;
    virtual const char* typeName() const = 0;
    // Nothing: no such attribute.
    virtual std::unique_ptr<Value> attribute(std::string_view /*name*/) { return nullptr; }
    virtual bool isCallable() const { return false; }
    virtual Value call(Interpreter& interpreter, Arguments& arguments);
};

// Arguments of a call, filter or test.
struct Arguments {
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> named;

    // Fails unless every argument has a place in `names`.
    void expect(const char* function, std::initializer_list<const char*> names) const;
    // The argument at a place or of that name; null when it is not given.
    const Value* get(std::size_t place, const char* name) const;
    const Value& need(const char* function, std::size_t place, const char* name) const;
};

// The name of an argument as a text. Content, because f(**x) takes names from anywhere.
Value nameText(std::string_view name, Budget& budget);

// Everything in `json` is content.
Value fromJson(const Json& json, Budget& budget);

// --- questions about values (Python's rules) ---
const char* typeName(const Value& value);  // "str", "int", "dict" …
bool isTrue(const Value& value);
bool areEqual(const Value& a, const Value& b, Budget& budget);
// <0, 0, >0; fails for types that have no order.
int compare(const Value& a, const Value& b, const char* symbol, Budget& budget);
// The items a loop goes over; fails for what cannot be iterated. Undefined: nothing.
std::vector<Value> itemsOf(const Value& value, Budget& budget);
bool isIterable(const Value& value);
// Fails for undefined values with their sentence.
void needDefined(const Value& value);

Value list(std::vector<Value> items, Budget& budget);
Value tuple(std::vector<Value> items, Budget& budget);

}  // namespace agens::text
