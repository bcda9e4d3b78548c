// SPDX-License-Identifier: Apache-2.0
// A tiny Llama file for tests: hidden 32, one layer, two heads, F32 weights of a fixed pattern.
// Every key and tensor can be left out or replaced, so that each refusal is one line of a test.
#pragma once

#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/model_file/tensor_index.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/test_paths.h"

namespace agens::test {

struct TinyLlama {
    std::map<std::string, std::uint32_t> counts = {
        {"llama.block_count", 1},          {"llama.embedding_length", 32},
        {"llama.context_length", 64},      {"llama.feed_forward_length", 48},
        {"llama.attention.head_count", 2}, {"llama.attention.head_count_kv", 1}};
    std::map<std::string, float> numbers = {{"llama.attention.layer_norm_rms_epsilon", 1e-5F}};
    std::map<std::string, std::string> texts = {{"general.architecture", "llama"}};
    std::map<std::string, std::vector<std::uint64_t>> tensors = {  // outermost axis first
        {"token_embd.weight", {20, 32}},        {"output_norm.weight", {32}},
        {"blk.0.attn_norm.weight", {32}},       {"blk.0.attn_q.weight", {32, 32}},
        {"blk.0.attn_k.weight", {16, 32}},      {"blk.0.attn_v.weight", {16, 32}},
        {"blk.0.attn_output.weight", {32, 32}}, {"blk.0.ffn_norm.weight", {32}},
        {"blk.0.ffn_gate.weight", {48, 32}},    {"blk.0.ffn_up.weight", {48, 32}},
        {"blk.0.ffn_down.weight", {32, 48}}};

    std::filesystem::path write(const std::string& name = "tiny.gguf") const {
        GgufWriter writer;
        for (const auto& [key, value] : texts)
            writer.text(key, value);
        for (const auto& [key, value] : counts)
            writer.u32(key, value);
        for (const auto& [key, value] : numbers)
            writer.f32(key, value);
        for (const auto& [tensor, dims] : tensors) {
            std::uint64_t size = 1;
            for (const std::uint64_t dim : dims)
                size *= dim;
            std::string raw;
            for (std::uint64_t i = 0; i < size; ++i) {
                raw += rawBytes(std::sin(static_cast<float>(i) * 0.7F) * 0.5F);
            }
            writer.tensor(tensor, dims, 0, raw);
        }
        const std::filesystem::path path = scratchFolder() / name;
        writer.save(path);
        return path;
    }
};

}  // namespace agens::test
