// SPDX-License-Identifier: Apache-2.0
// Interpreter: walks a parsed template once, with the variables of one rendering.
//
// Names are looked up in the scope of the statement, then outwards, then among the global
// functions. `set` writes into the innermost scope: a loop turn, a macro call, a block have their
// own; `if` has none. A macro sees the scope it was defined in, as it is when the macro runs.
// Errors: TemplateFailure. Thread: one rendering; nothing survives it.
#pragma once

#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/template/budget.h"
#include "engine/text/template/tree.h"
#include "engine/text/template/value.h"

namespace agens::text {

class Scope;
class NamespaceObject;

class Interpreter {
 public:
    // Requires: the budget outlives the interpreter; `now` is local time for strftime_now.
    Interpreter(Budget& budget, const std::tm& now);
    ~Interpreter();
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    void setVariable(const std::string& name, Value value);
    TextPtr render(const Body& body);

    // --- for filters, tests, methods, functions and objects ---
    Budget& budget() { return m_budget; }
    const std::tm& now() const { return m_now; }
    Value call(const Value& callee, Arguments& arguments);
    Value applyFilter(std::string_view name, const Value& subject, Arguments& arguments);
    bool applyTest(std::string_view name, const Value& subject, Arguments& arguments);
    // `subject.name` and `subject[key]` of an expression.
    Value attribute(const Value& subject, std::string_view name);
    Value item(const Value& subject, const Value& key);
    std::shared_ptr<NamespaceObject> makeNamespace();
    // Body of a macro or caller with its arguments bound.
    Value runMacro(const Statement& macro, const std::shared_ptr<Scope>& definition,
                   Arguments& arguments);
    // One level of a recursive loop over `items`.
    Value runLoopAgain(const Statement& loop, const std::shared_ptr<Scope>& scope,
                       const Value& items, std::size_t depth);

 private:
    enum class Flow { Normal, Break, Continue };
    class ScopeGuard;

    // interpreter.cpp
    Flow run(const Body& body);
    Flow runStatement(const Statement& statement);
    Flow runIf(const Statement& statement);
    Flow runFor(const Statement& statement);
    Flow runLoop(const Statement& statement, const Value& iterable, std::size_t depth);
    std::vector<Value> loopItems(const Statement& statement, const Value& iterable);
    Flow runWith(const Statement& statement);
    void defineMacro(const Statement& statement);
    void runCallBlock(const Statement& statement);
    TextPtr capture(const Body& body);
    Value filtered(const ExprPtr& filters, TextPtr text);
    void assign(const Target& target, const Value& value);
    void keepScope(const std::shared_ptr<Scope>& scope);
    void bindParameters(const Statement& macro, Arguments& arguments);
    void bindFurther(const Statement& macro, Arguments& arguments);

    // evaluate.cpp
    Value evaluate(const Expr& expr);
    Value evaluateName(const Expr& expr);
    Value evaluateDict(const Expr& expr);
    Value evaluateItem(const Expr& expr);
    Value evaluateCall(const Expr& expr, Arguments* further = nullptr);
    Value evaluateFilter(const Expr& expr);
    bool evaluateTest(const Expr& expr);
    bool evaluateCompare(const Expr& expr);
    Value evaluateConcat(const Expr& expr);
    std::vector<Value> evaluateAll(const std::vector<ExprPtr>& parts, std::size_t from);
    Arguments evaluateArguments(const Expr& expr);
    void spreadArguments(const Expr& expr, Arguments& arguments);
    bool contains(const Value& container, const Value& wanted);

    Budget& m_budget;
    std::tm m_now;
    std::shared_ptr<Scope> m_scope;
    TextBuilder* m_out = nullptr;
    // Everything that could hold a cycle; emptied at the end.
    std::vector<std::shared_ptr<NamespaceObject>> m_namespaces;
    std::vector<std::shared_ptr<Scope>> m_keptScopes;
};

}  // namespace agens::text
