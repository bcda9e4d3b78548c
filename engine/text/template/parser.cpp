// SPDX-License-Identifier: Apache-2.0
// The statement half.
#include "engine/text/template/parser.h"

#include <algorithm>
#include <utility>

#include "engine/text/template/expression_parser.h"
#include "engine/text/template/failure.h"

namespace agens::text {
namespace {

class Parser : public ExpressionParser {
 public:
    explicit Parser(std::string_view source) : ExpressionParser(tokenize(source)) {}

    Body parseAll() {
        Body body = parseBody({});
        if (current().type != TokenType::End) failUnknownTag(current(), {});
        return body;
    }

 private:
    using Words = std::initializer_list<std::string_view>;

    std::unique_ptr<Statement> statement(StatementKind kind, std::uint32_t line) {
        auto made = std::make_unique<Statement>();
        made->kind = kind;
        made->line = line;
        return made;
    }

    // Statements up to a block that begins with one of `ends`; its "{%" is taken, the word is
    // current.
    Body parseBody(Words ends) {
        const Nested nested(*this);
        Body body;
        for (;;) {
            const Token token = take();
            switch (token.type) {
                case TokenType::Data: {
                    auto data = statement(StatementKind::Data, token.line);
                    data->data = Text::literal(token.value);
                    body.push_back(std::move(data));
                    break;
                }
                case TokenType::VariableBegin: {
                    auto output = statement(StatementKind::Output, token.line);
                    output->exprs.push_back(parseTuple());
                    expect(TokenType::VariableEnd, "the end of the expression");
                    body.push_back(std::move(output));
                    break;
                }
                case TokenType::BlockBegin:
                    if (std::any_of(ends.begin(), ends.end(),
                                    [this](std::string_view end) { return isName(end); })) {
                        return body;
                    }
                    body.push_back(parseStatement(ends));
                    break;
                default:
                    if (ends.size() == 0) return body;
                    failSyntax("The template ends inside a block; expected " + listed(ends) + ".");
            }
        }
    }

    static std::string listed(Words words) {
        std::string text;
        for (const std::string_view word : words) {
            if (!text.empty()) text += " or ";
            text += word;
        }
        return text;
    }

    [[noreturn]] static void failUnknownTag(const Token& token, Words expected) {
        std::string what = "Unknown tag " + describe(token) + ".";
        if (expected.size() > 0) what += " Expected " + listed(expected) + ".";
        fail(FailureKind::Syntax, what, token.line);
    }

    void endBlock() {
        skipOperator(":");
        expect(TokenType::BlockEnd, "the end of the block");
    }

    // Behind "%}" of the opening block: the body and its closing block.
    Body parseBodyUntil(std::string_view end) {
        endBlock();
        Body body = parseBody({end});
        take();
        expect(TokenType::BlockEnd, "the end of the block");
        return body;
    }

    std::unique_ptr<Statement> parseStatement(Words expected) {
        const Token tag = expect(TokenType::Name, "the name of a block");
        if (tag.value == "if") return parseIf(tag.line);
        if (tag.value == "for") return parseFor(tag.line);
        if (tag.value == "set") return parseSet(tag.line);
        if (tag.value == "macro") return parseMacro(tag.line);
        if (tag.value == "call") return parseCallBlock(tag.line);
        if (tag.value == "filter") return parseFilterBlock(tag.line);
        if (tag.value == "with") return parseWith(tag.line);
        if (tag.value == "generation") return parseScope(tag.line, "endgeneration");
        if (tag.value == "break" || tag.value == "continue") return parseLoopControl(tag);
        if (tag.value == "include" || tag.value == "import" || tag.value == "from" ||
            tag.value == "extends") {
            fail(FailureKind::Refused, "A chat template may not load another template.", tag.line);
        }
        if (tag.value == "block" || tag.value == "autoescape" || tag.value == "print") {
            fail(FailureKind::Unsupported, "The block " + tag.value + " is not supported.",
                 tag.line);
        }
        failUnknownTag(tag, expected);
    }

    std::unique_ptr<Statement> parseIf(std::uint32_t line) {
        auto made = statement(StatementKind::If, line);
        ++m_branches;
        for (;;) {
            made->exprs.push_back(parseTuple(false));
            endBlock();
            made->bodies.push_back(parseBody({"elif", "else", "endif"}));
            const Token next = take();
            if (next.value == "elif") continue;
            if (next.value == "else") {
                endBlock();
                made->bodies.push_back(parseBody({"endif"}));
                take();
            }
            break;
        }
        --m_branches;
        expect(TokenType::BlockEnd, "the end of the block");
        return made;
    }

    std::unique_ptr<Statement> parseFor(std::uint32_t line) {
        auto made = statement(StatementKind::For, line);
        made->targets.push_back(parseTarget("in", false));
        if (!skipName("in")) failSyntax("Expected in, found " + describe(current()) + ".");
        made->exprs.push_back(parseTuple(false, "recursive"));
        made->exprs.push_back(skipName("if") ? parseExpression() : nullptr);
        made->isRecursive = skipName("recursive");
        endBlock();
        ++m_loops;
        made->bodies.push_back(parseBody({"endfor", "else"}));
        --m_loops;
        if (take().value == "else") {
            endBlock();
            made->bodies.push_back(parseBody({"endfor"}));
            take();
        }
        expect(TokenType::BlockEnd, "the end of the block");
        return made;
    }

    std::unique_ptr<Statement> parseSet(std::uint32_t line) {
        auto made = statement(StatementKind::Set, line);
        made->targets.push_back(parseTarget({}, true));
        if (skipOperator("=")) {
            made->exprs.push_back(parseTuple());
            expect(TokenType::BlockEnd, "the end of the block");
            return made;
        }
        made->kind = StatementKind::SetBlock;
        if (isOperator("|")) made->exprs.push_back(parseFilters(blockText(line), false));
        made->bodies.push_back(parseBodyUntil("endset"));
        return made;
    }

    static ExprPtr blockText(std::uint32_t line) {
        auto expr = std::make_unique<Expr>();
        expr->kind = ExprKind::Name;
        expr->line = line;
        expr->name = kBlockText;
        return expr;
    }

    std::string parseNewName() {
        const Token token = expect(TokenType::Name, "a name");
        constexpr std::string_view kConstants[] = {"true",  "True", "false",
                                                   "False", "none", "None"};
        if (std::find(std::begin(kConstants), std::end(kConstants), token.value) !=
            std::end(kConstants)) {
            fail(FailureKind::Syntax, "The constant " + token.value + " cannot be changed.",
                 token.line);
        }
        return token.value;
    }

    Target parseTarget(std::string_view endWord, bool allowAttribute) {
        const Nested nested(*this);
        Target target;
        bool isTuple = false;
        for (;;) {
            if (!target.parts.empty()) expectOperator(",");
            const bool ends = isOperator("=") || isOperator(")") ||
                              current().type == TokenType::BlockEnd ||
                              (!endWord.empty() && isName(endWord));
            if (ends && !target.parts.empty()) break;
            target.parts.push_back(parseTargetPart(allowAttribute));
            if (!isOperator(",")) break;
            isTuple = true;
        }
        if (isTuple) return target;
        Target only = std::move(target.parts.front());
        return only;
    }

    Target parseTargetPart(bool allowAttribute) {
        Target target;
        if (skipOperator("(")) {
            target = parseTarget({}, allowAttribute);
            expectOperator(")");
            return target;
        }
        target.name = parseNewName();
        if (allowAttribute && skipOperator(".")) {
            target.attribute = expect(TokenType::Name, "a name").value;
        }
        return target;
    }

    std::vector<Parameter> parseParameters() {
        std::vector<Parameter> parameters;
        expectOperator("(");
        while (!isOperator(")")) {
            if (!parameters.empty()) expectOperator(",");
            Parameter parameter;
            parameter.name = parseNewName();
            if (skipOperator("=")) {
                parameter.standard = parseExpression();
            } else if (!parameters.empty() && parameters.back().standard) {
                failSyntax("A parameter without a default stands behind one with a default.");
            }
            parameters.push_back(std::move(parameter));
        }
        expectOperator(")");
        return parameters;
    }

    // The body of a macro or caller is no part of the loop around it.
    Body parseFunctionBody(std::string_view end) {
        const std::uint32_t loops = std::exchange(m_loops, 0);
        Body body = parseBodyUntil(end);
        m_loops = loops;
        return body;
    }

    // A macro takes further arguments only if it says so by naming `varargs`, `kwargs`, `caller`.
    void parseFunction(Statement& function, std::string_view end) {
        const SpecialNames around = std::exchange(m_special, SpecialNames{});
        function.bodies.push_back(parseFunctionBody(end));
        function.special = std::exchange(m_special, around);
    }

    std::unique_ptr<Statement> parseMacro(std::uint32_t line) {
        auto made = statement(StatementKind::Macro, line);
        made->name = parseNewName();
        made->parameters = parseParameters();
        parseFunction(*made, "endmacro");
        return made;
    }

    std::unique_ptr<Statement> parseCallBlock(std::uint32_t line) {
        auto made = statement(StatementKind::CallBlock, line);
        if (isOperator("(")) made->parameters = parseParameters();
        made->exprs.push_back(parseExpression());
        if (made->exprs[0]->kind != ExprKind::Call) failSyntax("Expected a call.");
        parseFunction(*made, "endcall");
        return made;
    }

    std::unique_ptr<Statement> parseFilterBlock(std::uint32_t line) {
        auto made = statement(StatementKind::FilterBlock, line);
        made->exprs.push_back(parseFilters(blockText(line), true));
        made->bodies.push_back(parseBodyUntil("endfilter"));
        return made;
    }

    std::unique_ptr<Statement> parseWith(std::uint32_t line) {
        auto made = statement(StatementKind::With, line);
        while (current().type != TokenType::BlockEnd) {
            if (!made->targets.empty()) expectOperator(",");
            made->targets.push_back(parseTargetPart(false));
            expectOperator("=");
            made->exprs.push_back(parseExpression());
        }
        made->bodies.push_back(parseBodyUntil("endwith"));
        return made;
    }

    std::unique_ptr<Statement> parseScope(std::uint32_t line, std::string_view end) {
        auto made = statement(StatementKind::Scope, line);
        made->bodies.push_back(parseBodyUntil(end));
        return made;
    }

    std::unique_ptr<Statement> parseLoopControl(const Token& tag) {
        if (m_loops == 0) {
            fail(FailureKind::Syntax, "The block " + tag.value + " stands outside a loop.",
                 tag.line);
        }
        expect(TokenType::BlockEnd, "the end of the block");
        return statement(tag.value == "break" ? StatementKind::Break : StatementKind::Continue,
                         tag.line);
    }

    std::uint32_t m_loops = 0;
};

}  // namespace

Body parseTemplate(std::string_view source) {
    return Parser(source).parseAll();
}

}  // namespace agens::text
