// SPDX-License-Identifier: Apache-2.0
// The interpreter: one function per op record, in the order of the program.
#include "engine/device/reference/reference_device.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"
#include "engine/device/reference/reference_ops.h"

namespace agens::device {
namespace {

using reference::Activation;
using reference::KvPool;
using reference::Matrix;

class ReferenceDevice final : public Device {
 public:
    explicit ReferenceDevice(ActivationMode mode) : m_dequantise(mode == ActivationMode::F32) {}

    DeviceInfo info() const override { return {.name = "reference", .isa = "", .threads = 1}; }
    Result<MatrixId> upload(const MatrixSource& source) override;
    Result<VectorId> uploadVector(std::span<const float> values) override;
    Result<void> allocateKv(const KvLayout& layout, std::uint32_t pages) override;
    Result<void> prepare(const StepProgram& program, RowLimits limits) override;
    Result<StepOutputs> run(const StepInputs& inputs, std::stop_token stop) override;
    void copyPage(PageId from, PageId to) override;
    DeviceMemory memory() const override;

 private:
    void apply(const Embed& op, const StepInputs& inputs);
    void apply(const NormQuantize& op, const StepInputs& inputs);
    void apply(const Quantize& op, const StepInputs& inputs);
    void apply(const Matmul& op, const StepInputs& inputs);
    void apply(const SwigluMatmul& op, const StepInputs& inputs);
    void apply(const RopeAppend& op, const StepInputs& inputs);
    void apply(const Attention& op, const StepInputs& inputs);

    std::span<float> row(SlotId slot, std::size_t index) {
        const std::size_t columns = m_program.slotColumns[slot.value];
        return std::span(m_slots[slot.value]).subspan(index * columns, columns);
    }

    bool m_dequantise;
    std::vector<Matrix> m_matrices;
    std::vector<std::vector<float>> m_vectors;
    KvPool m_kv;
    StepProgram m_program;
    std::vector<std::vector<float>> m_slots;
    std::vector<Activation> m_activations;
    std::vector<std::uint32_t> m_wanted;  // step rows with logits, in order
};

Result<MatrixId> ReferenceDevice::upload(const MatrixSource& source) {
    m_matrices.push_back(
        {source.format, source.rows, source.columns, {source.bytes.begin(), source.bytes.end()}});
    return MatrixId(static_cast<std::uint32_t>(m_matrices.size() - 1));
}

Result<VectorId> ReferenceDevice::uploadVector(std::span<const float> values) {
    m_vectors.emplace_back(values.begin(), values.end());
    return VectorId(static_cast<std::uint32_t>(m_vectors.size() - 1));
}

Result<void> ReferenceDevice::allocateKv(const KvLayout& layout, std::uint32_t pages) {
    m_kv.layout = layout;
    m_kv.bytes.assign(layout.pageBytes() * pages, std::byte{0});
    return {};
}

Result<void> ReferenceDevice::prepare(const StepProgram& program, RowLimits) {
    m_program = program;
    m_slots.resize(program.slotColumns.size());
    m_activations.resize(program.activations.size());
    for (std::size_t i = 0; i < m_activations.size(); ++i) {
        m_activations[i].shape = program.activations[i];
    }
    // The last activation's f32 rows are an output.
    m_activations[program.finalHidden.value].shape.needsFloat = true;
    return {};
}

Result<StepOutputs> ReferenceDevice::run(const StepInputs& inputs, std::stop_token stop) {
    m_wanted.clear();
    for (std::uint32_t i = 0; i < inputs.rows.size(); ++i) {
        if (inputs.rows[i].wantLogits) m_wanted.push_back(i);
    }
    const auto rows = static_cast<std::uint32_t>(inputs.rows.size());
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        m_slots[i].resize(std::size_t{rows} * m_program.slotColumns[i]);
    }
    for (Activation& activation : m_activations)
        activation.resize(rows);
    for (const OpRecord& record : m_program.ops) {
        if (stop.stop_requested()) {
            return Error{ErrorKind::Cancelled, "device.cancelled", "The step was cancelled.", ""};
        }
        std::visit([&](const auto& op) { apply(op, inputs); }, record);
    }
    StepOutputs out;
    out.wantedRows = static_cast<std::uint32_t>(m_wanted.size());
    out.vocabRows = m_program.vocabRows;
    out.hiddenSize = m_program.hiddenSize;
    out.logits = std::span<const float>(m_slots[m_program.logits.value])
                     .first(m_wanted.size() * m_program.vocabRows);
    if (inputs.wantHidden) {
        out.hidden = std::span<const float>(m_activations[m_program.finalHidden.value].values)
                         .first(m_wanted.size() * m_program.hiddenSize);
    }
    return out;
}

void ReferenceDevice::apply(const Embed& op, const StepInputs& inputs) {
    for (std::size_t r = 0; r < inputs.rows.size(); ++r) {
        reference::embedRow(m_matrices[op.table.value], inputs.rows[r].token.value, op.scale,
                            row(op.out, r));
    }
}

void ReferenceDevice::apply(const NormQuantize& op, const StepInputs& inputs) {
    std::vector<float> normed(m_program.slotColumns[op.in.value]);
    const std::size_t count = op.onlyWanted ? m_wanted.size() : inputs.rows.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t source = op.onlyWanted ? m_wanted[i] : i;
        reference::normRow(row(op.in, source), m_vectors[op.weight.value], op.eps, normed);
        reference::quantizeRow(normed, m_activations[op.out.value], static_cast<std::uint32_t>(i));
    }
}

void ReferenceDevice::apply(const Quantize& op, const StepInputs& inputs) {
    for (std::size_t r = 0; r < inputs.rows.size(); ++r) {
        reference::quantizeRow(row(op.in, r), m_activations[op.out.value],
                               static_cast<std::uint32_t>(r));
    }
}

void ReferenceDevice::apply(const Matmul& op, const StepInputs& inputs) {
    const auto rows =
        static_cast<std::uint32_t>(op.onlyWanted ? m_wanted.size() : inputs.rows.size());
    for (std::uint32_t p = 0; p < op.partCount; ++p) {
        const MatmulPart& part = op.parts[p];
        const Matrix& matrix = m_matrices[part.matrix.value];
        std::vector<float> product(std::size_t{rows} * matrix.rows);
        reference::matmulRows(matrix, m_activations[op.in.value], rows, m_dequantise, product);
        for (std::uint32_t r = 0; r < rows; ++r) {
            const std::span<float> out = row(part.out, r);
            for (std::uint32_t o = 0; o < matrix.rows; ++o) {
                float value = product[std::size_t{r} * matrix.rows + o];
                if (part.bias) value += m_vectors[part.bias->value][o];
                out[o] = op.accumulate ? out[o] + value : value;
            }
        }
    }
}

void ReferenceDevice::apply(const SwigluMatmul& op, const StepInputs& inputs) {
    const auto rows = static_cast<std::uint32_t>(inputs.rows.size());
    const Matrix& gate = m_matrices[op.gate.value];
    std::vector<float> gated(std::size_t{rows} * gate.rows);
    std::vector<float> up(gated.size());
    const Activation& in = m_activations[op.in.value];
    reference::matmulRows(gate, in, rows, m_dequantise, gated);
    reference::matmulRows(m_matrices[op.up.value], in, rows, m_dequantise, up);
    for (std::size_t i = 0; i < gated.size(); ++i) {
        m_slots[op.out.value][i] = reference::silu(gated[i]) * up[i];
    }
}

void ReferenceDevice::apply(const RopeAppend& op, const StepInputs& inputs) {
    for (std::size_t r = 0; r < inputs.rows.size(); ++r) {
        const StepRow& step = inputs.rows[r];
        const auto table = std::span<const float>(m_vectors[op.table.value])
                               .subspan(std::size_t{step.position.value} * op.dims, op.dims);
        reference::ropeRow(row(op.q, r), op.headDim, op.dims, op.pairing, table);
        reference::ropeRow(row(op.k, r), op.headDim, op.dims, op.pairing, table);
        const PageId page = inputs.pageTables[step.sequence][step.position.value / kPagePositions];
        const std::uint32_t place = step.position.value % kPagePositions;
        for (std::uint32_t head = 0; head < op.kvHeads; ++head) {
            for (std::uint32_t d = 0; d < op.headDim; ++d) {
                const std::size_t column = std::size_t{head} * op.headDim + d;
                m_kv.write(page, m_kv.layout.keyTile(op.layer, head) + d * kPagePositions + place,
                           row(op.k, r)[column]);
                m_kv.write(page, m_kv.layout.valueTile(op.layer, head) + place * op.headDim + d,
                           row(op.v, r)[column]);
            }
        }
    }
}

void ReferenceDevice::apply(const Attention& op, const StepInputs& inputs) {
    for (std::size_t r = 0; r < inputs.rows.size(); ++r) {
        const StepRow& step = inputs.rows[r];
        for (std::uint32_t head = 0; head < op.qHeads; ++head) {
            const std::size_t column = std::size_t{head} * op.headDim;
            reference::attentionRow(m_kv, inputs.pageTables[step.sequence], op,
                                    head / (op.qHeads / op.kvHeads), step.position.value + 1,
                                    row(op.q, r).subspan(column, op.headDim),
                                    row(op.out, r).subspan(column, op.headDim));
        }
    }
}

void ReferenceDevice::copyPage(PageId from, PageId to) {
    const std::size_t size = m_kv.layout.pageBytes();
    const auto source = m_kv.bytes.begin() + static_cast<std::ptrdiff_t>(from.value * size);
    std::copy(source, source + static_cast<std::ptrdiff_t>(size),
              m_kv.bytes.begin() + static_cast<std::ptrdiff_t>(to.value * size));
}

DeviceMemory ReferenceDevice::memory() const {
    DeviceMemory memory;
    for (const Matrix& matrix : m_matrices) {
        memory.weights = memory.weights + ByteCount(matrix.bytes.size());
    }
    for (const auto& vector : m_vectors) {
        memory.weights = memory.weights + ByteCount(vector.size() * sizeof(float));
    }
    memory.kvPages = ByteCount(m_kv.bytes.size());
    return memory;
}

}  // namespace

std::unique_ptr<Device> makeReferenceDevice(ActivationMode mode) {
    return std::make_unique<ReferenceDevice>(mode);
}

}  // namespace agens::device
