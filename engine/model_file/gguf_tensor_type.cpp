// SPDX-License-Identifier: Apache-2.0
// The type table of the GGUF format.
#include "engine/model_file/gguf_tensor_type.h"

namespace agens::model_file {
namespace {

struct NamedType {
    std::uint32_t id;
    GgufTypeStatus status;
    const char* name;
};

using enum GgufTypeStatus;

// Ids of device/formats are not repeated here: a format that gains kernels becomes loadable by
// being listed there.
constexpr NamedType kNamedTypes[] = {
    {2, NotYet, "Q4_0"},
    {6, NotYet, "Q5_0"},
    {7, NotYet, "Q5_1"},
    {9, Activation, "Q8_1"},
    {10, NotYet, "Q2_K"},
    {11, NotYet, "Q3_K"},
    {12, NotYet, "Q4_K"},
    {13, NotYet, "Q5_K"},
    {14, NotYet, "Q6_K"},
    {15, Activation, "Q8_K"},
    {16, NotYet, "IQ2_XXS"},
    {17, NotYet, "IQ2_XS"},
    {18, NotYet, "IQ3_XXS"},
    {19, NotYet, "IQ1_S"},
    {20, NotYet, "IQ4_NL"},
    {21, NotYet, "IQ3_S"},
    {22, NotYet, "IQ2_S"},
    {23, NotYet, "IQ4_XS"},
    {24, NotYet, "I8"},
    {25, NotYet, "I16"},
    {26, NotYet, "I32"},
    {27, NotYet, "I64"},
    {28, NotYet, "F64"},
    {29, NotYet, "IQ1_M"},
    {34, NotYet, "TQ1_0"},
    {35, NotYet, "TQ2_0"},
    {39, NotYet, "MXFP4"},
    {40, NotYet, "NVFP4"},
    {41, NotYet, "Q1_0"},
    {42, NotYet, "Q2_0"},
    {4, Withdrawn, "Q4_2"},
    {5, Withdrawn, "Q4_3"},
    {31, Withdrawn, "Q4_0_4_4"},
    {32, Withdrawn, "Q4_0_4_8"},
    {33, Withdrawn, "Q4_0_8_8"},
    {36, Withdrawn, "IQ4_NL_4_4"},
    {37, Withdrawn, "IQ4_NL_4_8"},
    {38, Withdrawn, "IQ4_NL_8_8"},
};

}  // namespace

GgufTensorType ggufTensorType(std::uint32_t id) {
    for (const device::BlockFormatFacts& facts : device::kBlockFormats) {
        if (static_cast<std::uint32_t>(facts.format) == id) {
            return {GgufTypeStatus::Loadable, facts.name, facts.format};
        }
    }
    for (const NamedType& type : kNamedTypes) {
        if (type.id == id) return {type.status, type.name, device::BlockFormat::F32};
    }
    return {};
}

}  // namespace agens::model_file
