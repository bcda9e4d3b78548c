// SPDX-License-Identifier: Apache-2.0
// The parsed template: expressions and statements as plain nodes. One node type each; what a field
// holds for which kind stands beside the kind.
// Invariant: built by parser.cpp only; nesting at most kDeepestTree, so walking and destroying it
// needs bounded stack. Immutable afterwards, shared by renderings of any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/text/template/library.h"
#include "engine/text/template/value.h"

namespace agens::text {

inline constexpr std::uint32_t kDeepestTree = 400;

enum class ExprKind {
    Constant,  // constant
    Name,      // name
    List,
    Tuple,      // parts
    Dict,       // parts: key, value, key, value …
    Attribute,  // parts[0] . name
    Item,       // parts[0] [ parts[1] ]
    Slice,      // parts: begin, end, step; null where left out. Only as parts[1] of Item
    Call,       // parts[0] ( parts[1…], keywords )
    Filter,     // parts[0] | name ( parts[1…], keywords ); filter
    Test,       // parts[0] is name ( parts[1…], keywords ); test
    Negative,
    Positive,
    Not,      // parts[0]
    Binary,   // parts[0] name parts[1]: + - * / // % **
    Concat,   // parts joined as text
    Compare,  // parts[0] operators[0] parts[1] operators[1] …
    And,
    Or,           // parts[0], parts[1]
    Conditional,  // parts: condition, then, else (may be null)
};

struct Expr;
using ExprPtr = std::unique_ptr<const Expr>;

struct Expr {
    ExprKind kind = ExprKind::Constant;
    std::uint32_t line = 0;
    std::uint32_t depth = 1;  // of the tree below, itself included
    std::string name;
    Value constant;
    std::vector<ExprPtr> parts;
    std::vector<std::pair<std::string, ExprPtr>> keywords;
    ExprPtr spreadList;  // f(*x)
    ExprPtr spreadDict;  // f(**x)
    std::vector<std::string> operators;
    const Filter* filter = nullptr;  // null: unknown, in a branch that may never run
    const Test* test = nullptr;
};

// Where a value goes: a name, `name.attribute` of a namespace, or several of them.
struct Target {
    std::string name;
    std::string attribute;
    std::vector<Target> parts;
};

struct Parameter {
    std::string name;
    ExprPtr standard;  // null: none
};

enum class StatementKind {
    Data,    // data
    Output,  // exprs printed one after the other
    If,      // exprs[i] → bodies[i]; one body more: else
    For,  // target in exprs[0] (if exprs[1], may be null): bodies[0], else bodies[1]; isRecursive
    Set,  // target = exprs[0]
    SetBlock,     // target = bodies[0] as text, through exprs[0] if it is there
    Macro,        // name(parameters): bodies[0]
    CallBlock,    // exprs[0] is the call; parameters: bodies[0] is its caller()
    FilterBlock,  // bodies[0] through exprs[0]
    With,         // targets[i] = exprs[i] inside bodies[0]
    Scope,        // bodies[0] with a scope of its own (generation, block)
    Break,
    Continue,
};

// Names that a macro's body mentions.
struct SpecialNames {
    bool varargs = false;
    bool kwargs = false;
    bool caller = false;
};

struct Statement;
using Body = std::vector<std::unique_ptr<const Statement>>;

struct Statement {
    StatementKind kind = StatementKind::Data;
    std::uint32_t line = 0;
    TextPtr data;
    std::string name;
    std::vector<ExprPtr> exprs;
    std::vector<Body> bodies;
    std::vector<Target> targets;
    std::vector<Parameter> parameters;
    SpecialNames special;
    bool isRecursive = false;
};

// Name under which filters of a block find the text they work on.
inline constexpr const char* kBlockText = " block";

}  // namespace agens::text
