// SPDX-License-Identifier: Apache-2.0
// Header, then keys, then tensor list, then the checks that need the whole list.
#include "engine/model_file/gguf.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "engine/base/byte_reader.h"
#include "engine/base/checked.h"
#include "engine/model_file/gguf_error.h"
#include "engine/model_file/gguf_metadata.h"
#include "engine/model_file/gguf_tensor_type.h"

namespace agens::model_file {
namespace {

constexpr std::uint64_t kShortestFile = 24;
constexpr std::uint64_t kLargestHeader = std::uint64_t{256} << 20;
constexpr std::uint64_t kMostTensors = 65'536;
constexpr std::uint64_t kSmallestTensorInfo = 33;  // 8 + 1 name, 4 axes, 8 dim, 4 type, 8 offset
constexpr std::uint64_t kLongestName = 64;
constexpr std::uint32_t kMostAxes = 4;
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 40;
constexpr std::uint64_t kDefaultAlignment = 32;
constexpr std::uint64_t kMostParts = 1'024;

bool startsWith(std::span<const std::byte> bytes, std::string_view text) {
    return bytes.size() >= text.size() && std::memcmp(bytes.data(), text.data(), text.size()) == 0;
}

bool hasControlCharacter(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
}

struct Counts {
    std::uint32_t version = 0;
    std::uint64_t tensors = 0;
    std::uint64_t keys = 0;
};

// Reads one file. Offsets stay relative to the data section until its start is known.
class GgufReader {
 public:
    GgufReader(std::span<const std::byte> file, std::string name)
        : m_file(file),
          m_reader(file.first(std::min<std::uint64_t>(file.size(), kLargestHeader))),
          m_errors(std::move(name)) {}

    Result<ModelFile> read() {
        TRY(const Counts counts, readCounts());
        TRY(Metadata metadata, readGgufMetadata(m_reader, counts.keys, m_errors));
        TRY_VOID(refuseParts(metadata));
        TRY(const std::uint64_t alignment, alignmentOf(metadata));
        TRY(std::vector<TensorEntry> tensors, readTensors(counts.tensors, alignment));
        TRY_VOID(placeTensors(tensors, Checked(m_reader.offset()).alignedTo(alignment)));
        TRY_VOID(checkNames(tensors));
        TRY_VOID(checkOverlap(tensors));
        return ModelFile{.file = nullptr,
                         .container = "gguf v" + std::to_string(counts.version),
                         .metadata = std::move(metadata),
                         .tensors = std::move(tensors)};
    }

 private:
    Error damaged(const char* id, const std::string& what) const {
        return m_errors.damaged(id, what, m_reader.offset());
    }
    Error tensorError(const char* id, const TensorEntry& tensor,
                      const std::string& sentence) const {
        return m_errors.invalid(id, sentence, "tensor " + printable(tensor.name));
    }

    Result<Counts> readCounts() {
        if (m_file.size() < kShortestFile) {
            return m_errors.invalid("G01", "The file is too short to be a GGUF file.", "byte 0");
        }
        m_reader.take(4);
        Counts counts;
        counts.version = *m_reader.read<std::uint32_t>();
        if (counts.version != 2 && counts.version != 3) return refusedVersion(counts.version);
        counts.tensors = *m_reader.read<std::uint64_t>();
        counts.keys = *m_reader.read<std::uint64_t>();
        const std::uint64_t most =
            std::min(kMostTensors, m_reader.remaining() / kSmallestTensorInfo);
        if (counts.tensors > most) {
            return m_errors.invalid(
                "G05",
                "The tensor count " + std::to_string(counts.tensors) + " does not fit the file.",
                "byte 8");
        }
        return counts;
    }

    Error refusedVersion(std::uint32_t version) const {
        if ((version & 0xFFFFU) == 0 && version != 0) {
            return m_errors.unsupported(
                "G04", "This is a big-endian GGUF file, which is not supported.", "byte 4");
        }
        return m_errors.unsupported(
            "G04", "GGUF version " + std::to_string(version) + " is not supported.", "byte 4");
    }

    // A model in several files is refused by name instead of failing later as "tensor missing".
    Result<void> refuseParts(const Metadata& metadata) const {
        TRY(const std::optional<std::uint64_t> parts, metadata.count("split.count"));
        if (!parts) return {};
        if (*parts == 0 || *parts > kMostParts) {
            return m_errors.invalid("G26",
                                    "Key split.count must be a number between 1 and 1024; it is " +
                                        std::to_string(*parts) + ".",
                                    "key split.count");
        }
        if (*parts == 1) return {};
        return m_errors.unsupported("G26",
                                    "A model in " + std::to_string(*parts) +
                                        " files is not supported (G26); join them into one file.",
                                    "key split.count");
    }

    Result<std::uint64_t> alignmentOf(const Metadata& metadata) const {
        TRY(const std::optional<std::uint64_t> asked, metadata.count("general.alignment"));
        const std::uint64_t alignment = asked.value_or(kDefaultAlignment);
        const bool isPowerOfTwo = alignment != 0 && (alignment & (alignment - 1)) == 0;
        if (isPowerOfTwo && alignment >= 8 && alignment <= 65'536) return alignment;
        return m_errors.invalid("G14",
                                "The alignment " + std::to_string(alignment) +
                                    " is not a power of two between 8 and 65536.",
                                "key general.alignment");
    }

    Result<std::vector<TensorEntry>> readTensors(std::uint64_t count, std::uint64_t alignment) {
        std::vector<TensorEntry> tensors;
        if (count > m_reader.remaining() / kSmallestTensorInfo) return endsInList();
        tensors.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            TRY(TensorEntry tensor, readTensor());
            if (tensor.offset % alignment != 0) {
                return damaged("G23", "tensor " + printable(tensor.name) + " starts at offset " +
                                          std::to_string(tensor.offset) + ", no multiple of " +
                                          std::to_string(alignment) + ",");
            }
            tensors.push_back(std::move(tensor));
        }
        return tensors;
    }

    Error endsInList() const { return damaged("G13", "the file ends inside the list of tensors"); }

    Result<TensorEntry> readTensor() {
        TensorEntry tensor;
        TRY(tensor.name, readName());
        TRY_VOID(readShape(tensor));
        const auto type = m_reader.read<std::uint32_t>();
        const auto offset = m_reader.read<std::uint64_t>();
        if (!type || !offset) return endsInList();
        TRY(tensor.format, formatOf(tensor, *type));
        tensor.offset = *offset;
        if (tensor.columns() % device::factsOf(tensor.format).blockValues != 0) {
            return tensorError(
                "G22", tensor,
                "A row of tensor " + printable(tensor.name) + " is no multiple of its block size.");
        }
        tensor.bytes = tensor.rows() * device::rowBytes(tensor.format, tensor.columns());
        return tensor;
    }

    Result<std::string> readName() {
        const auto length = m_reader.read<std::uint64_t>();
        if (!length) return endsInList();
        if (*length == 0 || *length > kLongestName) {
            return damaged("G17", "a tensor name of " + std::to_string(*length) + " bytes");
        }
        const auto name = m_reader.takeText(*length);
        if (!name) return endsInList();
        if (hasControlCharacter(*name))
            return damaged("G17", "a tensor name with a control character");
        return std::string(*name);
    }

    // The file lists the innermost axis first; a TensorEntry the outermost.
    Result<void> readShape(TensorEntry& tensor) {
        const auto axes = m_reader.read<std::uint32_t>();
        if (!axes) return endsInList();
        if (*axes == 0 || *axes > kMostAxes) {
            return damaged("G19", "tensor " + printable(tensor.name) + " has " +
                                      std::to_string(*axes) + " axes");
        }
        Checked values(1);
        bool hasEmptyAxis = false;
        for (std::uint32_t axis = 0; axis < *axes; ++axis) {
            const auto size = m_reader.read<std::uint64_t>();
            if (!size) return endsInList();
            hasEmptyAxis = hasEmptyAxis || *size == 0;
            values = values * Checked(*size);
            tensor.shape.push_back(*size);
        }
        std::ranges::reverse(tensor.shape);
        if (!hasEmptyAxis && values.isAtMost(kMostValues)) return {};
        return tensorError("G20", tensor,
                           "Tensor " + printable(tensor.name) + " has an impossible shape.");
    }

    Result<device::BlockFormat> formatOf(const TensorEntry& tensor, std::uint32_t id) const {
        const GgufTensorType type = ggufTensorType(id);
        const std::string name = printable(tensor.name);
        const std::string place = "tensor " + name;
        switch (type.status) {
            case GgufTypeStatus::Loadable:
                return type.format;
            case GgufTypeStatus::NotYet:
                return m_errors.unsupported("G21",
                                            "Tensor " + name + " has the type " + type.name +
                                                ", which this version does not run.",
                                            place);
            case GgufTypeStatus::Activation:
                return m_errors.invalid("G21",
                                        "Tensor " + name + " has the type " + type.name +
                                            ", which never stands in a file.",
                                        place);
            case GgufTypeStatus::Withdrawn:
                return m_errors.unsupported("G21",
                                            "Tensor " + name + " uses the withdrawn tensor type " +
                                                std::to_string(id) + ".",
                                            place);
            case GgufTypeStatus::Unknown:
                break;
        }
        return m_errors.unsupported("G21",
                                    "Tensor " + name + " uses type " + std::to_string(id) +
                                        ", which this version does not know.",
                                    place);
    }

    // Makes offsets count from the start of the file.
    Result<void> placeTensors(std::vector<TensorEntry>& tensors, Checked dataStart) const {
        for (TensorEntry& tensor : tensors) {
            const Checked begin = dataStart + Checked(tensor.offset);
            const Checked end = begin + Checked(tensor.bytes);
            if (!end.isAtMost(m_file.size())) return truncated(tensor, begin);
            tensor.offset = *begin.value();
        }
        return {};
    }

    Error truncated(const TensorEntry& tensor, Checked begin) const {
        const std::uint64_t present =
            begin.isAtMost(m_file.size()) ? m_file.size() - begin.saturated() : 0;
        return tensorError("G24", tensor,
                           "The file ends inside tensor " + printable(tensor.name) +
                               " (truncated download?): " + std::to_string(present) + " of " +
                               std::to_string(tensor.bytes) + " bytes present.");
    }

    Result<void> checkNames(const std::vector<TensorEntry>& tensors) const {
        std::vector<std::string_view> names;
        names.reserve(tensors.size());
        for (const TensorEntry& tensor : tensors)
            names.push_back(tensor.name);
        std::ranges::sort(names);
        const auto twice = std::ranges::adjacent_find(names);
        if (twice == names.end()) return {};
        return m_errors.invalid("G18", "Tensor " + printable(*twice) + " appears twice.",
                                "tensor " + printable(*twice));
    }

    Result<void> checkOverlap(const std::vector<TensorEntry>& tensors) const {
        std::vector<const TensorEntry*> order;
        order.reserve(tensors.size());
        for (const TensorEntry& tensor : tensors)
            order.push_back(&tensor);
        std::ranges::sort(order, {}, &TensorEntry::offset);
        for (std::size_t i = 1; i < order.size(); ++i) {
            if (order[i]->offset >= order[i - 1]->offset + order[i - 1]->bytes) continue;
            return tensorError("G25", *order[i],
                               "Tensors " + printable(order[i - 1]->name) + " and " +
                                   printable(order[i]->name) + " overlap.");
        }
        return {};
    }

    std::span<const std::byte> m_file;
    ByteReader m_reader;  // over the part that may be a header
    GgufErrors m_errors;
};

}  // namespace

bool looksLikeGguf(std::span<const std::byte> bytes) {
    return startsWith(bytes, "GGUF");
}

Result<ModelFile> readGguf(std::shared_ptr<const MappedFile> file) {
    TRY(ModelFile model, GgufReader(file->bytes(), file->path().filename().string()).read());
    model.file = std::move(file);
    return model;
}

}  // namespace agens::model_file
