// SPDX-License-Identifier: Apache-2.0
// Lexer: template source → tokens, with every rule about white space applied: trim_blocks (the
// first newline after a block or comment goes), lstrip_blocks (blanks before a block or comment
// that stands first on its line go), the signs - and + at either end of a tag, raw blocks,
// comments, "\r\n" as
// "\n", one newline at the end of the source dropped.
// Errors: TemplateFailure{Syntax}. Invariant: time linear in the source.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agens::text {

enum class TokenType {
    Data,           // text between tags
    BlockBegin,     // {%
    BlockEnd,       // %}
    VariableBegin,  // {{
    VariableEnd,    // }}
    Name,
    String,  // value: the text without quotes, escapes resolved
    WholeNumber,
    RealNumber,
    Operator,  // value: "+", "**", "(" …
    End,
};

struct Token {
    TokenType type = TokenType::End;
    std::string value;
    std::uint32_t line = 1;
};

// The last token is End.
std::vector<Token> tokenize(std::string_view source);

// How a token is named in messages.
std::string describe(const Token& token);

}  // namespace agens::text
