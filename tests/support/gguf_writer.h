// SPDX-License-Identifier: Apache-2.0
// GgufWriter: builds GGUF files for tests, well-formed by default and broken on request. Written
// from the format's description, independent of the reader it tests.
//
//   const std::string bytes = GgufWriter().text("general.architecture", "llama")
//                                 .tensor("output.weight", {4, 32}, 0, floats).bytes();
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace agens::test {

// Little-endian bytes of a number (the tests run on little-endian machines only).
template <class T>
std::string rawBytes(T number) {
    static_assert(std::is_arithmetic_v<T>);
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &number, sizeof(T));
    return bytes;
}

inline std::string rawText(std::string_view text) {
    return rawBytes(std::uint64_t{text.size()}) + std::string(text);
}

// A list value: element type, count, elements.
inline std::string rawList(std::uint32_t elementType, std::uint64_t count,
                           std::string_view elements) {
    return rawBytes(elementType) + rawBytes(count) + std::string(elements);
}

class GgufWriter {
 public:
    enum Type : std::uint32_t {
        kU8,
        kI8,
        kU16,
        kI16,
        kU32,
        kI32,
        kF32,
        kBool,
        kText,
        kList,
        kU64,
        kI64,
        kF64
    };

    explicit GgufWriter(std::uint32_t version = 3) : m_version(version) {}

    // Any value as raw bytes of any type number.
    GgufWriter& value(std::string_view key, std::uint32_t type, std::string_view raw) {
        m_keys += rawText(key) + rawBytes(type) + std::string(raw);
        ++m_keyCount;
        return *this;
    }
    GgufWriter& text(std::string_view key, std::string_view value_) {
        return value(key, kText, rawText(value_));
    }
    GgufWriter& u32(std::string_view key, std::uint32_t number) {
        return value(key, kU32, rawBytes(number));
    }
    GgufWriter& f32(std::string_view key, float number) {
        return value(key, kF32, rawBytes(number));
    }
    GgufWriter& flag(std::string_view key, bool on) {
        return value(key, kBool, rawBytes(static_cast<std::uint8_t>(on)));
    }
    GgufWriter& texts(std::string_view key, const std::vector<std::string>& list) {
        std::string raw;
        for (const std::string& entry : list)
            raw += rawText(entry);
        return value(key, kList, rawList(kText, list.size(), raw));
    }
    GgufWriter& i32s(std::string_view key, const std::vector<std::int32_t>& list) {
        return numbers(key, kI32, list);
    }
    GgufWriter& f32s(std::string_view key, const std::vector<float>& list) {
        return numbers(key, kF32, list);
    }
    // Writes general.alignment and lays the data out by it.
    GgufWriter& alignment(std::uint32_t step) {
        m_alignment = step;
        return u32("general.alignment", step);
    }

    // `shape` outermost first, as TensorEntry has it; the data goes to the next aligned offset.
    GgufWriter& tensor(std::string_view name, std::vector<std::uint64_t> shape, std::uint32_t type,
                       std::string_view data) {
        pad(m_data);
        rawTensor(name, std::vector<std::uint64_t>(shape.rbegin(), shape.rend()), type,
                  m_data.size());
        m_data += data;
        return *this;
    }
    // An entry of the tensor list without data; `dims` innermost first, as the file has them.
    GgufWriter& rawTensor(std::string_view name, const std::vector<std::uint64_t>& dims,
                          std::uint32_t type, std::uint64_t offset) {
        m_infos += rawText(name) + rawBytes(static_cast<std::uint32_t>(dims.size()));
        for (const std::uint64_t dim : dims)
            m_infos += rawBytes(dim);
        m_infos += rawBytes(type) + rawBytes(offset);
        ++m_tensorCount;
        return *this;
    }
    // Data section without an entry of its own.
    GgufWriter& rawData(std::string_view data) {
        m_data += data;
        return *this;
    }
    // What the header claims instead of the truth.
    GgufWriter& claimKeys(std::uint64_t count) {
        m_keyCount = count;
        return *this;
    }
    GgufWriter& claimTensors(std::uint64_t count) {
        m_tensorCount = count;
        return *this;
    }

    std::string bytes() const {
        std::string file = "GGUF" + rawBytes(m_version) + rawBytes(m_tensorCount) +
                           rawBytes(m_keyCount) + m_keys + m_infos;
        if (!m_data.empty()) pad(file);
        return file + m_data;
    }
    std::filesystem::path save(const std::filesystem::path& path) const {
        std::ofstream(path, std::ios::binary) << bytes();
        return path;
    }

 private:
    template <class T>
    GgufWriter& numbers(std::string_view key, Type type, const std::vector<T>& list) {
        std::string raw;
        for (const T number : list)
            raw += rawBytes(number);
        return value(key, kList, rawList(type, list.size(), raw));
    }
    void pad(std::string& bytes) const {
        while (bytes.size() % m_alignment != 0)
            bytes.push_back('\0');
    }

    std::uint32_t m_version;
    std::uint64_t m_keyCount = 0;
    std::uint64_t m_tensorCount = 0;
    std::uint64_t m_alignment = 32;
    std::string m_keys;
    std::string m_infos;
    std::string m_data;
};

}  // namespace agens::test
