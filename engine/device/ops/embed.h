// SPDX-License-Identifier: Apache-2.0
// embed: out[r] = scale · table[token of row r].
//
// Shapes: table [vocabRows, columns] in any block format; out [rows, columns] f32.
// Arithmetic: the format's decode, then one multiplication when scale is not 1.
// Bytes: one weight row read, one f32 row written per step row.
#pragma once

#include "engine/device/ops/ids.h"

namespace agens::device {

struct Embed {
    MatrixId table;
    float scale = 1.0F;
    SlotId out;
};

}  // namespace agens::device
