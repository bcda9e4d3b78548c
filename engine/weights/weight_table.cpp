// SPDX-License-Identifier: Apache-2.0
// Walks the binding in file order of layers; a mapped part is released as soon as it is packed, so
// that file and packed copy never stand in memory together.
#include "engine/weights/weight_table.h"

#include <algorithm>

#include "engine/device/formats/decode_row.h"

namespace agens::weights {
namespace {

using model::BoundTensor;

class Uploader {
 public:
    Uploader(const model_file::ModelFile& file, device::Device& device,
             const UploadProgress& progress, std::stop_token stop)
        : m_file(file), m_device(device), m_progress(progress), m_stop(std::move(stop)) {
        for (const auto& tensor : file.tensors)
            m_total += tensor.bytes;
    }

    Result<Matrix> matrix(const BoundTensor& tensor) {
        TRY_VOID(checkStop());
        const auto bytes = bytesOf(tensor);
        TRY(const device::MatrixId id,
            m_device.upload({.format = tensor.entry->format,
                             .rows = static_cast<std::uint32_t>(tensor.rows),
                             .columns = static_cast<std::uint32_t>(tensor.entry->columns()),
                             .bytes = bytes}));
        advance(tensor, bytes.size());
        return Matrix{id, tensor.entry->format};
    }

    Result<device::VectorId> vector(const BoundTensor& tensor) {
        std::vector<float> values(tensor.rows);
        const auto bytes = bytesOf(tensor);
        device::decodeRow(tensor.entry->format, bytes.data(), values);
        advance(tensor, bytes.size());
        return m_device.uploadVector(values);
    }

    Result<std::optional<device::VectorId>> optionalVector(const BoundTensor& tensor) {
        if (!tensor) return std::optional<device::VectorId>();
        TRY(const device::VectorId id, vector(tensor));
        return std::optional(id);
    }

 private:
    Result<void> checkStop() const {
        if (!m_stop.stop_requested()) return {};
        return Error{ErrorKind::Cancelled, "load.cancelled", "Loading was cancelled.", ""};
    }

    std::span<const std::byte> bytesOf(const BoundTensor& tensor) const {
        const auto whole = m_file.bytesOf(*tensor.entry);
        if (tensor.entry->shape.size() < 2) return whole;
        const std::uint64_t row = device::rowBytes(tensor.entry->format, tensor.entry->columns());
        return whole.subspan(tensor.firstRow * row, tensor.rows * row);
    }

    void advance(const BoundTensor& tensor, std::uint64_t bytes) {
        m_done += bytes;
        m_file.file->release(tensor.entry->offset, tensor.entry->bytes);
        if (m_progress) m_progress(std::min(m_done, m_total), m_total);
    }

    const model_file::ModelFile& m_file;
    device::Device& m_device;
    const UploadProgress& m_progress;
    std::stop_token m_stop;
    std::uint64_t m_done = 0;
    std::uint64_t m_total = 0;
};

Result<LayerWeights> uploadLayer(Uploader& uploader, const model::LayerBinding& layer) {
    LayerWeights out;
    TRY(out.mixerNorm, uploader.vector(layer.mixerNorm));
    TRY(out.q, uploader.matrix(layer.q));
    TRY(out.k, uploader.matrix(layer.k));
    TRY(out.v, uploader.matrix(layer.v));
    TRY(out.o, uploader.matrix(layer.o));
    TRY(out.qBias, uploader.optionalVector(layer.qBias));
    TRY(out.kBias, uploader.optionalVector(layer.kBias));
    TRY(out.vBias, uploader.optionalVector(layer.vBias));
    TRY(out.oBias, uploader.optionalVector(layer.oBias));
    TRY(out.ffnNorm, uploader.vector(layer.ffnNorm));
    TRY(out.gate, uploader.matrix(layer.gate));
    TRY(out.up, uploader.matrix(layer.up));
    TRY(out.down, uploader.matrix(layer.down));
    return out;
}

}  // namespace

Result<WeightTable> uploadWeights(const model_file::ModelFile& file, const model::Model& model,
                                  std::uint32_t positions, device::Device& device,
                                  const UploadProgress& progress, std::stop_token stop) {
    Uploader uploader(file, device, progress, std::move(stop));
    WeightTable table;
    TRY(table.embed, uploader.matrix(model.binding.embed));
    table.head = table.embed;
    if (!model.spec.tiedHead) {
        TRY(table.head, uploader.matrix(model.binding.head));
    }
    TRY(table.finalNorm, uploader.vector(model.binding.finalNorm));
    for (const model::LayerBinding& layer : model.binding.layers) {
        TRY(LayerWeights uploaded, uploadLayer(uploader, layer));
        table.layers.push_back(uploaded);
    }
    TRY(table.ropeTable, device.uploadVector(model::ropeTable(model.spec.rope, positions)));
    if (!file.file->isUnchanged()) {
        return Error{ErrorKind::Io, "load.changed",
                     "\"" + file.file->path().filename().string() +
                         "\" changed while it was being read. Load it again when it is complete.",
                     file.file->path().string()};
    }
    return table;
}

}  // namespace agens::weights
