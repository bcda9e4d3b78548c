// SPDX-License-Identifier: Apache-2.0
// What readModel accepts and each of its refusals, word for word where a person reads it.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/model/binding.h"
#include "tests/support/tiny_llama.h"

namespace agens::model {
namespace {

Result<ModelSpec> specOf(const test::TinyLlama& tiny) {
    TRY(const model_file::ModelFile file, model_file::openModelFile(tiny.write()));
    TRY(const Model model, readModel(file));
    return model.spec;
}

Error errorOf(const test::TinyLlama& tiny) {
    const auto spec = specOf(tiny);
    EXPECT_FALSE(spec.ok());
    return spec.ok() ? Error{} : spec.error();
}

TEST(Llama, ReadsTheSpecFromKeysAndShapes) {
    const auto spec = specOf({});
    ASSERT_TRUE(spec.ok()) << spec.error().text();
    EXPECT_EQ(spec->family, "llama");
    EXPECT_EQ(spec->hidden, 32u);
    EXPECT_EQ(spec->vocabRows, 20u);
    EXPECT_TRUE(spec->tiedHead);
    ASSERT_EQ(spec->layers.size(), 1u);
    EXPECT_EQ(spec->layers[0].headDim, 16u);
    EXPECT_EQ(spec->layers[0].scale, 0.25F);
    EXPECT_EQ(spec->rope.base, 10000.0);
    EXPECT_EQ(spec->rope.pairing, device::RopePairing::Adjacent);
}

TEST(Llama, EveryMissingKeyIsNamed) {
    for (const auto& [key, value] : test::TinyLlama().counts) {
        if (key == "llama.attention.head_count_kv") continue;  // defaults to head_count
        test::TinyLlama tiny;
        tiny.counts.erase(key);
        const Error error = errorOf(tiny);
        EXPECT_EQ(error.id, "model.key_missing") << key;
        EXPECT_EQ(error.where, key);
    }
}

TEST(Llama, EveryMissingTensorIsNamed) {
    for (const auto& [name, dims] : test::TinyLlama().tensors) {
        test::TinyLlama tiny;
        tiny.tensors.erase(name);
        EXPECT_EQ(errorOf(tiny).where, name);
    }
}

TEST(Llama, EveryWrongShapeIsNamedWithBothShapes) {
    for (const auto& [name, dims] : test::TinyLlama().tensors) {
        if (name == "token_embd.weight") continue;  // its rows are the vocabulary
        test::TinyLlama tiny;
        tiny.tensors[name].front() += 8;
        EXPECT_EQ(errorOf(tiny).where, name);
    }
    test::TinyLlama tiny;
    tiny.tensors["blk.0.attn_q.weight"] = {30, 32};
    EXPECT_EQ(errorOf(tiny).what, "Tensor blk.0.attn_q.weight is [30, 32]; [32, 32] expected.");
}

TEST(Llama, ValuesOutOfRangeAreRefusedWithTheRange) {
    const std::vector<std::pair<std::string, std::uint32_t>> wrong = {
        {"llama.block_count", 0},
        {"llama.block_count", 513},
        {"llama.embedding_length", 8},
        {"llama.attention.head_count", 0},
        {"llama.attention.head_count", 257},
        {"llama.context_length", 0},
        {"llama.feed_forward_length", 4}};
    for (const auto& [key, value] : wrong) {
        test::TinyLlama tiny;
        tiny.counts[key] = value;
        EXPECT_EQ(errorOf(tiny).kind, ErrorKind::InvalidFile) << key << " " << value;
    }
    test::TinyLlama tiny;
    tiny.counts["llama.block_count"] = 600;
    EXPECT_EQ(errorOf(tiny).what, "The key llama.block_count is 600; 1 to 512 is possible.");
    for (const float eps : {0.0F, 1.0F}) {
        test::TinyLlama odd;
        odd.numbers["llama.attention.layer_norm_rms_epsilon"] = eps;
        EXPECT_EQ(errorOf(odd).id, "model.key_range") << eps;
    }
}

TEST(Llama, HeadsMustDivide) {
    test::TinyLlama tiny;
    tiny.counts["llama.attention.head_count_kv"] = 3;
    EXPECT_EQ(errorOf(tiny).id, "model.heads");
}

TEST(Llama, OtherFamiliesAndKindsAreRefusedInOneSentence) {
    test::TinyLlama tiny;
    tiny.texts["general.architecture"] = "gemma9";
    EXPECT_EQ(errorOf(tiny).kind, ErrorKind::Unsupported);
    EXPECT_NE(errorOf(tiny).what.find("\"gemma9\""), std::string::npos);
    tiny.texts.erase("general.architecture");
    EXPECT_EQ(errorOf(tiny).id, "model.no_architecture");
    test::TinyLlama experts;
    experts.counts["llama.expert_count"] = 8;
    EXPECT_EQ(errorOf(experts).id, "model.experts");
    test::TinyLlama yarn;
    yarn.texts["llama.rope.scaling.type"] = "yarn";
    EXPECT_EQ(errorOf(yarn).id, "model.rope_scaling");
}

TEST(Llama, AFusedQkvIsBoundAsThreeRowRanges) {
    test::TinyLlama tiny;
    for (const char* part : {"q", "k", "v"}) {
        tiny.tensors.erase(std::string("blk.0.attn_") + part + ".weight");
    }
    tiny.tensors["blk.0.attn_qkv.weight"] = {64, 32};
    const auto file = model_file::openModelFile(tiny.write());
    ASSERT_TRUE(file.ok());
    const auto model = readModel(*file);
    ASSERT_TRUE(model.ok()) << model.error().text();
    const LayerBinding& layer = model->binding.layers[0];
    EXPECT_EQ(layer.q.firstRow, 0u);
    EXPECT_EQ(layer.k.firstRow, 32u);
    EXPECT_EQ(layer.v.firstRow, 48u);
    EXPECT_EQ(layer.v.rows, 16u);
}

TEST(RopeTable, AnglesFollowTheFormula) {
    RopeSpec rope{.dims = 8, .base = 10000.0};
    const auto table = ropeTable(rope, 50);
    ASSERT_EQ(table.size(), 50u * 8);
    EXPECT_EQ(table[0], 1.0F);
    EXPECT_EQ(table[1], 0.0F);
    const double angle = 49 * std::pow(10000.0, -4.0 / 8);
    EXPECT_EQ(table[49 * 8 + 4], static_cast<float>(std::cos(angle)));
    EXPECT_EQ(table[49 * 8 + 5], static_cast<float>(std::sin(angle)));
    rope.divisors = {1, 1, 4, 8};
    EXPECT_EQ(ropeTable(rope, 50)[49 * 8 + 5], static_cast<float>(std::sin(angle / 4)));
    rope.divisors.clear();
    rope.kind = RopeKind::Linear;
    rope.factor = 2;
    EXPECT_EQ(ropeTable(rope, 50)[49 * 8 + 5], static_cast<float>(std::sin(angle / 2)));
}

}  // namespace
}  // namespace agens::model
