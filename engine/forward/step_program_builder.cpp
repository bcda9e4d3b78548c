// SPDX-License-Identifier: Apache-2.0
// A Llama layer as ops:
//
//   x ──norm_quantize──► a ──matmul q,k,v──► rope_append ──► attention ──quantize──► matmul o
//   ──(+x)──► x x ──norm_quantize──► a ──swiglu_matmul gate,up──quantize──► matmul down ──(+x)──► x
//
// and after the last one: wanted rows ──norm_quantize──► h ──matmul head──► logits.
#include "engine/forward/step_program_builder.h"

#include <algorithm>
#include <initializer_list>

namespace agens::forward {
namespace {

using device::ActivationId;
using device::SlotId;
using weights::Matrix;

class Builder {
 public:
    Builder(const model::ModelSpec& spec, const weights::WeightTable& weights,
            std::uint32_t positions, device::ActivationMode mode)
        : m_spec(spec), m_weights(weights), m_positions(positions), m_mode(mode) {}

    device::StepProgram build() {
        const model::LayerSpec& first = m_spec.layers[0];
        std::uint32_t ffn = 0;
        for (const auto& layer : m_spec.layers)
            ffn = std::max(ffn, layer.ffnSize);
        m_x = slot(m_spec.hidden);
        m_q = slot(first.qHeads * first.headDim);
        m_k = slot(first.kvHeads * first.headDim);
        m_v = slot(first.kvHeads * first.headDim);
        m_mixed = slot(first.qHeads * first.headDim);
        m_program.ops.push_back(device::Embed{m_weights.embed.id, m_spec.embedScale, m_x});
        for (std::uint32_t layer = 0; layer < m_spec.layers.size(); ++layer)
            addLayer(layer);
        addHead();
        return std::move(m_program);
    }

 private:
    SlotId slot(std::uint32_t columns) {
        m_program.slotColumns.push_back(columns);
        return SlotId(static_cast<std::uint32_t>(m_program.slotColumns.size() - 1));
    }

    // An activation that serves `readers`; one of each kind is shared by all layers.
    ActivationId activation(std::uint32_t columns, std::initializer_list<Matrix> readers) {
        device::ActivationShape shape{.columns = columns};
        for (const Matrix& reader : readers) {
            const bool asFloat =
                m_mode == device::ActivationMode::F32 || device::isFloat(reader.format);
            shape.needsFloat = shape.needsFloat || asFloat;
            shape.needsInt8 = shape.needsInt8 || !asFloat;
        }
        shape.isWide = shape.needsInt8 && m_mode == device::ActivationMode::Wide;
        for (std::uint32_t i = 0; i < m_program.activations.size(); ++i) {
            const device::ActivationShape& known = m_program.activations[i];
            if (known.columns == shape.columns && known.needsFloat == shape.needsFloat &&
                known.needsInt8 == shape.needsInt8) {
                return ActivationId(i);
            }
        }
        m_program.activations.push_back(shape);
        return ActivationId(static_cast<std::uint32_t>(m_program.activations.size() - 1));
    }

    SlotId ffnSlot(std::uint32_t columns) {
        for (std::uint32_t i = m_mixed.value + 1; i < m_program.slotColumns.size(); ++i) {
            if (m_program.slotColumns[i] == columns) return SlotId(i);
        }
        return slot(columns);
    }

    void addLayer(std::uint32_t index) {
        const model::LayerSpec& layer = m_spec.layers[index];
        const weights::LayerWeights& w = m_weights.layers[index];
        auto& ops = m_program.ops;

        const ActivationId mixerIn = activation(m_spec.hidden, {w.q, w.k, w.v});
        ops.push_back(device::NormQuantize{m_x, w.mixerNorm, m_spec.normEps, mixerIn, false});
        device::Matmul qkv{.in = mixerIn, .partCount = 3};
        qkv.parts = {device::MatmulPart{w.q.id, w.qBias, m_q},
                     device::MatmulPart{w.k.id, w.kBias, m_k},
                     device::MatmulPart{w.v.id, w.vBias, m_v}};
        ops.push_back(qkv);
        ops.push_back(device::RopeAppend{m_q, m_k, m_v, m_weights.ropeTable, index, layer.qHeads,
                                         layer.kvHeads, layer.headDim, m_spec.rope.dims,
                                         m_positions, m_spec.rope.pairing});
        ops.push_back(device::Attention{m_q, m_mixed, index, layer.qHeads, layer.kvHeads,
                                        layer.headDim, layer.scale});
        const ActivationId mixed = activation(layer.qHeads * layer.headDim, {w.o});
        ops.push_back(device::Quantize{m_mixed, mixed});
        ops.push_back(residual(mixed, w.o, w.oBias));

        const ActivationId ffnIn = activation(m_spec.hidden, {w.gate, w.up});
        ops.push_back(device::NormQuantize{m_x, w.ffnNorm, m_spec.normEps, ffnIn, false});
        const SlotId inner = ffnSlot(layer.ffnSize);
        ops.push_back(device::SwigluMatmul{ffnIn, w.gate.id, w.up.id, inner});
        const ActivationId downIn = activation(layer.ffnSize, {w.down});
        ops.push_back(device::Quantize{inner, downIn});
        ops.push_back(residual(downIn, w.down, std::nullopt));
    }

    device::Matmul residual(ActivationId in, const Matrix& matrix,
                            std::optional<device::VectorId> bias) const {
        device::Matmul op{.in = in, .accumulate = true};
        op.parts[0] = {matrix.id, bias, m_x};
        return op;
    }

    void addHead() {
        // Its own activation, never shared: its f32 rows are an output.
        const bool isInt8 =
            m_mode != device::ActivationMode::F32 && !device::isFloat(m_weights.head.format);
        m_program.activations.push_back(
            {.columns = m_spec.hidden,
             .needsFloat = true,
             .needsInt8 = isInt8,
             .isWide = isInt8 && m_mode == device::ActivationMode::Wide});
        m_program.finalHidden =
            ActivationId(static_cast<std::uint32_t>(m_program.activations.size() - 1));
        m_program.logits = slot(m_spec.vocabRows);
        m_program.hiddenSize = m_spec.hidden;
        m_program.vocabRows = m_spec.vocabRows;
        m_program.ops.push_back(device::NormQuantize{m_x, m_weights.finalNorm, m_spec.normEps,
                                                     m_program.finalHidden, true});
        device::Matmul head{.in = m_program.finalHidden, .onlyWanted = true};
        head.parts[0] = {m_weights.head.id, std::nullopt, m_program.logits};
        m_program.ops.push_back(head);
    }

    const model::ModelSpec& m_spec;
    const weights::WeightTable& m_weights;
    std::uint32_t m_positions;
    device::ActivationMode m_mode;
    device::StepProgram m_program;
    SlotId m_x, m_q, m_k, m_v, m_mixed;
};

}  // namespace

device::KvLayout kvLayout(const model::ModelSpec& spec, device::KvElement element) {
    return {.layers = static_cast<std::uint32_t>(spec.layers.size()),
            .kvHeads = spec.layers[0].kvHeads,
            .headDim = spec.layers[0].headDim,
            .element = element};
}

device::StepProgram buildStepProgram(const model::ModelSpec& spec,
                                     const weights::WeightTable& weights, std::uint32_t positions,
                                     device::ActivationMode mode) {
    return Builder(spec, weights, positions, mode).build();
}

}  // namespace agens::forward
