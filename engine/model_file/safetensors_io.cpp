// SPDX-License-Identifier: Apache-2.0
// Reading checks the whole header before it gives anything out; writing is all or nothing.
#include "engine/model_file/safetensors_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "engine/base/byte_reader.h"
#include "engine/base/checked.h"
#include "engine/base/json.h"

namespace agens::model_file {
namespace {

constexpr std::uint64_t kLargestHeader = std::uint64_t{16} << 20;
constexpr std::size_t kDeepestHeader = 8;
constexpr std::size_t kMostAxes = 8;
constexpr std::size_t kLongestName = 512;
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 40;
constexpr std::uint64_t kHeaderAlignment = 8;
constexpr const char* kMetadataKey = "__metadata__";

struct DtypeFacts {
    std::string_view name;
    std::uint64_t bytes;
};
constexpr DtypeFacts kDtypes[] = {{"BOOL", 1}, {"U8", 1},   {"I8", 1},  {"U16", 2}, {"I16", 2},
                                  {"F16", 2},  {"BF16", 2}, {"U32", 4}, {"I32", 4}, {"F32", 4},
                                  {"U64", 8},  {"I64", 8},  {"F64", 8}};

std::optional<std::uint64_t> bytesOfDtype(std::string_view name) {
    const auto found = std::ranges::find(kDtypes, name, &DtypeFacts::name);
    return found == std::end(kDtypes) ? std::nullopt : std::optional(found->bytes);
}

// Reads one header; `m_dataStart` is where the tensors begin.
class HeaderReader {
 public:
    explicit HeaderReader(const MappedFile& file)
        : m_file(file.bytes()), m_name(file.path().filename().string()) {}

    Result<std::vector<SafetensorsEntry>> read() {
        TRY(const std::string_view text, headerText());
        auto header = parseJson(text, m_name, {.depth = kDeepestHeader, .bytes = kLargestHeader});
        if (!header) return invalid("S03", header.error().what, "header");
        if (!header->is_object()) return invalid("S02", "The header is no JSON object.", "header");
        std::vector<SafetensorsEntry> entries;
        for (const auto& [name, description] : header->items()) {
            if (name == kMetadataKey) continue;
            TRY(SafetensorsEntry entry, entryOf(name, description));
            entries.push_back(std::move(entry));
        }
        TRY_VOID(checkCoverage(entries));
        return entries;
    }

 private:
    Error invalid(const char* id, std::string sentence, std::string_view place) const {
        return {ErrorKind::InvalidFile, id, std::move(sentence),
                m_name + ", " + std::string(place)};
    }

    Result<std::string_view> headerText() {
        ByteReader reader(m_file);
        const auto length = reader.read<std::uint64_t>();
        const bool fits =
            length && *length >= 2 && *length <= kLargestHeader && *length <= reader.remaining();
        if (!fits) {
            return invalid("S01",
                           "The header length " + std::to_string(length.value_or(0)) +
                               " does not fit the file.",
                           "byte 0");
        }
        const std::string_view text = *reader.takeText(*length);
        if (!text.starts_with('{'))
            return invalid("S02", "The header does not start with {.", "byte 8");
        m_dataStart = reader.offset();
        return text;
    }

    Result<SafetensorsEntry> entryOf(const std::string& name, const Json& description) const {
        const std::string place = "tensor " + name.substr(0, kLongestName);
        const bool isNamed = !name.empty() && name.size() <= kLongestName &&
                             std::ranges::none_of(name, [](char c) { return c >= 0 && c < ' '; });
        if (!isNamed) return invalid("S11", "A tensor has an unusable name.", "header");
        const bool isWhole = description.is_object() && description.size() == 3 &&
                             description.contains("dtype") && description["dtype"].is_string() &&
                             description.contains("shape") && description["shape"].is_array() &&
                             description.contains("data_offsets") &&
                             description["data_offsets"].is_array();
        if (!isWhole) {
            return invalid("S04", "Tensor " + name + " needs dtype, shape and data_offsets.",
                           place);
        }
        SafetensorsEntry entry{.name = name, .dtype = description["dtype"], .shape = {}};
        const auto valueBytes = bytesOfDtype(entry.dtype);
        if (!valueBytes) {
            return Error{ErrorKind::Unsupported, "S06",
                         "Tensor " + name + " has the unknown type " + entry.dtype + ".",
                         m_name + ", " + place};
        }
        TRY(entry.shape, numbersOf(description["shape"], "S07", name));
        TRY(const std::vector<std::uint64_t> range,
            numbersOf(description["data_offsets"], "S08", name));
        TRY_VOID(setRange(entry, range, *valueBytes));
        return entry;
    }

    Result<std::vector<std::uint64_t>> numbersOf(const Json& list, const char* id,
                                                 const std::string& name) const {
        std::vector<std::uint64_t> numbers;
        for (const Json& number : list) {
            if (!number.is_number_unsigned() || numbers.size() == kMostAxes) {
                return invalid(id, "Tensor " + name + " has an impossible shape or range.",
                               "tensor " + name);
            }
            numbers.push_back(number.get<std::uint64_t>());
        }
        return numbers;
    }

    Result<void> setRange(SafetensorsEntry& entry, const std::vector<std::uint64_t>& range,
                          std::uint64_t valueBytes) const {
        Checked values(1);
        for (const std::uint64_t size : entry.shape)
            values = values * Checked(size);
        if (!values.isAtMost(kMostValues)) {
            return invalid("S07", "Tensor " + entry.name + " has an impossible shape.",
                           "tensor " + entry.name);
        }
        const std::uint64_t bytes = *values.value() * valueBytes;
        const bool agrees = range.size() == 2 && range[0] <= range[1] &&
                            range[1] - range[0] == bytes && range[1] <= m_file.size() - m_dataStart;
        if (!agrees) {
            return invalid("S08",
                           "The shape and the byte range of tensor " + entry.name + " disagree.",
                           "tensor " + entry.name);
        }
        entry.offset = m_dataStart + range[0];
        entry.bytes = bytes;
        return {};
    }

    // Sorted ranges touch from the first byte of the data to the last.
    Result<void> checkCoverage(const std::vector<SafetensorsEntry>& entries) const {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
        for (const SafetensorsEntry& entry : entries)
            ranges.emplace_back(entry.offset, entry.bytes);
        std::ranges::sort(ranges);
        std::uint64_t end = m_dataStart;
        for (const auto& [offset, bytes] : ranges) {
            if (offset != end) {
                return invalid("S09", "The tensors leave a hole or overlap.",
                               "byte " + std::to_string(std::min(offset, end)));
            }
            end = offset + bytes;
        }
        if (end == m_file.size()) return {};
        return invalid("S09", "Bytes follow the last tensor.", "byte " + std::to_string(end));
    }

    std::span<const std::byte> m_file;
    std::string m_name;
    std::uint64_t m_dataStart = 0;
};

std::string headerOf(std::span<const SafetensorsTensor> tensors) {
    Json header = Json::object();
    std::uint64_t offset = 0;
    for (const SafetensorsTensor& tensor : tensors) {
        header[tensor.name] = {{"dtype", tensor.dtype},
                               {"shape", tensor.shape},
                               {"data_offsets", {offset, offset + tensor.data.size()}}};
        offset += tensor.data.size();
    }
    std::string text = header.dump();
    while (text.size() % kHeaderAlignment != 0)
        text.push_back(' ');
    return text;
}

// A file that appears under its name only when finish() succeeded.
class FileInWaiting {
 public:
    explicit FileInWaiting(const std::filesystem::path& target)
        : m_target(target), m_temporary(target.string() + ".XXXXXX") {
        m_descriptor = ::mkostemp(m_temporary.data(), O_CLOEXEC);
        m_failed = m_descriptor < 0;
        if (m_failed) m_errno = errno;
    }
    FileInWaiting(const FileInWaiting&) = delete;
    FileInWaiting& operator=(const FileInWaiting&) = delete;
    ~FileInWaiting() {
        if (m_descriptor >= 0) ::close(m_descriptor);
        if (!m_renamed && m_errno != ENOENT) ::unlink(m_temporary.c_str());
    }

    void write(std::span<const std::byte> bytes) {
        while (!m_failed && !bytes.empty()) {
            const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) return fail();
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
    }

    Result<void> finish() {
        if (!m_failed && ::fchmod(m_descriptor, 0644) != 0) fail();
        if (!m_failed && ::fsync(m_descriptor) != 0) fail();
        if (!m_failed && ::rename(m_temporary.c_str(), m_target.c_str()) != 0) fail();
        if (!m_failed) {
            m_renamed = true;
            return {};
        }
        return Error{ErrorKind::Io, "io.write",
                     "\"" + m_target.filename().string() +
                         "\" cannot be written: " + std::generic_category().message(m_errno) + ".",
                     m_target.string()};
    }

 private:
    void fail() {
        m_failed = true;
        m_errno = errno;
    }

    std::filesystem::path m_target;
    std::string m_temporary;
    int m_descriptor = -1;
    bool m_failed = false;
    bool m_renamed = false;
    int m_errno = 0;
};

}  // namespace

const SafetensorsEntry* SafetensorsFile::find(std::string_view name) const {
    const auto found = std::ranges::find(entries, name, &SafetensorsEntry::name);
    return found == entries.end() ? nullptr : &*found;
}

Result<const SafetensorsEntry*> SafetensorsFile::findTyped(std::string_view name,
                                                           const char* dtype) const {
    const SafetensorsEntry* entry = find(name);
    if (entry != nullptr && entry->dtype == dtype) return entry;
    const std::string found = entry == nullptr ? "it is missing" : "it is " + entry->dtype;
    return Error{ErrorKind::InvalidRequest, "safetensors.tensor",
                 "Tensor " + std::string(name) + " of type " + dtype + " is needed; " + found + ".",
                 file->path().filename().string()};
}

Result<SafetensorsFile> openSafetensors(const std::filesystem::path& path) {
    TRY(MappedFile mapped, MappedFile::open(path));
    auto file = std::make_shared<const MappedFile>(std::move(mapped));
    TRY(std::vector<SafetensorsEntry> entries, HeaderReader(*file).read());
    SafetensorsFile opened;
    opened.file = std::move(file);
    opened.entries = std::move(entries);
    return opened;
}

Result<void> writeSafetensors(const std::filesystem::path& path,
                              std::span<const SafetensorsTensor> tensors) {
    const std::string header = headerOf(tensors);
    const std::uint64_t length = header.size();
    FileInWaiting file(path);
    file.write(std::as_bytes(std::span(&length, 1)));
    file.write(std::as_bytes(std::span(header)));
    for (const SafetensorsTensor& tensor : tensors)
        file.write(tensor.data);
    return file.finish();
}

}  // namespace agens::model_file
