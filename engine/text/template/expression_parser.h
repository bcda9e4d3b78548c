// SPDX-License-Identifier: Apache-2.0
// The expression half of the parser and the token cursor both halves share. Internal to
// parser*.cpp.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "engine/text/template/lexer.h"
#include "engine/text/template/tree.h"

namespace agens::text {

class ExpressionParser {
 public:
    explicit ExpressionParser(std::vector<Token> tokens) : m_tokens(std::move(tokens)) {}

 protected:
    static constexpr std::uint32_t kDeepestSource = 200;

    // Counts how deep the parser has descended.
    class Nested {
     public:
        explicit Nested(ExpressionParser& parser);
        ~Nested() { --m_parser.m_nesting; }
        Nested(const Nested&) = delete;
        Nested& operator=(const Nested&) = delete;

     private:
        ExpressionParser& m_parser;
    };

    const Token& current() const { return m_tokens[m_at]; }
    const Token& look() const { return m_tokens[std::min(m_at + 1, m_tokens.size() - 1)]; }
    Token take();
    bool isName(std::string_view name) const;
    bool isOperator(std::string_view symbol) const;
    bool skipName(std::string_view name);
    bool skipOperator(std::string_view symbol);
    Token expect(TokenType type, const char* what);
    void expectOperator(std::string_view symbol);
    [[noreturn]] void failSyntax(const std::string& what) const;

    // The word that may follow a tuple without being part of it ("in", "recursive").
    ExprPtr parseTuple(bool allowConditional = true, std::string_view endWord = {},
                       bool inParentheses = false);
    ExprPtr parseExpression(bool allowConditional = true);
    ExprPtr parseFilters(ExprPtr subject, bool firstWithoutBar);
    ExprPtr parsePrimary();

    // Inside a branch unknown filters and tests are found out only when they run.
    std::uint32_t m_branches = 0;
    SpecialNames m_special;  // seen since the function around began

 private:
    ExprPtr parseConditional();
    ExprPtr parseOr();
    ExprPtr parseAnd();
    ExprPtr parseNot();
    ExprPtr parseCompare();
    ExprPtr parseSum();
    ExprPtr parseConcat();
    ExprPtr parseProduct();
    ExprPtr parsePower();
    ExprPtr parseUnary(bool withFilters);
    ExprPtr parsePostfix(ExprPtr subject);
    ExprPtr parseFiltersAndTests(ExprPtr subject);
    ExprPtr parseTest(ExprPtr subject);
    ExprPtr parseSubscript(ExprPtr subject);
    ExprPtr parseSubscriptPart();
    ExprPtr parseList();
    ExprPtr parseDict();
    ExprPtr parseNumber(const Token& token);
    void parseArguments(Expr& call);
    bool endsTuple(std::string_view endWord) const;
    std::string parseDottedName();

    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    std::uint32_t m_nesting = 0;
};

}  // namespace agens::text
