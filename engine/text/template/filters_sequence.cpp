// SPDX-License-Identifier: Apache-2.0
// Filters on lists, mappings and everything that can be iterated. What the language gives as a lazy
// generator is computed at once here; it still has no length and no index, as there.
#include <algorithm>

#include "engine/text/template/failure.h"
#include "engine/text/template/interpreter.h"
#include "engine/text/template/library_tables.h"
#include "engine/text/template/operators.h"
#include "engine/text/template/python_text.h"

namespace agens::text {
namespace {

Value generator(std::vector<Value> items, Budget& budget) {
    return std::make_shared<const Sequence>(SequenceKind::Generator, std::move(items), budget);
}

Value filterLength(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("length", {});
    if (subject.isUndefined()) return Value::integer(0);
    if (const Text* text = subject.asText()) {
        i.budget().moveText(text->bytes().size());
        return Value::integer(static_cast<Integer>(characterCount(text->bytes())));
    }
    if (const Dict* dict = subject.asDict()) {
        return Value::integer(static_cast<Integer>(dict->entries().size()));
    }
    const Sequence* sequence = subject.asSequence();
    if (sequence == nullptr || sequence->kind() == SequenceKind::Generator) {
        failRuntime(std::string("A value of type ") + typeName(subject) + " has no length.");
    }
    return Value::integer(static_cast<Integer>(sequence->items().size()));
}

Value filterFirst(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("first", {});
    const std::vector<Value> items = itemsOf(subject, i.budget());
    return items.empty() ? Value::undefined("There is no first item.") : items.front();
}

Value filterLast(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("last", {});
    const std::vector<Value> items = itemsOf(subject, i.budget());
    return items.empty() ? Value::undefined("There is no last item.") : items.back();
}

Value filterList(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("list", {});
    return list(itemsOf(subject, i.budget()), i.budget());
}

Value filterItems(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("items", {});
    std::vector<Value> pairs;
    if (!subject.isUndefined()) {
        if (subject.asDict() == nullptr) failRuntime("The filter items needs a mapping.");
        for (const auto& [key, value] : subject.asDict()->entries()) {
            pairs.push_back(tuple({key, value}, i.budget()));
        }
    }
    return generator(std::move(pairs), i.budget());
}

// "a.b.0" of each item: attributes and indices one after the other.
Value attributePath(Interpreter& i, const Value& item, const Value& path) {
    if (path.asText() == nullptr) return i.item(item, path);
    Value value = item;
    std::string_view rest = path.asText()->bytes();
    for (;;) {
        const std::size_t dot = rest.find('.');
        const std::string_view part = rest.substr(0, dot);
        const bool isIndex = !part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
            return c >= '0' && c <= '9';
        });
        if (isIndex && part.size() < 10) {
            value = i.item(value, Value::integer(std::stoi(std::string(part))));
        } else {
            value = i.item(value, Text::literal(std::string(part)));
        }
        if (dot == std::string_view::npos) return value;
        rest.remove_prefix(dot + 1);
    }
}

Value filterJoin(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("join", {"d", "attribute"});
    const Value* given = arguments.get(0, "d");
    const TextPtr separator = given == nullptr ? Text::literal("") : textOf(i, *given);
    const Value* path = arguments.get(1, "attribute");
    TextBuilder builder(i.budget());
    bool isFirst = true;
    for (const Value& item : itemsOf(subject, i.budget())) {
        if (!isFirst) builder.add(*separator);
        isFirst = false;
        const bool hasPath = path != nullptr && !path->isNone();
        addPrinted(builder, hasPath ? attributePath(i, item, *path) : item, i.budget());
    }
    return builder.finish();
}

Value filterReverse(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("reverse", {});
    std::vector<Value> items = itemsOf(subject, i.budget());
    std::reverse(items.begin(), items.end());
    if (subject.asText() == nullptr) return generator(std::move(items), i.budget());
    TextBuilder builder(i.budget());
    for (const Value& character : items)
        builder.add(*character.asText());
    return builder.finish();
}

// What items are compared by: themselves or an attribute, texts without case unless wanted.
struct SortKey {
    const Value* path = nullptr;
    bool caseSensitive = false;

    Value of(Interpreter& i, const Value& item) const {
        Value key = path == nullptr || path->isNone() ? item : attributePath(i, item, *path);
        if (caseSensitive || key.asText() == nullptr) return key;
        return withCase(*key.asText(), CaseChange::Lower, i.budget());
    }
};

bool flag(const Arguments& arguments, std::size_t place, const char* name) {
    const Value* value = arguments.get(place, name);
    return value != nullptr && isTrue(*value);
}

std::vector<Value> sortedBy(Interpreter& i, std::vector<Value> items, const SortKey& key,
                            bool reverse) {
    std::vector<std::pair<Value, Value>> keyed;
    for (Value& item : items) {
        Value sortKey = key.of(i, item);
        keyed.emplace_back(std::move(sortKey), std::move(item));
    }
    std::stable_sort(keyed.begin(), keyed.end(), [&](const auto& a, const auto& b) {
        const int order = compare(a.first, b.first, "<", i.budget());
        return reverse ? order > 0 : order < 0;
    });
    std::vector<Value> sorted;
    for (auto& pair : keyed)
        sorted.push_back(std::move(pair.second));
    return sorted;
}

Value filterSort(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("sort", {"reverse", "case_sensitive", "attribute"});
    const Value* path = arguments.get(2, "attribute");
    if (path != nullptr && path->asText() != nullptr &&
        path->asText()->bytes().find(',') != std::string_view::npos) {
        failUnsupported("Sorting by several attributes");
    }
    const SortKey key{path, flag(arguments, 1, "case_sensitive")};
    return list(sortedBy(i, itemsOf(subject, i.budget()), key, flag(arguments, 0, "reverse")),
                i.budget());
}

Value filterDictSort(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("dictsort", {"case_sensitive", "by", "reverse"});
    needDefined(subject);
    if (subject.asDict() == nullptr) failRuntime("The filter dictsort needs a mapping.");
    const Value* by = arguments.get(1, "by");
    const std::string_view name =
        by == nullptr ? "key" : needText(*by, "The argument by of dictsort").bytes();
    if (name != "key" && name != "value") failRuntime("dictsort sorts by key or by value.");
    std::vector<Value> pairs;
    for (const auto& [key, value] : subject.asDict()->entries()) {
        pairs.push_back(tuple({key, value}, i.budget()));
    }
    const Value place = Value::integer(name == "key" ? 0 : 1);
    const SortKey key{&place, flag(arguments, 0, "case_sensitive")};
    return list(sortedBy(i, std::move(pairs), key, flag(arguments, 2, "reverse")), i.budget());
}

Value filterUnique(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("unique", {"case_sensitive", "attribute"});
    const SortKey key{arguments.get(1, "attribute"), flag(arguments, 0, "case_sensitive")};
    std::vector<Value> seen;
    std::vector<Value> kept;
    for (const Value& item : itemsOf(subject, i.budget())) {
        Value each = key.of(i, item);
        const bool isKnown = std::any_of(seen.begin(), seen.end(), [&](const Value& known) {
            return areEqual(known, each, i.budget());
        });
        if (isKnown) continue;
        seen.push_back(std::move(each));
        kept.push_back(item);
    }
    return generator(std::move(kept), i.budget());
}

Value extreme(Interpreter& i, const Value& subject, Arguments& arguments, int wantedOrder) {
    arguments.expect("min", {"case_sensitive", "attribute"});
    const SortKey key{arguments.get(1, "attribute"), flag(arguments, 0, "case_sensitive")};
    const std::vector<Value> items = itemsOf(subject, i.budget());
    if (items.empty()) return Value::undefined("There is no item to choose from.");
    std::size_t best = 0;
    Value bestKey = key.of(i, items[0]);
    for (std::size_t n = 1; n < items.size(); ++n) {
        Value each = key.of(i, items[n]);
        if (compare(each, bestKey, "<", i.budget()) * wantedOrder <= 0) continue;
        best = n;
        bestKey = std::move(each);
    }
    return items[best];
}
Value filterMin(Interpreter& i, const Value& subject, Arguments& arguments) {
    return extreme(i, subject, arguments, -1);
}
Value filterMax(Interpreter& i, const Value& subject, Arguments& arguments) {
    return extreme(i, subject, arguments, 1);
}

Value filterSum(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("sum", {"attribute", "start"});
    const Value* path = arguments.get(0, "attribute");
    const Value* start = arguments.get(1, "start");
    Value total = start == nullptr ? Value::integer(0) : *start;
    for (const Value& item : itemsOf(subject, i.budget())) {
        const bool hasPath = path != nullptr && !path->isNone();
        total = binary("+", total, hasPath ? attributePath(i, item, *path) : item, i.budget());
    }
    return total;
}

// The named argument `name`, taken out of the list.
std::optional<Value> takeNamed(Arguments& arguments, const char* name) {
    for (auto named = arguments.named.begin(); named != arguments.named.end(); ++named) {
        if (named->first != name) continue;
        Value value = std::move(named->second);
        arguments.named.erase(named);
        return value;
    }
    return std::nullopt;
}

Value takeFirst(Arguments& arguments, const char* what) {
    if (arguments.positional.empty()) failRuntime(std::string(what) + " is missing.");
    Value first = std::move(arguments.positional.front());
    arguments.positional.erase(arguments.positional.begin());
    return first;
}

// Items for map and select: the language lets them pass over anything that counts as false.
std::vector<Value> itemsIfAny(Interpreter& i, const Value& subject) {
    return isTrue(subject) ? itemsOf(subject, i.budget()) : std::vector<Value>();
}

Value filterMap(Interpreter& i, const Value& subject, Arguments& arguments) {
    const auto path = takeNamed(arguments, "attribute");
    const auto standard = takeNamed(arguments, "default");
    std::vector<Value> mapped;
    const Value name = path ? Value() : takeFirst(arguments, "The filter to map");
    for (const Value& item : itemsIfAny(i, subject)) {
        i.budget().step();
        if (path) {
            Value value = attributePath(i, item, *path);
            mapped.push_back(value.isUndefined() && standard ? *standard : std::move(value));
        } else {
            Arguments each = arguments;
            mapped.push_back(
                i.applyFilter(needText(name, "The filter to map").bytes(), item, each));
        }
    }
    return generator(std::move(mapped), i.budget());
}

Value selected(Interpreter& i, const Value& subject, Arguments& arguments, bool byAttribute,
               bool keepsTrue) {
    const Value path = byAttribute ? takeFirst(arguments, "The attribute") : Value();
    const bool hasTest = !arguments.positional.empty();
    const Value test = hasTest ? takeFirst(arguments, "The test") : Value();
    std::vector<Value> kept;
    for (const Value& item : itemsIfAny(i, subject)) {
        i.budget().step();
        const Value judged = byAttribute ? attributePath(i, item, path) : item;
        Arguments each = arguments;
        const bool holds = hasTest ? i.applyTest(needText(test, "The test").bytes(), judged, each)
                                   : isTrue(judged);
        if (holds == keepsTrue) kept.push_back(item);
    }
    return generator(std::move(kept), i.budget());
}

template <bool ByAttribute, bool KeepsTrue>
Value filterSelect(Interpreter& i, const Value& subject, Arguments& arguments) {
    return selected(i, subject, arguments, ByAttribute, KeepsTrue);
}

Value filterGroupBy(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("groupby", {"attribute", "default", "case_sensitive"});
    const Value& path = arguments.need("groupby", 0, "attribute");
    const SortKey key{&path, flag(arguments, 2, "case_sensitive")};
    const auto items = sortedBy(i, itemsOf(subject, i.budget()), key, false);
    std::vector<Value> groups;
    for (std::size_t begin = 0; begin < items.size();) {
        const Value common = key.of(i, items[begin]);
        std::size_t end = begin;
        std::vector<Value> members;
        while (end < items.size() && areEqual(key.of(i, items[end]), common, i.budget())) {
            members.push_back(items[end++]);
        }
        groups.push_back(
            tuple({attributePath(i, items[begin], path), list(std::move(members), i.budget())},
                  i.budget()));
        begin = end;
    }
    return list(std::move(groups), i.budget());
}

std::size_t needSize(const Value& value, const char* what) {
    const std::int64_t size = needCount(value, what);
    if (size < 1) failRuntime(std::string(what) + " is at least 1.");
    return static_cast<std::size_t>(size);
}

Value filterBatch(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("batch", {"linecount", "fill_with"});
    const std::size_t size =
        needSize(arguments.need("batch", 0, "linecount"), "The size of a batch");
    const Value* fill = arguments.get(1, "fill_with");
    std::vector<Value> batches;
    std::vector<Value> batch;
    for (const Value& item : itemsOf(subject, i.budget())) {
        if (batch.size() == size) batches.push_back(list(std::exchange(batch, {}), i.budget()));
        batch.push_back(item);
    }
    while (fill != nullptr && !fill->isNone() && !batch.empty() && batch.size() < size) {
        i.budget().step();
        batch.push_back(*fill);
    }
    if (!batch.empty()) batches.push_back(list(std::move(batch), i.budget()));
    return generator(std::move(batches), i.budget());
}

Value filterSlice(Interpreter& i, const Value& subject, Arguments& arguments) {
    arguments.expect("slice", {"slices", "fill_with"});
    const std::size_t count = needSize(arguments.need("slice", 0, "slices"), "The count of slices");
    const Value* fill = arguments.get(1, "fill_with");
    const std::vector<Value> items = itemsOf(subject, i.budget());
    const std::size_t even = items.size() / count;
    const std::size_t longer = items.size() % count;
    std::vector<Value> slices;
    std::size_t at = 0;
    for (std::size_t n = 0; n < count; ++n) {
        i.budget().step();
        const std::size_t size = even + (n < longer ? 1 : 0);
        std::vector<Value> slice(items.begin() + static_cast<std::ptrdiff_t>(at),
                                 items.begin() + static_cast<std::ptrdiff_t>(at + size));
        at += size;
        if (fill != nullptr && !fill->isNone() && n >= longer && longer > 0) slice.push_back(*fill);
        slices.push_back(list(std::move(slice), i.budget()));
    }
    return generator(std::move(slices), i.budget());
}

constexpr Filter kFilters[] = {
    {"batch", filterBatch},
    {"count", filterLength},
    {"dictsort", filterDictSort},
    {"first", filterFirst},
    {"groupby", filterGroupBy},
    {"items", filterItems},
    {"join", filterJoin},
    {"last", filterLast},
    {"length", filterLength},
    {"list", filterList},
    {"map", filterMap},
    {"max", filterMax},
    {"min", filterMin},
    {"reject", filterSelect<false, false>},
    {"rejectattr", filterSelect<true, false>},
    {"reverse", filterReverse},
    {"select", filterSelect<false, true>},
    {"selectattr", filterSelect<true, true>},
    {"slice", filterSlice},
    {"sort", filterSort},
    {"sum", filterSum},
    {"unique", filterUnique},
};

}  // namespace

std::span<const Filter> sequenceFilters() {
    return kFilters;
}

}  // namespace agens::text
