// SPDX-License-Identifier: Apache-2.0
// TemplateFailure: why a template could not be parsed or rendered. An interpreter fails in hundreds
// of places, most of them deep inside an expression; here, and only inside this folder, that is an
// exception. chat_template.cpp catches it and makes an Error of it; it never crosses that header.
#pragma once

#include <cstdint>
#include <string>

namespace agens::text {

enum class FailureKind {
    Syntax,       // the source is not a template of the language
    Runtime,      // an operation on values that do not allow it
    Raised,       // the template called raise_exception
    Refused,      // reaches for the host, changes a value of the caller, loads another template
    Unsupported,  // part of the language, but not of this interpreter
    Limit,        // a budget is spent
};

struct TemplateFailure {
    FailureKind kind = FailureKind::Runtime;
    std::string what;
    std::uint32_t line = 0;  // of the source, from 1; 0 = not known yet
};

[[noreturn]] void fail(FailureKind kind, std::string what, std::uint32_t line = 0);
[[noreturn]] inline void failRuntime(std::string what) {
    fail(FailureKind::Runtime, std::move(what));
}

}  // namespace agens::text
