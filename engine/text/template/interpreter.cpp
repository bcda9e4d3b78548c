// SPDX-License-Identifier: Apache-2.0
// Statements, scopes and macros.
#include "engine/text/template/interpreter.h"

#include <algorithm>
#include <utility>

#include "engine/text/template/failure.h"
#include "engine/text/template/objects.h"
#include "engine/text/template/python_text.h"

namespace agens::text {

// A scope for the time of a block.
class Interpreter::ScopeGuard {
 public:
    ScopeGuard(Interpreter& interpreter, std::shared_ptr<Scope> parent)
        : m_interpreter(interpreter),
          m_around(std::exchange(interpreter.m_scope, std::make_shared<Scope>(std::move(parent)))) {
    }
    explicit ScopeGuard(Interpreter& interpreter) : ScopeGuard(interpreter, interpreter.m_scope) {}
    ~ScopeGuard() { m_interpreter.m_scope = std::move(m_around); }
    ScopeGuard(const ScopeGuard&) = delete;
    ScopeGuard& operator=(const ScopeGuard&) = delete;

 private:
    Interpreter& m_interpreter;
    std::shared_ptr<Scope> m_around;
};

Interpreter::Interpreter(Budget& budget, const std::tm& now)
    : m_budget(budget), m_now(now), m_scope(std::make_shared<Scope>(nullptr)) {}

Interpreter::~Interpreter() {
    for (const auto& scope : m_keptScopes)
        scope->clear();
    for (const auto& object : m_namespaces)
        object->clear();
}

void Interpreter::setVariable(const std::string& name, Value value) {
    m_scope->set(name, std::move(value));
}

TextPtr Interpreter::render(const Body& body) {
    return capture(body);
}

TextPtr Interpreter::capture(const Body& body) {
    TextBuilder builder(m_budget);
    TextBuilder* around = std::exchange(m_out, &builder);
    try {
        run(body);
    } catch (...) {
        m_out = around;
        throw;
    }
    m_out = around;
    return builder.finish();
}

Interpreter::Flow Interpreter::run(const Body& body) {
    const DepthGuard depth(m_budget);
    for (const auto& statement : body) {
        m_budget.step();
        Flow flow = Flow::Normal;
        try {
            flow = runStatement(*statement);
        } catch (TemplateFailure& failure) {
            if (failure.line == 0) failure.line = statement->line;
            throw;
        }
        if (flow != Flow::Normal) return flow;
    }
    return Flow::Normal;
}

Interpreter::Flow Interpreter::runStatement(const Statement& statement) {
    switch (statement.kind) {
        case StatementKind::Data:
            m_out->add(*statement.data);
            break;
        case StatementKind::Output:
            addPrinted(*m_out, evaluate(*statement.exprs[0]), m_budget);
            break;
        case StatementKind::If:
            return runIf(statement);
        case StatementKind::For:
            return runFor(statement);
        case StatementKind::Set:
            assign(statement.targets[0], evaluate(*statement.exprs[0]));
            break;
        case StatementKind::SetBlock: {
            TextPtr text;
            {
                const ScopeGuard scope(*this);
                text = capture(statement.bodies[0]);
            }
            const bool isFiltered = !statement.exprs.empty();
            assign(statement.targets[0],
                   isFiltered ? filtered(statement.exprs[0], std::move(text)) : Value(text));
            break;
        }
        case StatementKind::Macro:
            defineMacro(statement);
            break;
        case StatementKind::CallBlock:
            runCallBlock(statement);
            break;
        case StatementKind::FilterBlock: {
            const ScopeGuard scope(*this);
            addPrinted(*m_out, filtered(statement.exprs[0], capture(statement.bodies[0])),
                       m_budget);
            break;
        }
        case StatementKind::With:
            return runWith(statement);
        case StatementKind::Scope: {
            const ScopeGuard scope(*this);
            return run(statement.bodies[0]);
        }
        case StatementKind::Break:
            return Flow::Break;
        case StatementKind::Continue:
            return Flow::Continue;
    }
    return Flow::Normal;
}

Interpreter::Flow Interpreter::runIf(const Statement& statement) {
    for (std::size_t i = 0; i < statement.exprs.size(); ++i) {
        if (isTrue(evaluate(*statement.exprs[i]))) return run(statement.bodies[i]);
    }
    const bool hasElse = statement.bodies.size() > statement.exprs.size();
    return hasElse ? run(statement.bodies.back()) : Flow::Normal;
}

Interpreter::Flow Interpreter::runFor(const Statement& statement) {
    return runLoop(statement, evaluate(*statement.exprs[0]), 0);
}

std::vector<Value> Interpreter::loopItems(const Statement& statement, const Value& iterable) {
    std::vector<Value> items = itemsOf(iterable, m_budget);
    if (statement.exprs[1] == nullptr) return items;
    std::vector<Value> kept;
    for (Value& item : items) {
        const ScopeGuard scope(*this);
        m_budget.step();
        assign(statement.targets[0], item);
        if (isTrue(evaluate(*statement.exprs[1]))) kept.push_back(std::move(item));
    }
    return kept;
}

Interpreter::Flow Interpreter::runLoop(const Statement& statement, const Value& iterable,
                                       std::size_t depth) {
    const auto loop = std::make_shared<LoopObject>(loopItems(statement, iterable), depth);
    if (statement.isRecursive) loop->allowRecursion(statement, m_scope);
    if (loop->items().empty()) {
        if (statement.bodies.size() < 2) return Flow::Normal;
        const ScopeGuard scope(*this);
        return run(statement.bodies[1]);
    }
    for (std::size_t i = 0; i < loop->items().size(); ++i) {
        m_budget.step(2);
        loop->moveTo(i);
        const ScopeGuard scope(*this);
        m_scope->set("loop", Value(ObjectPtr(loop)));
        assign(statement.targets[0], loop->items()[i]);
        if (run(statement.bodies[0]) == Flow::Break) break;
    }
    return Flow::Normal;
}

Value Interpreter::runLoopAgain(const Statement& loop, const std::shared_ptr<Scope>& scope,
                                const Value& items, std::size_t depth) {
    const CallGuard call(m_budget);
    const ScopeGuard inner(*this, scope);
    TextBuilder builder(m_budget);
    TextBuilder* around = std::exchange(m_out, &builder);
    try {
        runLoop(loop, items, depth);
    } catch (...) {
        m_out = around;
        throw;
    }
    m_out = around;
    return builder.finish();
}

Interpreter::Flow Interpreter::runWith(const Statement& statement) {
    std::vector<Value> values;
    for (const ExprPtr& expr : statement.exprs)
        values.push_back(evaluate(*expr));
    const ScopeGuard scope(*this);
    for (std::size_t i = 0; i < values.size(); ++i)
        assign(statement.targets[i], values[i]);
    return run(statement.bodies[0]);
}

Value Interpreter::filtered(const ExprPtr& filters, TextPtr text) {
    const ScopeGuard scope(*this);
    m_scope->set(kBlockText, Value(std::move(text)));
    return evaluate(*filters);
}

void Interpreter::assign(const Target& target, const Value& value) {
    if (!target.attribute.empty()) {
        const Value* holder = m_scope->find(target.name);
        auto* space =
            holder == nullptr ? nullptr : dynamic_cast<NamespaceObject*>(holder->asObject());
        if (space == nullptr) {
            failRuntime("Attributes can be set on a namespace only; " + target.name + " is none.");
        }
        m_budget.take(sizeof(Value));  // given back when the rendering ends
        space->set(target.attribute, value);
        return;
    }
    if (target.parts.empty()) {
        m_scope->set(target.name, value);
        return;
    }
    const std::vector<Value> items = itemsOf(value, m_budget);
    if (items.size() != target.parts.size()) {
        failRuntime(std::to_string(target.parts.size()) + " values expected, " +
                    std::to_string(items.size()) + " found.");
    }
    for (std::size_t i = 0; i < items.size(); ++i)
        assign(target.parts[i], items[i]);
}

std::shared_ptr<NamespaceObject> Interpreter::makeNamespace() {
    m_budget.take(sizeof(NamespaceObject) + 64);
    m_namespaces.push_back(std::make_shared<NamespaceObject>(m_budget));
    return m_namespaces.back();
}

// Scopes that a macro refers to may hold that macro: a cycle that the destructor has to open.
void Interpreter::keepScope(const std::shared_ptr<Scope>& scope) {
    if (!m_keptScopes.empty() && m_keptScopes.back() == scope) return;
    m_budget.take(sizeof(Scope) + 64);
    m_keptScopes.push_back(scope);
}

void Interpreter::defineMacro(const Statement& statement) {
    keepScope(m_scope);
    m_scope->set(statement.name,
                 Value(ObjectPtr(std::make_shared<MacroObject>(statement, m_scope))));
}

void Interpreter::runCallBlock(const Statement& statement) {
    keepScope(m_scope);
    Arguments further;
    further.named.emplace_back("caller",
                               ObjectPtr(std::make_shared<MacroObject>(statement, m_scope)));
    addPrinted(*m_out, evaluateCall(*statement.exprs[0], &further), m_budget);
}

Value Interpreter::runMacro(const Statement& macro, const std::shared_ptr<Scope>& definition,
                            Arguments& arguments) {
    const CallGuard call(m_budget);
    const ScopeGuard scope(*this, definition);
    bindParameters(macro, arguments);
    return capture(macro.bodies[0]);
}

void Interpreter::bindParameters(const Statement& macro, Arguments& arguments) {
    std::size_t place = 0;
    std::vector<const Parameter*> missing;
    for (const Parameter& parameter : macro.parameters) {
        if (place < arguments.positional.size()) {
            m_scope->set(parameter.name, arguments.positional[place++]);
            continue;
        }
        const auto given =
            std::find_if(arguments.named.begin(), arguments.named.end(),
                         [&](const auto& argument) { return argument.first == parameter.name; });
        if (given != arguments.named.end()) {
            m_scope->set(parameter.name, given->second);
            arguments.named.erase(given);
        } else {
            missing.push_back(&parameter);
        }
    }
    arguments.positional.erase(arguments.positional.begin(),
                               arguments.positional.begin() + static_cast<std::ptrdiff_t>(place));
    for (const Parameter* parameter : missing) {
        m_scope->set(parameter->name, parameter->standard
                                          ? evaluate(*parameter->standard)
                                          : Value::undefined("The parameter " + parameter->name +
                                                             " was not given."));
    }
    bindFurther(macro, arguments);
}

void Interpreter::bindFurther(const Statement& macro, Arguments& arguments) {
    if (macro.special.caller) {
        const auto caller = std::find_if(arguments.named.begin(), arguments.named.end(),
                                         [](const auto& named) { return named.first == "caller"; });
        if (caller != arguments.named.end()) {
            m_scope->set("caller", caller->second);
            arguments.named.erase(caller);
        } else {
            m_scope->set("caller", Value::undefined("No caller is defined."));
        }
    }
    if (macro.special.kwargs) {
        std::vector<Dict::Entry> entries;
        for (auto& [name, value] : arguments.named) {
            entries.emplace_back(Text::literal(name), std::move(value));
        }
        m_scope->set("kwargs", Value(std::make_shared<const Dict>(std::move(entries), m_budget)));
    } else if (!arguments.named.empty()) {
        failRuntime("The macro " + macro.name + " has no parameter " + arguments.named[0].first +
                    ".");
    }
    if (macro.special.varargs) {
        m_scope->set("varargs", tuple(std::move(arguments.positional), m_budget));
    } else if (!arguments.positional.empty()) {
        failRuntime("The macro " + macro.name + " takes at most " +
                    std::to_string(macro.parameters.size()) + " arguments.");
    }
}

}  // namespace agens::text
