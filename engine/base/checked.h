// SPDX-License-Identifier: Apache-2.0
// Checked: a u64 that comes from a file or a person. + and * saturate into "overflow" instead of
// wrapping, and the plain number can only be taken out after asking, so a forgotten check does not
// compile. (reliability: "fixing by type, not by call site".)
#pragma once

#include <cstdint>
#include <optional>

namespace agens {

class Checked {
 public:
    constexpr Checked(std::uint64_t value) : m_value(value) {}

    constexpr bool isValid() const { return m_valid; }
    // The number, or nothing after an overflow.
    constexpr std::optional<std::uint64_t> value() const {
        return m_valid ? std::optional(m_value) : std::nullopt;
    }
    // True iff no overflow happened and the number is at most `limit`.
    constexpr bool isAtMost(std::uint64_t limit) const { return m_valid && m_value <= limit; }
    // The number, or `limit` + 1 saturated: for messages only.
    constexpr std::uint64_t saturated() const { return m_valid ? m_value : UINT64_MAX; }

    friend constexpr Checked operator+(Checked a, Checked b) {
        Checked sum(0);
        sum.m_valid =
            a.m_valid && b.m_valid && !__builtin_add_overflow(a.m_value, b.m_value, &sum.m_value);
        return sum;
    }
    friend constexpr Checked operator*(Checked a, Checked b) {
        Checked product(0);
        product.m_valid = a.m_valid && b.m_valid &&
                          !__builtin_mul_overflow(a.m_value, b.m_value, &product.m_value);
        return product;
    }
    // Next multiple of `step` (a power of two).
    constexpr Checked alignedTo(std::uint64_t step) const {
        Checked up = *this + Checked(step - 1);
        up.m_value &= ~(step - 1);
        return up;
    }

 private:
    std::uint64_t m_value;
    bool m_valid = true;
};

}  // namespace agens
