// SPDX-License-Identifier: Apache-2.0
#include "engine/text/template/objects.h"

#include "engine/text/template/failure.h"
#include "engine/text/template/python_text.h"

namespace agens::text {
namespace {

std::unique_ptr<Value> some(Value value) {
    return std::make_unique<Value>(std::move(value));
}
std::unique_ptr<Value> count(std::size_t number) {
    return some(Value::integer(static_cast<Integer>(number)));
}

Value textValue(std::string text) {
    return Text::literal(std::move(text));
}

}  // namespace

void Scope::set(std::string_view name, Value value) {
    for (auto& [known, old] : m_variables) {
        if (known != name) continue;
        old = std::move(value);
        return;
    }
    m_variables.emplace_back(name, std::move(value));
}

const Value* Scope::find(std::string_view name) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->m_parent.get()) {
        for (const auto& [known, value] : scope->m_variables) {
            if (known == name) return &value;
        }
    }
    return nullptr;
}

std::unique_ptr<Value> NamespaceObject::attribute(std::string_view name) {
    for (const auto& [known, value] : m_attributes) {
        if (known == name) return some(value);
    }
    return nullptr;
}

void NamespaceObject::set(std::string_view name, Value value) {
    for (auto& [known, old] : m_attributes) {
        if (known != name) continue;
        old = std::move(value);
        return;
    }
    m_budget.step(m_attributes.size() / 8);
    m_attributes.emplace_back(name, std::move(value));
}

void LoopObject::allowRecursion(const Statement& statement, std::shared_ptr<Scope> scope) {
    m_statement = &statement;
    m_scope = std::move(scope);
}

std::unique_ptr<Value> LoopObject::attribute(std::string_view name) {
    const std::size_t length = m_items.size();
    if (name == "index") return count(m_index + 1);
    if (name == "index0") return count(m_index);
    if (name == "revindex") return count(length - m_index);
    if (name == "revindex0") return count(length - m_index - 1);
    if (name == "first") return some(Value::boolean(m_index == 0));
    if (name == "last") return some(Value::boolean(m_index + 1 == length));
    if (name == "length") return count(length);
    if (name == "depth") return count(m_depth + 1);
    if (name == "depth0") return count(m_depth);
    if (name == "previtem") return some(neighbour(m_index > 0, m_index - 1, "previous"));
    if (name == "nextitem") return some(neighbour(m_index + 1 < length, m_index + 1, "next"));
    return nullptr;
}

Value LoopObject::neighbour(bool exists, std::size_t index, const char* what) const {
    if (exists) return m_items[index];
    return Value::undefined(std::string("There is no ") + what + " item.");
}

Value LoopObject::call(Interpreter& interpreter, Arguments& arguments) {
    if (m_statement == nullptr) failRuntime("Only a recursive loop can be called.");
    arguments.expect("loop", {"iterable"});
    return interpreter.runLoopAgain(*m_statement, m_scope, arguments.need("loop", 0, "iterable"),
                                    m_depth + 1);
}

Value LoopObject::cycle(const Arguments& arguments) const {
    if (arguments.positional.empty()) failRuntime("loop.cycle needs items to cycle through.");
    return arguments.positional[m_index % arguments.positional.size()];
}

Value LoopObject::changed(Arguments& arguments, Budget& budget) {
    Value now = tuple(std::move(arguments.positional), budget);
    const bool isChanged = m_lastChanged == nullptr || !areEqual(*m_lastChanged, now, budget);
    m_lastChanged = some(std::move(now));
    return Value::boolean(isChanged);
}

std::unique_ptr<Value> MacroObject::attribute(std::string_view name) {
    if (name == "name") return some(textValue(m_statement.name));
    if (name == "arguments" || name == "catch_kwargs" || name == "catch_varargs") {
        fail(FailureKind::Unsupported, "Looking into a macro is not supported.");
    }
    return nullptr;
}

Value MacroObject::call(Interpreter& interpreter, Arguments& arguments) {
    return interpreter.runMacro(m_statement, m_scope, arguments);
}

Value BoundMethod::call(Interpreter& interpreter, Arguments& arguments) {
    return m_method.function(interpreter, m_self, arguments);
}

std::unique_ptr<Value> CyclerObject::attribute(std::string_view name) {
    if (name == "current") return some(m_items[m_index]);
    return nullptr;
}

Value CyclerObject::next() {
    Value current = m_items[m_index];
    m_index = (m_index + 1) % m_items.size();
    return current;
}

Value JoinerObject::call(Interpreter& /*interpreter*/, Arguments& arguments) {
    arguments.expect("joiner", {});
    if (std::exchange(m_used, true)) return m_separator;
    return textValue("");
}

}  // namespace agens::text
