// SPDX-License-Identifier: Apache-2.0
// Character references: see the header. Names and code points: HTML 4.01, chapter 24.
#include "app/ui/markdown/entities.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "app/ui/markdown/utf8.h"

namespace agens::markdown {
namespace {

struct Name {
    std::string_view name;
    char32_t codePoint;
};

// By name, capitals first.
constexpr Name kNames[] = {
    {"Alpha", 0x391},   {"Aring", 0xC5},   {"Auml", 0xC4},     {"Beta", 0x392},
    {"Ccedil", 0xC7},   {"Delta", 0x394},  {"Eacute", 0xC9},   {"Gamma", 0x393},
    {"Lambda", 0x39B},  {"Ntilde", 0xD1},  {"Omega", 0x3A9},   {"Oslash", 0xD8},
    {"Ouml", 0xD6},     {"Phi", 0x3A6},    {"Pi", 0x3A0},      {"Psi", 0x3A8},
    {"Sigma", 0x3A3},   {"Theta", 0x398},  {"Uuml", 0xDC},     {"aacute", 0xE1},
    {"acirc", 0xE2},    {"aelig", 0xE6},   {"agrave", 0xE0},   {"alpha", 0x3B1},
    {"amp", '&'},       {"and", 0x2227},   {"apos", '\''},     {"aring", 0xE5},
    {"asymp", 0x2248},  {"atilde", 0xE3},  {"auml", 0xE4},     {"beta", 0x3B2},
    {"bull", 0x2022},   {"cap", 0x2229},   {"ccedil", 0xE7},   {"cent", 0xA2},
    {"chi", 0x3C7},     {"copy", 0xA9},    {"cup", 0x222A},    {"darr", 0x2193},
    {"deg", 0xB0},      {"delta", 0x3B4},  {"divide", 0xF7},   {"eacute", 0xE9},
    {"ecirc", 0xEA},    {"egrave", 0xE8},  {"emsp", 0x2003},   {"ensp", 0x2002},
    {"epsilon", 0x3B5}, {"equiv", 0x2261}, {"eta", 0x3B7},     {"euml", 0xEB},
    {"euro", 0x20AC},   {"exist", 0x2203}, {"forall", 0x2200}, {"frac12", 0xBD},
    {"frac14", 0xBC},   {"frac34", 0xBE},  {"gamma", 0x3B3},   {"ge", 0x2265},
    {"gt", '>'},        {"harr", 0x2194},  {"hellip", 0x2026}, {"iacute", 0xED},
    {"iexcl", 0xA1},    {"infin", 0x221E}, {"int", 0x222B},    {"iquest", 0xBF},
    {"isin", 0x2208},   {"kappa", 0x3BA},  {"lambda", 0x3BB},  {"laquo", 0xAB},
    {"larr", 0x2190},   {"ldquo", 0x201C}, {"le", 0x2264},     {"lsquo", 0x2018},
    {"lt", '<'},        {"mdash", 0x2014}, {"micro", 0xB5},    {"middot", 0xB7},
    {"minus", 0x2212},  {"mu", 0x3BC},     {"nabla", 0x2207},  {"nbsp", 0xA0},
    {"ndash", 0x2013},  {"ne", 0x2260},    {"notin", 0x2209},  {"ntilde", 0xF1},
    {"nu", 0x3BD},      {"oacute", 0xF3},  {"ocirc", 0xF4},    {"oelig", 0x153},
    {"ograve", 0xF2},   {"omega", 0x3C9},  {"or", 0x2228},     {"oslash", 0xF8},
    {"ouml", 0xF6},     {"para", 0xB6},    {"part", 0x2202},   {"permil", 0x2030},
    {"phi", 0x3C6},     {"pi", 0x3C0},     {"plusmn", 0xB1},   {"pound", 0xA3},
    {"prime", 0x2032},  {"prod", 0x220F},  {"psi", 0x3C8},     {"quot", '"'},
    {"rArr", 0x21D2},   {"radic", 0x221A}, {"raquo", 0xBB},    {"rarr", 0x2192},
    {"rdquo", 0x201D},  {"reg", 0xAE},     {"rho", 0x3C1},     {"rsquo", 0x2019},
    {"sect", 0xA7},     {"sigma", 0x3C3},  {"sub", 0x2282},    {"sube", 0x2286},
    {"sum", 0x2211},    {"sup", 0x2283},   {"sup2", 0xB2},     {"sup3", 0xB3},
    {"szlig", 0xDF},    {"tau", 0x3C4},    {"there4", 0x2234}, {"theta", 0x3B8},
    {"times", 0xD7},    {"trade", 0x2122}, {"uacute", 0xFA},   {"uarr", 0x2191},
    {"uuml", 0xFC},     {"xi", 0x3BE},     {"yen", 0xA5},      {"zeta", 0x3B6},
};

constexpr bool isByName() {
    return std::is_sorted(std::begin(kNames), std::end(kNames),
                          [](const Name& a, const Name& b) { return a.name < b.name; });
}
static_assert(isByName());

bool isDisplayable(std::uint32_t number) {
    const bool isControl = number < 0x20 || (number >= 0x7F && number <= 0x9F);
    const bool isWhitespace = number == '\t' || number == '\n';
    const bool isSurrogate = number >= 0xD800 && number <= 0xDFFF;
    const bool isReserved = number >= 0xFDD0 && number <= 0xFDEF;
    return (!isControl || isWhitespace) && !isSurrogate && !isReserved && number <= 0x10FFFF;
}

char32_t fromNumber(std::string_view digits) {
    const bool isHex = digits.starts_with('x') || digits.starts_with('X');
    if (isHex) digits.remove_prefix(1);
    std::uint32_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [parsedTo, error] = std::from_chars(digits.data(), end, number, isHex ? 16 : 10);
    const bool isNumber = error == std::errc() && parsedTo == end;
    return isNumber && isDisplayable(number) ? number : kReplacement;
}

}  // namespace

std::string decodeEntity(std::string_view reference) {
    const bool isReference =
        reference.size() > 2 && reference.front() == '&' && reference.back() == ';';
    if (!isReference) return std::string(reference);
    const std::string_view body = reference.substr(1, reference.size() - 2);
    std::string text;
    if (body.front() == '#') {
        appendUtf8(text, fromNumber(body.substr(1)));
        return text;
    }
    const auto found = std::lower_bound(
        std::begin(kNames), std::end(kNames), body,
        [](const Name& entry, std::string_view name) { return entry.name < name; });
    if (found == std::end(kNames) || found->name != body) return std::string(reference);
    appendUtf8(text, found->codePoint);
    return text;
}

}  // namespace agens::markdown
