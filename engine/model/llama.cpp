// SPDX-License-Identifier: Apache-2.0
// GGUF keys → ModelSpec, tensor names → binding table, for the Llama family. Query and key rows are
// permuted in these files; they are kept as they are and the rope pairs are adjacent columns.
#include "engine/model/llama.h"

#include <cmath>
#include <cstring>

#include "engine/model/gguf_keys.h"

namespace agens::model {
namespace {

using device::BlockFormat;
using model_file::ModelFile;
using model_file::TensorEntry;

std::string shapeText(const std::vector<std::uint64_t>& shape) {
    std::string text = "[";
    for (const std::uint64_t size : shape) {
        if (text.size() > 1) text += ", ";
        text += std::to_string(size);
    }
    return text + "]";
}

Error wrongShape(const TensorEntry& entry, const std::vector<std::uint64_t>& expected) {
    return {ErrorKind::InvalidFile, "model.tensor_shape",
            "Tensor " + entry.name + " is " + shapeText(entry.shape) + "; " + shapeText(expected) +
                " expected.",
            entry.name};
}

// Looks tensors up by name and checks their shape.
class Binder {
 public:
    explicit Binder(const ModelFile& file) : m_file(file) {}

    Result<BoundTensor> matrix(const std::string& name, std::uint64_t rows,
                               std::uint64_t columns) const {
        const TensorEntry* entry = m_file.find(name);
        if (entry == nullptr) return missing(name);
        if (entry->shape != std::vector{rows, columns}) return wrongShape(*entry, {rows, columns});
        return BoundTensor{entry, 0, rows};
    }

    Result<BoundTensor> vector(const std::string& name, std::uint64_t size) const {
        const TensorEntry* entry = m_file.find(name);
        if (entry == nullptr) return missing(name);
        if (entry->shape != std::vector{size}) return wrongShape(*entry, {size});
        if (!device::isFloat(entry->format)) {
            return Error{ErrorKind::InvalidFile, "model.vector_format",
                         "Tensor " + name + " has the block format " +
                             device::factsOf(entry->format).name + "; F32, F16 or BF16 expected.",
                         name};
        }
        return BoundTensor{entry, 0, size};
    }

    Result<BoundTensor> optionalVector(const std::string& name, std::uint64_t size) const {
        if (m_file.find(name) == nullptr) return BoundTensor{};
        return vector(name, size);
    }

    bool has(const std::string& name) const { return m_file.find(name) != nullptr; }

 private:
    Error missing(const std::string& name) const {
        return {
            ErrorKind::InvalidFile, "model.tensor_missing",
            "Tensor " + name + " is missing in the model file; it is incomplete. Obtain it again.",
            name};
    }
    const ModelFile& m_file;
};

Result<RopeSpec> readRope(const ModelFile& file, const GgufKeys& keys, std::uint32_t headDim) {
    RopeSpec rope;
    rope.pairing = device::RopePairing::Adjacent;
    TRY(rope.dims, keys.count("rope.dimension_count", {2, double(headDim)}, headDim));
    if (rope.dims % 2 != 0) {
        return Error{ErrorKind::InvalidFile, "model.rope_dims",
                     "The key " + keys.fullName("rope.dimension_count") + " is " +
                         std::to_string(rope.dims) + "; an even number expected.",
                     keys.fullName("rope.dimension_count")};
    }
    TRY(rope.base, keys.number("rope.freq_base", {1.0, 1e12}, 10000.0));
    TRY(const std::string kind, keys.text("rope.scaling.type", "none"));
    if (kind == "linear") {
        rope.kind = RopeKind::Linear;
        TRY(rope.factor, keys.number("rope.scaling.factor", {1e-3, 1024.0}));
    } else if (kind != "none") {
        return Error{ErrorKind::Unsupported, "model.rope_scaling",
                     "The model uses the position scaling \"" + kind.substr(0, 32) +
                         "\", which this version does not run (none, linear and llama3 work).",
                     keys.fullName("rope.scaling.type")};
    }
    const TensorEntry* divisors = file.find("rope_freqs.weight");
    if (divisors == nullptr) return rope;
    if (divisors->format != BlockFormat::F32 ||
        divisors->shape != std::vector<std::uint64_t>{rope.dims / 2}) {
        return wrongShape(*divisors, {rope.dims / 2});
    }
    rope.divisors.resize(rope.dims / 2);
    std::memcpy(rope.divisors.data(), file.bytesOf(*divisors).data(), divisors->bytes);
    for (const float divisor : rope.divisors) {
        if (!(divisor >= 1e-3F && divisor <= 1e6F)) {
            return Error{ErrorKind::InvalidFile, "model.rope_divisor",
                         "Tensor rope_freqs.weight holds " + std::to_string(divisor) +
                             "; 0.001 to 1000000 is possible.",
                         divisors->name};
        }
    }
    return rope;
}

Result<void> readLayers(const GgufKeys& keys, ModelSpec& spec) {
    TRY(const std::uint32_t layers, keys.count("block_count", {1, 512}));
    TRY(const auto qHeads, keys.perLayer("attention.head_count", layers, {1, 256}));
    TRY(const auto kvHeads, keys.perLayer("attention.head_count_kv", layers, {1, 256}, qHeads[0]));
    TRY(const std::uint32_t headDim,
        keys.count("attention.key_length", {8, 512}, spec.hidden / qHeads[0]));
    TRY(const std::uint32_t valueDim, keys.count("attention.value_length", {8, 512}, headDim));
    TRY(const auto ffnSizes, keys.perLayer("feed_forward_length", layers, {8, 262144}));
    if (valueDim != headDim || headDim % 2 != 0) {
        return Error{ErrorKind::Unsupported, "model.head_dim",
                     "The model's heads have " + std::to_string(headDim) + " key and " +
                         std::to_string(valueDim) +
                         " value columns; an equal, even number is needed.",
                     keys.fullName("attention.key_length")};
    }
    for (std::uint32_t i = 0; i < layers; ++i) {
        if (qHeads[i] % kvHeads[i] != 0 || kvHeads[i] != kvHeads[0] || qHeads[i] != qHeads[0]) {
            return Error{ErrorKind::InvalidFile, "model.heads",
                         "Layer " + std::to_string(i) + " has " + std::to_string(qHeads[i]) +
                             " query heads for " + std::to_string(kvHeads[i]) +
                             " key heads; a multiple, the same in every layer, expected.",
                         keys.fullName("attention.head_count_kv")};
        }
        spec.layers.push_back({.qHeads = qHeads[i],
                               .kvHeads = kvHeads[i],
                               .headDim = headDim,
                               .ffnSize = ffnSizes[i],
                               .scale = static_cast<float>(1.0 / std::sqrt(double(headDim)))});
    }
    return {};
}

Result<ModelSpec> readSpec(const ModelFile& file) {
    const GgufKeys keys(file.metadata, "llama");
    TRY(const std::uint32_t experts, keys.count("expert_count", {0, 1024}, 0));
    if (experts > 0) {
        return Error{ErrorKind::Unsupported, "model.experts",
                     "This is a mixture of " + std::to_string(experts) +
                         " experts; this version runs dense models of the Llama family.",
                     keys.fullName("expert_count")};
    }
    ModelSpec spec;
    spec.family = "llama";
    TRY(const auto name, file.metadata.text("general.name"));
    spec.name = name.value_or(file.file->path().stem().string()).substr(0, 256);
    TRY(spec.hidden, keys.count("embedding_length", {16, 32768}));
    TRY_VOID(readLayers(keys, spec));
    TRY(const double eps, keys.number("attention.layer_norm_rms_epsilon", {1e-12, 1e-2}));
    spec.normEps = static_cast<float>(eps);
    TRY(spec.contextTrained, keys.count("context_length", {1, 16777216}));
    TRY(spec.rope, readRope(file, keys, spec.layers[0].headDim));
    const TensorEntry* embed = file.find("token_embd.weight");
    spec.vocabRows =
        embed == nullptr
            ? 0
            : static_cast<std::uint32_t>(std::min<std::uint64_t>(embed->rows(), UINT32_MAX));
    spec.tiedHead = file.find("output.weight") == nullptr;
    for (const TensorEntry& tensor : file.tensors)
        spec.parameters += tensor.rows() * tensor.columns();
    return spec;
}

Result<void> bindAttention(const Binder& binder, const std::string& block, const ModelSpec& spec,
                           const LayerSpec& layer, LayerBinding& out) {
    const std::uint64_t qRows = std::uint64_t{layer.qHeads} * layer.headDim;
    const std::uint64_t kvRows = std::uint64_t{layer.kvHeads} * layer.headDim;
    if (binder.has(block + "attn_qkv.weight")) {
        TRY(const BoundTensor fused,
            binder.matrix(block + "attn_qkv.weight", qRows + 2 * kvRows, spec.hidden));
        out.q = {fused.entry, 0, qRows};
        out.k = {fused.entry, qRows, kvRows};
        out.v = {fused.entry, qRows + kvRows, kvRows};
    } else {
        TRY(out.q, binder.matrix(block + "attn_q.weight", qRows, spec.hidden));
        TRY(out.k, binder.matrix(block + "attn_k.weight", kvRows, spec.hidden));
        TRY(out.v, binder.matrix(block + "attn_v.weight", kvRows, spec.hidden));
    }
    TRY(out.qBias, binder.optionalVector(block + "attn_q.bias", qRows));
    TRY(out.kBias, binder.optionalVector(block + "attn_k.bias", kvRows));
    TRY(out.vBias, binder.optionalVector(block + "attn_v.bias", kvRows));
    TRY(out.o, binder.matrix(block + "attn_output.weight", spec.hidden, qRows));
    TRY(out.oBias, binder.optionalVector(block + "attn_output.bias", spec.hidden));
    return {};
}

Result<Binding> bind(const ModelFile& file, const ModelSpec& spec) {
    const Binder binder(file);
    Binding binding;
    TRY(binding.embed, binder.matrix("token_embd.weight", spec.vocabRows, spec.hidden));
    if (spec.vocabRows < 16 || spec.vocabRows > 1048576) {
        return Error{ErrorKind::InvalidFile, "model.vocabulary",
                     "The embedding has " + std::to_string(spec.vocabRows) +
                         " rows; 16 to 1048576 are possible.",
                     "token_embd.weight"};
    }
    TRY(binding.finalNorm, binder.vector("output_norm.weight", spec.hidden));
    binding.head = binding.embed;
    if (!spec.tiedHead) {
        TRY(binding.head, binder.matrix("output.weight", spec.vocabRows, spec.hidden));
    }
    for (std::size_t i = 0; i < spec.layers.size(); ++i) {
        const std::string block = "blk." + std::to_string(i) + ".";
        const LayerSpec& layer = spec.layers[i];
        LayerBinding out;
        TRY(out.mixerNorm, binder.vector(block + "attn_norm.weight", spec.hidden));
        TRY_VOID(bindAttention(binder, block, spec, layer, out));
        TRY(out.ffnNorm, binder.vector(block + "ffn_norm.weight", spec.hidden));
        TRY(out.gate, binder.matrix(block + "ffn_gate.weight", layer.ffnSize, spec.hidden));
        TRY(out.up, binder.matrix(block + "ffn_up.weight", layer.ffnSize, spec.hidden));
        TRY(out.down, binder.matrix(block + "ffn_down.weight", spec.hidden, layer.ffnSize));
        binding.layers.push_back(out);
    }
    return binding;
}

}  // namespace

Result<Model> readLlama(const ModelFile& file) {
    TRY(ModelSpec spec, readSpec(file));
    TRY(Binding binding, bind(file, spec));
    return Model{std::move(spec), std::move(binding)};
}

}  // namespace agens::model
