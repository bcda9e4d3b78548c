// SPDX-License-Identifier: Apache-2.0
// Precedences, loosest first: if-else, or, and, not, comparison, + -, ~, * / // %, **, sign, then
// attribute, item and call, then filters and tests.
#include "engine/text/template/expression_parser.h"

#include <algorithm>
#include <charconv>

#include "engine/text/template/failure.h"

namespace agens::text {
namespace {

std::unique_ptr<Expr> node(ExprKind kind, std::uint32_t line, std::string name = {}) {
    auto expr = std::make_unique<Expr>();
    expr->kind = kind;
    expr->line = line;
    expr->name = std::move(name);
    return expr;
}

// Fixes the depth of a finished node; long chains ("a + b + c …") grow the tree without nesting.
ExprPtr finished(std::unique_ptr<Expr> expr) {
    std::uint32_t deepest = 0;
    const auto look = [&deepest](const ExprPtr& part) {
        if (part) deepest = std::max(deepest, part->depth);
    };
    for (const ExprPtr& part : expr->parts)
        look(part);
    for (const auto& keyword : expr->keywords)
        look(keyword.second);
    look(expr->spreadList);
    look(expr->spreadDict);
    if (deepest >= kDeepestTree) {
        fail(FailureKind::Limit, "The chat template is nested too deeply.", expr->line);
    }
    expr->depth = deepest + 1;
    return expr;
}

ExprPtr constant(Value value, std::uint32_t line) {
    auto expr = node(ExprKind::Constant, line);
    expr->constant = std::move(value);
    return expr;
}

ExprPtr binary(ExprKind kind, ExprPtr left, ExprPtr right, std::string symbol = {}) {
    auto expr = node(kind, left->line, std::move(symbol));
    expr->parts.push_back(std::move(left));
    expr->parts.push_back(std::move(right));
    return finished(std::move(expr));
}

ExprPtr unary(ExprKind kind, ExprPtr operand, std::uint32_t line) {
    auto expr = node(kind, line);
    expr->parts.push_back(std::move(operand));
    return finished(std::move(expr));
}

}  // namespace

ExpressionParser::Nested::Nested(ExpressionParser& parser) : m_parser(parser) {
    if (m_parser.m_nesting >= kDeepestSource) {
        fail(FailureKind::Limit, "The chat template is nested too deeply.",
             m_parser.current().line);
    }
    ++m_parser.m_nesting;
}

Token ExpressionParser::take() {
    Token token = current();
    if (token.type != TokenType::End) ++m_at;
    return token;
}

bool ExpressionParser::isName(std::string_view name) const {
    return current().type == TokenType::Name && current().value == name;
}

bool ExpressionParser::isOperator(std::string_view symbol) const {
    return current().type == TokenType::Operator && current().value == symbol;
}

bool ExpressionParser::skipName(std::string_view name) {
    if (!isName(name)) return false;
    take();
    return true;
}

bool ExpressionParser::skipOperator(std::string_view symbol) {
    if (!isOperator(symbol)) return false;
    take();
    return true;
}

Token ExpressionParser::expect(TokenType type, const char* what) {
    if (current().type != type) {
        failSyntax(std::string("Expected ") + what + ", found " + describe(current()) + ".");
    }
    return take();
}

void ExpressionParser::expectOperator(std::string_view symbol) {
    if (!isOperator(symbol)) {
        failSyntax("Expected '" + std::string(symbol) + "', found " + describe(current()) + ".");
    }
    take();
}

void ExpressionParser::failSyntax(const std::string& what) const {
    fail(FailureKind::Syntax, what, current().line);
}

bool ExpressionParser::endsTuple(std::string_view endWord) const {
    return current().type == TokenType::VariableEnd || current().type == TokenType::BlockEnd ||
           isOperator(")") || (!endWord.empty() && isName(endWord));
}

ExprPtr ExpressionParser::parseTuple(bool allowConditional, std::string_view endWord,
                                     bool inParentheses) {
    auto expr = node(ExprKind::Tuple, current().line);
    bool isTuple = false;
    for (;;) {
        if (!expr->parts.empty()) expectOperator(",");
        if (endsTuple(endWord)) break;
        expr->parts.push_back(parseExpression(allowConditional));
        if (!isOperator(",")) break;
        isTuple = true;
    }
    if (isTuple) return finished(std::move(expr));
    if (!expr->parts.empty()) {
        ExprPtr only = std::move(expr->parts.front());
        return only;
    }
    if (!inParentheses) failSyntax("Expected an expression, found " + describe(current()) + ".");
    return expr;
}

ExprPtr ExpressionParser::parseExpression(bool allowConditional) {
    const Nested nested(*this);
    return allowConditional ? parseConditional() : parseOr();
}

ExprPtr ExpressionParser::parseConditional() {
    // The first operand may sit in a branch, but that is known only behind it; unknown filters in
    // it are refused like everywhere.
    ExprPtr value = parseOr();
    while (isName("if")) {
        auto expr = node(ExprKind::Conditional, take().line);
        ++m_branches;
        expr->parts.push_back(parseOr());
        expr->parts.push_back(std::move(value));
        expr->parts.push_back(skipName("else") ? parseExpression() : nullptr);
        --m_branches;
        value = finished(std::move(expr));
    }
    return value;
}

ExprPtr ExpressionParser::parseOr() {
    ExprPtr left = parseAnd();
    while (skipName("or"))
        left = binary(ExprKind::Or, std::move(left), parseAnd());
    return left;
}

ExprPtr ExpressionParser::parseAnd() {
    ExprPtr left = parseNot();
    while (skipName("and"))
        left = binary(ExprKind::And, std::move(left), parseNot());
    return left;
}

ExprPtr ExpressionParser::parseNot() {
    if (!isName("not")) return parseCompare();
    const Nested nested(*this);
    const std::uint32_t line = take().line;
    return unary(ExprKind::Not, parseNot(), line);
}

ExprPtr ExpressionParser::parseCompare() {
    ExprPtr first = parseSum();
    auto expr = node(ExprKind::Compare, first->line);
    expr->parts.push_back(std::move(first));
    for (;;) {
        std::string symbol;
        if (current().type == TokenType::Operator) {
            constexpr std::string_view kSymbols[] = {"==", "!=", "<", "<=", ">", ">="};
            if (std::find(std::begin(kSymbols), std::end(kSymbols), current().value) !=
                std::end(kSymbols)) {
                symbol = take().value;
            }
        } else if (skipName("in")) {
            symbol = "in";
        } else if (isName("not") && look().type == TokenType::Name && look().value == "in") {
            take();
            take();
            symbol = "not in";
        }
        if (symbol.empty()) break;
        expr->operators.push_back(std::move(symbol));
        expr->parts.push_back(parseSum());
    }
    if (!expr->operators.empty()) return finished(std::move(expr));
    ExprPtr only = std::move(expr->parts.front());
    return only;
}

ExprPtr ExpressionParser::parseSum() {
    ExprPtr left = parseConcat();
    while (isOperator("+") || isOperator("-")) {
        std::string symbol = take().value;
        left = binary(ExprKind::Binary, std::move(left), parseConcat(), std::move(symbol));
    }
    return left;
}

ExprPtr ExpressionParser::parseConcat() {
    ExprPtr first = parseProduct();
    if (!isOperator("~")) return first;
    auto expr = node(ExprKind::Concat, first->line);
    expr->parts.push_back(std::move(first));
    while (skipOperator("~"))
        expr->parts.push_back(parseProduct());
    return finished(std::move(expr));
}

ExprPtr ExpressionParser::parseProduct() {
    ExprPtr left = parsePower();
    while (isOperator("*") || isOperator("/") || isOperator("//") || isOperator("%")) {
        std::string symbol = take().value;
        left = binary(ExprKind::Binary, std::move(left), parsePower(), std::move(symbol));
    }
    return left;
}

ExprPtr ExpressionParser::parsePower() {
    ExprPtr left = parseUnary(true);
    while (skipOperator("**")) {
        left = binary(ExprKind::Binary, std::move(left), parseUnary(true), "**");
    }
    return left;
}

ExprPtr ExpressionParser::parseUnary(bool withFilters) {
    ExprPtr expr;
    if (isOperator("-") || isOperator("+")) {
        const Nested nested(*this);
        const Token sign = take();
        const ExprKind kind = sign.value == "-" ? ExprKind::Negative : ExprKind::Positive;
        expr = unary(kind, parseUnary(false), sign.line);
    } else {
        expr = parsePrimary();
    }
    expr = parsePostfix(std::move(expr));
    return withFilters ? parseFiltersAndTests(std::move(expr)) : std::move(expr);
}

ExprPtr ExpressionParser::parsePrimary() {
    const Token token = take();
    switch (token.type) {
        case TokenType::Name:
            if (token.value == "true" || token.value == "True") {
                return constant(Value::boolean(true), token.line);
            }
            if (token.value == "false" || token.value == "False") {
                return constant(Value::boolean(false), token.line);
            }
            if (token.value == "none" || token.value == "None") return constant(None{}, token.line);
            m_special.varargs = m_special.varargs || token.value == "varargs";
            m_special.kwargs = m_special.kwargs || token.value == "kwargs";
            m_special.caller = m_special.caller || token.value == "caller";
            return node(ExprKind::Name, token.line, token.value);
        case TokenType::String: {
            std::string text = token.value;
            while (current().type == TokenType::String)
                text += take().value;
            return constant(Text::literal(std::move(text)), token.line);
        }
        case TokenType::WholeNumber:
        case TokenType::RealNumber:
            return parseNumber(token);
        case TokenType::Operator:
            if (token.value == "(") {
                ExprPtr inner = parseTuple(true, {}, true);
                expectOperator(")");
                return inner;
            }
            if (token.value == "[") return parseList();
            if (token.value == "{") return parseDict();
            [[fallthrough]];
        default:
            fail(FailureKind::Syntax, "Unexpected " + describe(token) + ".", token.line);
    }
}

ExprPtr ExpressionParser::parseNumber(const Token& token) {
    const std::string& digits = token.value;
    if (token.type == TokenType::RealNumber) {
        double number = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
        return constant(Value::real(number), token.line);
    }
    int base = 10;
    std::size_t from = 0;
    if (digits.size() > 2 && digits[0] == '0' &&
        !std::isdigit(static_cast<unsigned char>(digits[1]))) {
        base = digits[1] == 'x' || digits[1] == 'X'   ? 16
               : digits[1] == 'o' || digits[1] == 'O' ? 8
                                                      : 2;
        from = 2;
    }
    Integer number = 0;
    for (std::size_t i = from; i < digits.size(); ++i) {
        int digit = 0;
        std::from_chars(&digits[i], &digits[i] + 1, digit, base);
        if (__builtin_mul_overflow(number, base, &number) ||
            __builtin_add_overflow(number, digit, &number)) {
            fail(FailureKind::Limit, "The number " + digits + " is too large.", token.line);
        }
    }
    return constant(Value::integer(number), token.line);
}

ExprPtr ExpressionParser::parseList() {
    auto expr = node(ExprKind::List, current().line);
    while (!isOperator("]")) {
        if (!expr->parts.empty()) expectOperator(",");
        if (isOperator("]")) break;
        expr->parts.push_back(parseExpression());
    }
    expectOperator("]");
    return finished(std::move(expr));
}

ExprPtr ExpressionParser::parseDict() {
    auto expr = node(ExprKind::Dict, current().line);
    while (!isOperator("}")) {
        if (!expr->parts.empty()) expectOperator(",");
        if (isOperator("}")) break;
        expr->parts.push_back(parseExpression());
        expectOperator(":");
        expr->parts.push_back(parseExpression());
    }
    expectOperator("}");
    return finished(std::move(expr));
}

ExprPtr ExpressionParser::parsePostfix(ExprPtr subject) {
    for (;;) {
        if (isOperator(".") || isOperator("[")) {
            subject = parseSubscript(std::move(subject));
        } else if (isOperator("(")) {
            auto call = node(ExprKind::Call, current().line);
            call->parts.push_back(std::move(subject));
            parseArguments(*call);
            subject = finished(std::move(call));
        } else {
            return subject;
        }
    }
}

ExprPtr ExpressionParser::parseSubscript(ExprPtr subject) {
    const Token opening = take();
    if (opening.value == ".") {
        const Token token = take();
        if (token.type == TokenType::Name) {
            auto expr = node(ExprKind::Attribute, token.line, token.value);
            expr->parts.push_back(std::move(subject));
            return finished(std::move(expr));
        }
        if (token.type != TokenType::WholeNumber) {
            fail(FailureKind::Syntax, "Expected a name or number, found " + describe(token) + ".",
                 token.line);
        }
        return binary(ExprKind::Item, std::move(subject), parseNumber(token));
    }
    auto index = node(ExprKind::Tuple, opening.line);
    while (!isOperator("]")) {
        if (!index->parts.empty()) expectOperator(",");
        index->parts.push_back(parseSubscriptPart());
    }
    expectOperator("]");
    if (index->parts.size() != 1)
        return binary(ExprKind::Item, std::move(subject), finished(std::move(index)));
    ExprPtr only = std::move(index->parts.front());
    return binary(ExprKind::Item, std::move(subject), std::move(only));
}

ExprPtr ExpressionParser::parseSubscriptPart() {
    auto slice = node(ExprKind::Slice, current().line);
    const auto endsPart = [this] { return isOperator("]") || isOperator(",") || isOperator(":"); };
    if (!isOperator(":")) {
        ExprPtr first = parseExpression();
        if (!isOperator(":")) return first;
        slice->parts.push_back(std::move(first));
    } else {
        slice->parts.push_back(nullptr);
    }
    while (slice->parts.size() < 3) {
        const bool hasPart = skipOperator(":") && !endsPart();
        slice->parts.push_back(hasPart ? parseExpression() : nullptr);
    }
    return finished(std::move(slice));
}

void ExpressionParser::parseArguments(Expr& call) {
    expectOperator("(");
    bool isFirst = true;
    while (!isOperator(")")) {
        if (!isFirst) {
            expectOperator(",");
            if (isOperator(")")) break;
        }
        isFirst = false;
        if (skipOperator("*")) {
            if (call.spreadList || call.spreadDict) failSyntax("Unexpected '*' in a call.");
            call.spreadList = parseExpression();
        } else if (skipOperator("**")) {
            if (call.spreadDict) failSyntax("Unexpected '**' in a call.");
            call.spreadDict = parseExpression();
        } else if (current().type == TokenType::Name && look().type == TokenType::Operator &&
                   look().value == "=") {
            if (call.spreadDict) failSyntax("Unexpected argument behind '**'.");
            std::string name = take().value;
            take();
            call.keywords.emplace_back(std::move(name), parseExpression());
        } else {
            if (!call.keywords.empty() || call.spreadList || call.spreadDict) {
                failSyntax("Unexpected argument behind a named one.");
            }
            call.parts.push_back(parseExpression());
        }
    }
    expectOperator(")");
}

std::string ExpressionParser::parseDottedName() {
    std::string name = expect(TokenType::Name, "a name").value;
    while (skipOperator("."))
        name += "." + expect(TokenType::Name, "a name").value;
    return name;
}

ExprPtr ExpressionParser::parseFilters(ExprPtr subject, bool firstWithoutBar) {
    while (firstWithoutBar || isOperator("|")) {
        if (!firstWithoutBar) take();
        firstWithoutBar = false;
        const std::uint32_t line = current().line;
        auto expr = node(ExprKind::Filter, line, parseDottedName());
        expr->filter = findFilter(expr->name);
        if (expr->filter == nullptr && m_branches == 0) {
            fail(FailureKind::Syntax, "There is no filter named " + expr->name + ".", line);
        }
        expr->parts.push_back(std::move(subject));
        if (isOperator("(")) parseArguments(*expr);
        subject = finished(std::move(expr));
    }
    return subject;
}

ExprPtr ExpressionParser::parseFiltersAndTests(ExprPtr subject) {
    for (;;) {
        if (isOperator("|")) {
            subject = parseFilters(std::move(subject), false);
        } else if (isName("is")) {
            subject = parseTest(std::move(subject));
        } else if (isOperator("(")) {
            auto call = node(ExprKind::Call, current().line);
            call->parts.push_back(std::move(subject));
            parseArguments(*call);
            subject = finished(std::move(call));
        } else {
            return subject;
        }
    }
}

ExprPtr ExpressionParser::parseTest(ExprPtr subject) {
    const std::uint32_t line = take().line;
    const bool isNegated = skipName("not");
    auto expr = node(ExprKind::Test, line, parseDottedName());
    expr->test = findTest(expr->name);
    if (expr->test == nullptr && m_branches == 0) {
        fail(FailureKind::Syntax, "There is no test named " + expr->name + ".", line);
    }
    expr->parts.push_back(std::move(subject));
    const bool endsHere = isName("else") || isName("or") || isName("and");
    const bool beginsOperand =
        current().type == TokenType::Name || current().type == TokenType::String ||
        current().type == TokenType::WholeNumber || current().type == TokenType::RealNumber ||
        isOperator("[") || isOperator("{");
    if (isOperator("(")) {
        parseArguments(*expr);
    } else if (beginsOperand && !endsHere) {
        if (isName("is")) failSyntax("Tests cannot be chained with 'is'.");
        expr->parts.push_back(parsePostfix(parsePrimary()));
    }
    ExprPtr test = finished(std::move(expr));
    return isNegated ? unary(ExprKind::Not, std::move(test), line) : std::move(test);
}

}  // namespace agens::text
