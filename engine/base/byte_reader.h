// SPDX-License-Identifier: Apache-2.0
// ByteReader: little-endian values from foreign bytes; every read checks what remains. Reading past
// the end gives nothing and leaves the place where it was. The caller turns "nothing" into an Error
// that names the thing being read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace agens {

class ByteReader {
 public:
    explicit ByteReader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    std::uint64_t offset() const { return m_offset; }
    std::uint64_t remaining() const { return m_bytes.size() - m_offset; }

    // A trivially copyable little-endian value (u8 … u64, i8 … i64, f32, f64).
    template <class T>
    std::optional<T> read() {
        static_assert(std::is_arithmetic_v<T>);
        if (remaining() < sizeof(T)) return std::nullopt;
        T value;
        std::memcpy(&value, m_bytes.data() + m_offset, sizeof(T));
        m_offset += sizeof(T);
        return value;
    }

    // The next `count` bytes as a view into the source.
    std::optional<std::span<const std::byte>> take(std::uint64_t count) {
        if (count > remaining()) return std::nullopt;
        const auto view = m_bytes.subspan(m_offset, count);
        m_offset += count;
        return view;
    }

    std::optional<std::string_view> takeText(std::uint64_t count) {
        const auto view = take(count);
        if (!view) return std::nullopt;
        return std::string_view(reinterpret_cast<const char*>(view->data()), view->size());
    }

 private:
    std::span<const std::byte> m_bytes;
    std::uint64_t m_offset = 0;
};

}  // namespace agens
