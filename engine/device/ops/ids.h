// SPDX-License-Identifier: Apache-2.0
// Names of things an op record refers to: arena slots and uploaded weights.
#pragma once

#include <cstdint>

#include "engine/base/units.h"

namespace agens::device {

using SlotId = Unit<struct SlotIdTag, std::uint32_t>;              // f32 rows [rows, columns]
using ActivationId = Unit<struct ActivationIdTag, std::uint32_t>;  // rows as matmul reads them
using MatrixId = Unit<struct MatrixIdTag, std::uint32_t>;          // uploaded matrix [n, k]
using VectorId = Unit<struct VectorIdTag, std::uint32_t>;          // uploaded f32 vector

}  // namespace agens::device
