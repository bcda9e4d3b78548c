// SPDX-License-Identifier: Apache-2.0
// Objects a template can hold: namespace, loop, macro, method of a value, cycler, joiner; and the
// scope of variables. All belong to one rendering. Shared ownership: the template decides who holds
// them; the interpreter empties namespaces and kept scopes at its end, so cycles do not leak.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/text/template/interpreter.h"
#include "engine/text/template/library.h"

namespace agens::text {

class Scope {
 public:
    explicit Scope(std::shared_ptr<Scope> parent) : m_parent(std::move(parent)) {}

    void set(std::string_view name, Value value);
    // Here or further out; null: not set.
    const Value* find(std::string_view name) const;
    void clear() { m_variables.clear(); }

 private:
    std::shared_ptr<Scope> m_parent;
    std::vector<std::pair<std::string, Value>> m_variables;
};

class NamespaceObject final : public Object {
 public:
    explicit NamespaceObject(Budget& budget) : m_budget(budget) {}
    const char* typeName() const override { return "Namespace"; }
    std::unique_ptr<Value> attribute(std::string_view name) override;
    void set(std::string_view name, Value value);
    void clear() { m_attributes.clear(); }

 private:
    Budget& m_budget;
    std::vector<std::pair<std::string, Value>> m_attributes;
};

class LoopObject final : public Object {
 public:
    LoopObject(std::vector<Value> items, std::size_t depth)
        : m_items(std::move(items)), m_depth(depth) {}

    // The loop can be called with further items; `statement` outlives the rendering.
    void allowRecursion(const Statement& statement, std::shared_ptr<Scope> scope);
    const std::vector<Value>& items() const { return m_items; }
    void moveTo(std::size_t index) { m_index = index; }

    const char* typeName() const override { return "LoopContext"; }
    std::unique_ptr<Value> attribute(std::string_view name) override;
    bool isCallable() const override { return m_statement != nullptr; }
    Value call(Interpreter& interpreter, Arguments& arguments) override;
    Value cycle(const Arguments& arguments) const;
    Value changed(Arguments& arguments, Budget& budget);

 private:
    Value neighbour(bool exists, std::size_t index, const char* what) const;

    std::vector<Value> m_items;
    std::size_t m_depth;
    std::size_t m_index = 0;
    const Statement* m_statement = nullptr;
    std::shared_ptr<Scope> m_scope;
    std::unique_ptr<Value> m_lastChanged;
};

class MacroObject final : public Object {
 public:
    MacroObject(const Statement& statement, std::shared_ptr<Scope> scope)
        : m_statement(statement), m_scope(std::move(scope)) {}
    const char* typeName() const override { return "Macro"; }
    std::unique_ptr<Value> attribute(std::string_view name) override;
    bool isCallable() const override { return true; }
    Value call(Interpreter& interpreter, Arguments& arguments) override;

 private:
    const Statement& m_statement;
    std::shared_ptr<Scope> m_scope;
};

class BoundMethod final : public Object {
 public:
    BoundMethod(Value self, const Method& method) : m_self(std::move(self)), m_method(method) {}
    const char* typeName() const override { return "builtin_function_or_method"; }
    bool isCallable() const override { return true; }
    Value call(Interpreter& interpreter, Arguments& arguments) override;

 private:
    Value m_self;
    const Method& m_method;
};

class CyclerObject final : public Object {
 public:
    explicit CyclerObject(std::vector<Value> items) : m_items(std::move(items)) {}
    const char* typeName() const override { return "Cycler"; }
    std::unique_ptr<Value> attribute(std::string_view name) override;
    Value next();
    void reset() { m_index = 0; }

 private:
    std::vector<Value> m_items;
    std::size_t m_index = 0;
};

class JoinerObject final : public Object {
 public:
    explicit JoinerObject(Value separator) : m_separator(std::move(separator)) {}
    const char* typeName() const override { return "Joiner"; }
    bool isCallable() const override { return true; }
    Value call(Interpreter& interpreter, Arguments& arguments) override;

 private:
    Value m_separator;
    bool m_used = false;
};

}  // namespace agens::text
