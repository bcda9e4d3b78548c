// SPDX-License-Identifier: Apache-2.0
// What a template may call: filters, tests, methods of texts, lists and mappings, global functions.
// Each is one entry of a table; a name that stands in none does not exist for a template. Names of
// the language that this interpreter leaves out are entries too, so that they are refused by name.
// Thread: constant tables.
#pragma once

#include <string_view>

#include "engine/text/template/value.h"

namespace agens::text {

// Each function gets the value it works on and the arguments behind it.
using Function = Value (*)(Interpreter& interpreter, const Value& subject, Arguments& arguments);

struct Filter {
    std::string_view name;
    Function function;
};
struct Test {
    std::string_view name;
    bool (*function)(Interpreter& interpreter, const Value& subject, Arguments& arguments);
};
struct Method {
    std::string_view name;
    Function function;
};

// Null: there is none of that name.
const Filter* findFilter(std::string_view name);
const Test* findTest(std::string_view name);
// Method of a value's type. A method that changes its value is found and fails when called.
const Method* findMethod(const Value& subject, std::string_view name);
// Undefined if there is none of that name.
Value findGlobal(std::string_view name);

}  // namespace agens::text
