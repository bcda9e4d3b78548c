// SPDX-License-Identifier: Apache-2.0
// Units as types: no naked int for these in a public signature (architecture: types everyone
// shares).
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace agens {

// An integer with a meaning. Comparable, never mixed with another meaning, no implicit conversion.
template <class Tag, class Number>
struct Unit {
    using NumberType = Number;
    Number value{};

    constexpr Unit() = default;
    constexpr explicit Unit(Number number) : value(number) {}
    constexpr auto operator<=>(const Unit&) const = default;
    constexpr Unit& operator++() {
        ++value;
        return *this;
    }
    friend constexpr Unit operator+(Unit a, Number steps) { return Unit(Number(a.value + steps)); }
};

using TokenId = Unit<struct TokenIdTag, std::int32_t>;     // vocabulary unit
using Position = Unit<struct PositionTag, std::uint32_t>;  // index of a token in its sequence
using LayerIndex = Unit<struct LayerIndexTag, std::uint32_t>;
using RowIndex = Unit<struct RowIndexTag, std::uint32_t>;  // one token of one sequence in one step
using ByteCount = Unit<struct ByteCountTag, std::uint64_t>;

constexpr ByteCount operator+(ByteCount a, ByteCount b) {
    return ByteCount(a.value + b.value);
}
constexpr ByteCount mebibytes(std::uint64_t count) {
    return ByteCount(count << 20);
}

// "1.25 GiB", "93.8 MiB", "512 bytes": for sentences a person reads.
std::string toText(ByteCount bytes);

}  // namespace agens

template <class Tag, class Number>
struct std::hash<agens::Unit<Tag, Number>> {
    std::size_t operator()(const agens::Unit<Tag, Number>& unit) const {
        return std::hash<Number>()(unit.value);
    }
};
