// SPDX-License-Identifier: Apache-2.0
// An activation: rows in the form in which a matmul reads them. A matrix of a float format reads
// the f32 values; a quantised matrix reads int8 codes. An activation carries what its readers need.
//
// Quantisation, per row and per group of 32 columns (the last group may be shorter):
//   scale  = max|x| / 127                      (division, f32; all zero → 0)
//   code   = round-half-even(x / scale)        (division, f32; scale 0 → 0), int8
//   sum    = Σ code                            (int32)
//   scaledSum = scale · float(sum)             (what formats with a minimum multiply)
// Codes past the last column are 0.
//
// A wide activation carries a second set of codes for what the first one left over, 15 bits in all:
//   rest = fma(-scale, code, x), quantised like x → restScale, restCode, restSum
//   scaledSum = scale · float(sum) + restScale · float(restSum)   (two products, one addition)
// A matmul over it adds one more dot product per group. Which matrices get one: forward decides.
#pragma once

#include <cstdint>

namespace agens::device {

constexpr std::uint32_t kGroup = 32;

struct ActivationShape {
    std::uint32_t columns = 0;
    bool needsFloat = false;
    bool needsInt8 = false;
    bool isWide = false;  // only with needsInt8
};

constexpr std::uint32_t groupsOf(std::uint32_t columns) {
    return (columns + kGroup - 1) / kGroup;
}

}  // namespace agens::device
