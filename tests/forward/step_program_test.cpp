// SPDX-License-Identifier: Apache-2.0
// The shape of a program: which ops in which order, which form of activation each reader gets.
#include <gtest/gtest.h>

#include <string>

#include "engine/forward/step_program_builder.h"

namespace agens::forward {
namespace {

using device::ActivationMode;
using device::BlockFormat;

model::ModelSpec specWith(std::uint32_t layers) {
    model::ModelSpec spec;
    spec.hidden = 64;
    spec.vocabRows = 100;
    spec.rope.dims = 16;
    spec.layers.assign(layers, {.qHeads = 4, .kvHeads = 2, .headDim = 16, .ffnSize = 96});
    return spec;
}

weights::WeightTable weightsWith(std::uint32_t layers, BlockFormat format) {
    const weights::Matrix matrix{device::MatrixId(0), format};
    weights::WeightTable table{.embed = matrix, .head = matrix};
    weights::LayerWeights layer{};
    for (weights::Matrix* m :
         {&layer.q, &layer.k, &layer.v, &layer.o, &layer.gate, &layer.up, &layer.down}) {
        *m = matrix;
    }
    table.layers.assign(layers, layer);
    return table;
}

std::string opNames(const device::StepProgram& program) {
    static const char* const kNames[] = {"embed",  "norm", "quantize", "matmul",
                                         "swiglu", "rope", "attention"};
    std::string text;
    for (const auto& op : program.ops)
        text += std::string(text.empty() ? "" : " ") + kNames[op.index()];
    return text;
}

TEST(StepProgram, ALayerIsTheTenOpsOfItsDrawing) {
    const auto program =
        buildStepProgram(specWith(1), weightsWith(1, BlockFormat::Q4_1), 64, ActivationMode::Int8);
    EXPECT_EQ(
        opNames(program),
        "embed norm matmul rope attention quantize matmul norm swiglu quantize matmul norm matmul");
}

TEST(StepProgram, SlotsAndActivationsAreSharedByAllLayers) {
    const auto one =
        buildStepProgram(specWith(1), weightsWith(1, BlockFormat::Q4_1), 64, ActivationMode::Int8);
    const auto nine =
        buildStepProgram(specWith(9), weightsWith(9, BlockFormat::Q4_1), 64, ActivationMode::Int8);
    EXPECT_EQ(one.slotColumns, nine.slotColumns);
    EXPECT_EQ(one.activations.size(), nine.activations.size());
    EXPECT_EQ(nine.ops.size(), 9 * 10 + 3u);
}

TEST(StepProgram, AQuantisedReaderGetsCodesAFloatReaderValuesAndAMixedOneBoth) {
    auto table = weightsWith(1, BlockFormat::Q8_0);
    table.layers[0].v.format = BlockFormat::F16;
    const auto program = buildStepProgram(specWith(1), table, 64, ActivationMode::Int8);
    const auto& norm = std::get<device::NormQuantize>(program.ops[1]);
    EXPECT_TRUE(program.activations[norm.out.value].needsFloat);
    EXPECT_TRUE(program.activations[norm.out.value].needsInt8);
    const auto& mixed = std::get<device::Quantize>(program.ops[5]);
    EXPECT_FALSE(program.activations[mixed.out.value].needsFloat);
    const auto f32 = buildStepProgram(specWith(1), table, 64, ActivationMode::F32);
    for (const auto& activation : f32.activations)
        EXPECT_FALSE(activation.needsInt8);
}

TEST(StepProgram, TheHeadsInputIsNotSharedBecauseItIsAnOutput) {
    const auto program =
        buildStepProgram(specWith(2), weightsWith(2, BlockFormat::Q4_1), 64, ActivationMode::Int8);
    for (std::size_t i = 0; i + 2 < program.ops.size(); ++i) {
        if (const auto* norm = std::get_if<device::NormQuantize>(&program.ops[i])) {
            EXPECT_NE(norm->out, program.finalHidden);
        }
    }
    EXPECT_TRUE(program.activations[program.finalHidden.value].needsFloat);
}

TEST(KvLayout, TilesFillThePageWithoutOverlap) {
    const auto layout = kvLayout(specWith(3), device::KvElement::F16);
    std::uint64_t expected = 0;
    for (std::uint32_t layer = 0; layer < 3; ++layer) {
        for (std::uint32_t head = 0; head < 2; ++head) {
            EXPECT_EQ(layout.keyTile(layer, head), expected);
            EXPECT_EQ(layout.valueTile(layer, head), expected + 256 * 16);
            expected += 2 * 256 * 16;
        }
    }
    EXPECT_EQ(layout.pageElements(), expected);
}

}  // namespace
}  // namespace agens::forward
