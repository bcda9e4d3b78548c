// SPDX-License-Identifier: Apache-2.0
// RoPE tables in double.
#include <cmath>

#include "engine/model/model_spec.h"

namespace agens::model {

std::vector<float> ropeTable(const RopeSpec& rope, std::uint32_t positions) {
    std::vector<double> frequencies(rope.dims / 2);
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
        frequencies[i] = std::pow(rope.base, -2.0 * static_cast<double>(i) / rope.dims);
        if (!rope.divisors.empty()) frequencies[i] /= static_cast<double>(rope.divisors[i]);
        if (rope.kind == RopeKind::Linear) frequencies[i] /= rope.factor;
    }
    std::vector<float> table;
    table.reserve(std::size_t{positions} * rope.dims);
    for (std::uint32_t position = 0; position < positions; ++position) {
        for (const double frequency : frequencies) {
            table.push_back(static_cast<float>(std::cos(position * frequency)));
            table.push_back(static_cast<float>(std::sin(position * frequency)));
        }
    }
    return table;
}

}  // namespace agens::model
