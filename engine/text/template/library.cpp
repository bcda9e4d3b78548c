// SPDX-License-Identifier: Apache-2.0
// Finding things by name, methods of lists and mappings, global functions.
#include "engine/text/template/library.h"

#include <algorithm>

#include "engine/text/template/failure.h"
#include "engine/text/template/library_tables.h"
#include "engine/text/template/objects.h"
#include "engine/text/template/operators.h"
#include "engine/text/template/python_text.h"
#include "engine/text/template/time_text.h"

namespace agens::text {
namespace {

template <class Entry>
const Entry* findIn(std::span<const Entry> entries, std::string_view name) {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const Entry& entry) { return entry.name == name; });
    return found == entries.end() ? nullptr : &*found;
}

// ---------------------------------------------------------------- methods of lists and mappings

Value refusedMethod(Interpreter&, const Value& subject, Arguments&) {
    fail(FailureKind::Refused,
         std::string("A chat template may not change a ") + typeName(subject) + ".");
}

Value view(SequenceKind kind, const Value& subject, Interpreter& interpreter) {
    std::vector<Value> items;
    for (const auto& [key, value] : subject.asDict()->entries()) {
        if (kind == SequenceKind::Keys) items.push_back(key);
        if (kind == SequenceKind::Values) items.push_back(value);
        if (kind == SequenceKind::Items) items.push_back(tuple({key, value}, interpreter.budget()));
    }
    return std::make_shared<const Sequence>(kind, std::move(items), interpreter.budget());
}

Value dictItems(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("items", {});
    return view(SequenceKind::Items, subject, i);
}
Value dictKeys(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("keys", {});
    return view(SequenceKind::Keys, subject, i);
}
Value dictValues(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("values", {});
    return view(SequenceKind::Values, subject, i);
}
Value dictGet(Interpreter&, const Value& subject, Arguments& arguments) {
    arguments.expect("get", {"key", "default"});
    const Value* found = subject.asDict()->find(arguments.need("get", 0, "key"));
    if (found != nullptr) return *found;
    const Value* standard = arguments.get(1, "default");
    return standard == nullptr ? Value(None{}) : *standard;
}
Value sameValue(Interpreter&, const Value& subject, Arguments& arguments) {
    arguments.expect("copy", {});
    return subject;  // values never change, so a copy is the value
}
Value listCount(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("count", {"value"});
    const Value& wanted = arguments.need("count", 0, "value");
    const auto& items = subject.asSequence()->items();
    const auto found = std::count_if(items.begin(), items.end(), [&](const Value& item) {
        return areEqual(item, wanted, i.budget());
    });
    return Value::integer(found);
}
Value listIndex(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("index", {"value"});
    const Value& wanted = arguments.need("index", 0, "value");
    const auto& items = subject.asSequence()->items();
    for (std::size_t place = 0; place < items.size(); ++place) {
        if (areEqual(items[place], wanted, i.budget())) {
            return Value::integer(static_cast<Integer>(place));
        }
    }
    failRuntime("The list has no such element.");
}

constexpr Method kDictMethods[] = {
    {"clear", refusedMethod},   {"copy", sameValue},
    {"get", dictGet},           {"items", dictItems},
    {"keys", dictKeys},         {"pop", refusedMethod},
    {"popitem", refusedMethod}, {"setdefault", refusedMethod},
    {"update", refusedMethod},  {"values", dictValues},
};
constexpr Method kListMethods[] = {
    {"append", refusedMethod},  {"clear", refusedMethod},  {"copy", sameValue},
    {"count", listCount},       {"extend", refusedMethod}, {"index", listIndex},
    {"insert", refusedMethod},  {"pop", refusedMethod},    {"remove", refusedMethod},
    {"reverse", refusedMethod}, {"sort", refusedMethod},
};
constexpr Method kTupleMethods[] = {{"count", listCount}, {"index", listIndex}};

Value loopCycle(Interpreter&, const Value& subject, Arguments& arguments) {
    return dynamic_cast<LoopObject&>(*subject.asObject()).cycle(arguments);
}
Value loopChanged(Interpreter& i, const Value& subject, Arguments& arguments) {
    return dynamic_cast<LoopObject&>(*subject.asObject()).changed(arguments, i.budget());
}
Value cyclerNext(Interpreter&, const Value& subject, Arguments&) {
    return dynamic_cast<CyclerObject&>(*subject.asObject()).next();
}
Value cyclerReset(Interpreter&, const Value& subject, Arguments&) {
    dynamic_cast<CyclerObject&>(*subject.asObject()).reset();
    return None{};
}
constexpr Method kLoopMethods[] = {{"changed", loopChanged}, {"cycle", loopCycle}};
constexpr Method kCyclerMethods[] = {{"next", cyclerNext}, {"reset", cyclerReset}};

// ---------------------------------------------------------------- global functions

constexpr std::int64_t kLongestRange = 100'000;

Value globalRange(Interpreter& i, Arguments& arguments) {
    arguments.expect("range", {"start", "stop", "step"});
    if (!arguments.named.empty()) failRuntime("range takes no named arguments.");
    const auto argument = [&](std::size_t place, std::int64_t standard) {
        return place < arguments.positional.size()
                   ? needCount(arguments.positional[place], "An argument of range")
                   : standard;
    };
    if (arguments.positional.empty()) failRuntime("range needs an argument.");
    const bool hasStart = arguments.positional.size() > 1;
    const std::int64_t start = hasStart ? argument(0, 0) : 0;
    const std::int64_t stop = argument(hasStart ? 1 : 0, 0);
    const std::int64_t step = argument(2, 1);
    if (step == 0) failRuntime("The step of a range is zero.");
    const std::int64_t span = step > 0 ? stop - start : start - stop;
    const std::int64_t size = span <= 0 ? 0 : (span - 1) / std::abs(step) + 1;
    if (size > kLongestRange) {
        fail(FailureKind::Limit, "A range may hold " + std::to_string(kLongestRange) + " numbers.");
    }
    std::vector<Value> items;
    for (std::int64_t n = 0; n < size; ++n)
        items.push_back(Value::integer(start + n * step));
    return std::make_shared<const Sequence>(SequenceKind::Range, std::move(items), i.budget());
}

Value globalRaise(Interpreter& i, Arguments& arguments) {
    arguments.expect("raise_exception", {"message"});
    const Value& message = arguments.need("raise_exception", 0, "message");
    fail(FailureKind::Raised, std::string(printed(message, i.budget())->bytes()));
}

Value globalStrftime(Interpreter& i, Arguments& arguments) {
    arguments.expect("strftime_now", {"format"});
    const Text& format = needText(arguments.need("strftime_now", 0, "format"), "A time format");
    return TextBuilder(i.budget()).add(timeText(format.bytes(), i.now()), Mark::Template).finish();
}

std::vector<Dict::Entry> pairsOf(Interpreter& i, Arguments& arguments, const char* function) {
    if (arguments.positional.size() > 1) failRuntime(std::string(function) + " takes one value.");
    std::vector<Dict::Entry> entries;
    if (!arguments.positional.empty()) {
        const Value& source = arguments.positional[0];
        if (const Dict* dict = source.asDict()) {
            entries = dict->entries();
        } else {
            for (const Value& pair : itemsOf(source, i.budget())) {
                std::vector<Value> both = itemsOf(pair, i.budget());
                if (both.size() != 2) failRuntime(std::string(function) + " needs pairs.");
                entries.emplace_back(std::move(both[0]), std::move(both[1]));
            }
        }
    }
    for (auto& [name, value] : arguments.named) {
        entries.emplace_back(Text::literal(name), std::move(value));
    }
    return entries;
}

Value globalDict(Interpreter& i, Arguments& arguments) {
    return std::make_shared<const Dict>(pairsOf(i, arguments, "dict"), i.budget());
}

Value globalNamespace(Interpreter& i, Arguments& arguments) {
    const auto made = i.makeNamespace();
    for (const auto& [name, value] : pairsOf(i, arguments, "namespace")) {
        made->set(needText(name, "A name in a namespace").bytes(), value);
    }
    return ObjectPtr(made);
}

Value globalCycler(Interpreter&, Arguments& arguments) {
    if (arguments.positional.empty()) failRuntime("cycler needs items to cycle through.");
    return ObjectPtr(std::make_shared<CyclerObject>(std::move(arguments.positional)));
}

Value globalJoiner(Interpreter&, Arguments& arguments) {
    arguments.expect("joiner", {"sep"});
    const Value* separator = arguments.get(0, "sep");
    return ObjectPtr(std::make_shared<JoinerObject>(
        separator == nullptr ? Value(Text::literal(", ")) : *separator));
}

struct GlobalFunction {
    std::string_view name;
    Value (*function)(Interpreter&, Arguments&);
};
constexpr GlobalFunction kGlobals[] = {
    {"cycler", globalCycler},         {"dict", globalDict},
    {"joiner", globalJoiner},         {"namespace", globalNamespace},
    {"raise_exception", globalRaise}, {"range", globalRange},
    {"strftime_now", globalStrftime},
};

class FunctionObject final : public Object {
 public:
    explicit FunctionObject(const GlobalFunction& function) : m_function(function) {}
    const char* typeName() const override { return "function"; }
    bool isCallable() const override { return true; }
    Value call(Interpreter& interpreter, Arguments& arguments) override {
        return m_function.function(interpreter, arguments);
    }

 private:
    const GlobalFunction& m_function;
};

}  // namespace

const Filter* findFilter(std::string_view name) {
    for (const auto table : {textFilters(), valueFilters(), sequenceFilters()}) {
        if (const Filter* filter = findIn(table, name)) return filter;
    }
    return nullptr;
}

const Test* findTest(std::string_view name) {
    return findIn(valueTests(), name);
}

const Method* findMethod(const Value& subject, std::string_view name) {
    const auto in = [name](std::span<const Method> methods) { return findIn(methods, name); };
    if (subject.asText() != nullptr) return in(textMethods());
    if (subject.asDict() != nullptr) return in(kDictMethods);
    if (const Sequence* sequence = subject.asSequence()) {
        if (sequence->kind() == SequenceKind::List) return in(kListMethods);
        return sequence->kind() == SequenceKind::Tuple ? in(kTupleMethods) : nullptr;
    }
    if (dynamic_cast<LoopObject*>(subject.asObject()) != nullptr) return in(kLoopMethods);
    if (dynamic_cast<CyclerObject*>(subject.asObject()) != nullptr) return in(kCyclerMethods);
    return nullptr;
}

Value findGlobal(std::string_view name) {
    const GlobalFunction* function = findIn(std::span<const GlobalFunction>(kGlobals), name);
    if (function == nullptr) return Value::undefined("'" + std::string(name) + "' is undefined.");
    return ObjectPtr(std::make_shared<FunctionObject>(*function));
}

}  // namespace agens::text
