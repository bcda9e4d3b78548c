// SPDX-License-Identifier: Apache-2.0
// Lookups over the list of tensors.
#include "engine/model_file/tensor_index.h"

#include <algorithm>

namespace agens::model_file {

std::uint64_t TensorEntry::columns() const {
    return shape.empty() ? 1 : shape.back();
}

std::uint64_t TensorEntry::rows() const {
    std::uint64_t count = 1;
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
        count *= shape[axis];
    return count;
}

const TensorEntry* ModelFile::find(std::string_view name) const {
    const auto found = std::ranges::find(tensors, name, &TensorEntry::name);
    return found == tensors.end() ? nullptr : &*found;
}

std::string ModelFile::formatsText() const {
    std::map<device::BlockFormat, std::uint64_t> bytesOfFormat;
    for (const TensorEntry& tensor : tensors)
        bytesOfFormat[tensor.format] += tensor.bytes;
    std::vector<std::pair<std::uint64_t, const char*>> order;
    for (const auto& [format, bytes] : bytesOfFormat) {
        order.emplace_back(bytes, device::factsOf(format).name);
    }
    std::ranges::sort(order, std::greater<>());
    std::string text;
    for (const auto& [bytes, name] : order) {
        if (!text.empty()) text += ", ";
        text += name;
    }
    return text;
}

}  // namespace agens::model_file
