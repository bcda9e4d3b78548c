// SPDX-License-Identifier: Apache-2.0
// One entry after the other; each reader of a value says what it needs before it takes memory.
#include "engine/model_file/gguf_metadata.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

namespace agens::model_file {
namespace {

enum class ValueType : std::uint32_t {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    Bool,
    Text,
    Array,
    U64,
    I64,
    F64
};

constexpr std::uint32_t kLastValueType = 12;
constexpr std::uint64_t kSmallestEntry = 14;  // 8 length + 1 key byte + 4 type + 1 value
constexpr std::uint64_t kMostEntries = 65'536;
constexpr std::uint64_t kLongestKey = 65'535;
constexpr std::uint64_t kLongestText = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostElements = 16'777'216;
constexpr int kDeepestArray = 2;
// One- and two-byte integers grow up to eightfold in memory, so their number is limited in all.
constexpr std::uint64_t kMostNarrowElements = 4'194'304;

// Fewest bytes an element of this type takes in the file.
constexpr std::uint64_t smallestSize(ValueType type) {
    switch (type) {
        case ValueType::U8:
        case ValueType::I8:
        case ValueType::Bool:
            return 1;
        case ValueType::U16:
        case ValueType::I16:
            return 2;
        case ValueType::U32:
        case ValueType::I32:
        case ValueType::F32:
            return 4;
        case ValueType::Text:
        case ValueType::U64:
        case ValueType::I64:
        case ValueType::F64:
            return 8;
        case ValueType::Array:
            return 12;
    }
    return 1;
}

bool isPrintableAscii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

// Length of the well-formed UTF-8 character at the start of `text` (Unicode table 3-7); 0 if none.
std::size_t characterLength(std::string_view text) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto isTail = [&](std::size_t i) { return i < text.size() && (at(i) & 0xC0) == 0x80; };
    const unsigned char lead = at(0);
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return isTail(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        if (!isTail(1) || !isTail(2)) return 0;
        const bool isOverlong = lead == 0xE0 && at(1) < 0xA0;
        const bool isSurrogate = lead == 0xED && at(1) > 0x9F;
        return isOverlong || isSurrogate ? 0 : 3;
    }
    if (lead < 0xF0 || lead > 0xF4 || !isTail(1) || !isTail(2) || !isTail(3)) return 0;
    const bool isOutside = (lead == 0xF0 && at(1) < 0x90) || (lead == 0xF4 && at(1) > 0x8F);
    return isOutside ? 0 : 4;
}

bool isUtf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

class MetadataReader {
 public:
    MetadataReader(ByteReader& reader, const GgufErrors& errors)
        : m_reader(reader), m_errors(errors) {}

    Result<Metadata> read(std::uint64_t count) {
        const std::uint64_t most = std::min(kMostEntries, m_reader.remaining() / kSmallestEntry);
        if (count > most) return damaged("G06", "a key count of " + std::to_string(count));
        for (std::uint64_t i = 0; i < count; ++i)
            TRY_VOID(readEntry());
        return std::move(m_metadata);
    }

 private:
    Error damaged(const char* id, const std::string& what) const {
        return m_errors.damaged(id, what, m_reader.offset());
    }
    Error endsInside(const std::string& what) const {
        return damaged("G13", "the file ends inside " + what);
    }
    std::string keyText() const { return "key " + printable(m_key); }

    Result<void> readEntry() {
        TRY_VOID(readKey());
        TRY(const ValueType type, readType());
        if (type == ValueType::Array) return readArray(1);
        TRY(MetadataValue value, readScalar(type));
        return add(std::move(value));
    }

    Result<void> readKey() {
        const auto length = m_reader.read<std::uint64_t>();
        if (!length) return endsInside("the list of keys");
        if (*length == 0 || *length > kLongestKey) {
            return damaged("G07", "a key of " + std::to_string(*length) + " bytes");
        }
        const auto text = m_reader.takeText(*length);
        if (!text) return endsInside("the list of keys");
        if (!isPrintableAscii(*text)) return damaged("G07", "a key that is not printable ASCII");
        m_key = *text;
        return {};
    }

    Result<ValueType> readType() {
        const auto type = m_reader.read<std::uint32_t>();
        if (!type) return endsInside(keyText());
        if (*type > kLastValueType) {
            return m_errors.invalid(
                "G09",
                "Key " + printable(m_key) + " has the unknown type " + std::to_string(*type) + ".",
                keyText());
        }
        return static_cast<ValueType>(*type);
    }

    Result<void> add(MetadataValue value) {
        if (m_metadata.add(m_key, std::move(value))) return {};
        return m_errors.invalid("G08", "Key " + printable(m_key) + " appears twice.", keyText());
    }

    Result<MetadataValue> readScalar(ValueType type) {
        switch (type) {
            case ValueType::U8:
                return readInteger<std::uint8_t>();
            case ValueType::I8:
                return readInteger<std::int8_t>();
            case ValueType::U16:
                return readInteger<std::uint16_t>();
            case ValueType::I16:
                return readInteger<std::int16_t>();
            case ValueType::U32:
                return readInteger<std::uint32_t>();
            case ValueType::I32:
                return readInteger<std::int32_t>();
            case ValueType::U64:
                return readInteger<std::uint64_t>();
            case ValueType::I64:
                return readInteger<std::int64_t>();
            case ValueType::F32:
                return readReal<float>();
            case ValueType::F64:
                return readReal<double>();
            case ValueType::Bool: {
                TRY(const bool flag, readBool());
                return MetadataValue(flag);
            }
            case ValueType::Text:
                return readScalarText();
            case ValueType::Array:
                break;
        }
        return endsInside(keyText());
    }

    template <class T>
    Result<MetadataValue> readInteger() {
        const auto value = m_reader.read<T>();
        if (!value) return endsInside(keyText());
        if constexpr (std::is_signed_v<T>) return MetadataValue(std::int64_t{*value});
        return MetadataValue(static_cast<std::uint64_t>(*value));
    }

    template <class T>
    Result<MetadataValue> readReal() {
        const auto value = m_reader.read<T>();
        if (!value) return endsInside(keyText());
        if (!std::isfinite(*value)) return damaged("G16", keyText() + " is not a finite number");
        return MetadataValue(double{*value});
    }

    Result<bool> readBool() {
        const auto byte = m_reader.read<std::uint8_t>();
        if (!byte) return endsInside(keyText());
        if (*byte > 1)
            return damaged("G12", keyText() + " is a truth value of " + std::to_string(*byte));
        return *byte == 1;
    }

    Result<std::string_view> readText() {
        const auto length = m_reader.read<std::uint64_t>();
        if (!length) return endsInside(keyText());
        if (*length > kLongestText || *length > m_reader.remaining()) {
            return damaged("G10",
                           keyText() + " is a text of " + std::to_string(*length) + " bytes");
        }
        return *m_reader.takeText(*length);
    }

    Result<MetadataValue> readScalarText() {
        TRY(const std::string_view text, readText());
        if (!isUtf8(text)) return damaged("G10", keyText() + " is no valid UTF-8");
        return MetadataValue(std::string(text));
    }

    Result<void> readArray(int depth) {
        TRY(const ValueType type, readType());
        const auto count = m_reader.read<std::uint64_t>();
        if (!count) return endsInside(keyText());
        const std::uint64_t most =
            std::min(kMostElements, m_reader.remaining() / smallestSize(type));
        if (*count > most) {
            return damaged("G11",
                           keyText() + " is a list of " + std::to_string(*count) + " entries");
        }
        if (type == ValueType::Array) return readNested(*count, depth);
        TRY(MetadataValue list, readList(type, *count));
        return depth == 1 ? add(std::move(list)) : Result<void>();
    }

    // Lists of lists are only looked through; the key still counts as present.
    Result<void> readNested(std::uint64_t count, int depth) {
        if (depth >= kDeepestArray) return damaged("G11", keyText() + " is nested too deep");
        for (std::uint64_t i = 0; i < count; ++i)
            TRY_VOID(readArray(depth + 1));
        return depth == 1 ? add(std::vector<bool>()) : Result<void>();
    }

    Result<MetadataValue> readList(ValueType type, std::uint64_t count) {
        switch (type) {
            case ValueType::U8:
                return readIntegers<std::uint8_t>(count);
            case ValueType::I8:
                return readIntegers<std::int8_t>(count);
            case ValueType::U16:
                return readIntegers<std::uint16_t>(count);
            case ValueType::I16:
                return readIntegers<std::int16_t>(count);
            case ValueType::U32:
                return readIntegers<std::uint32_t>(count);
            case ValueType::I32:
                return readIntegers<std::int32_t>(count);
            case ValueType::U64:
                return readIntegers<std::uint64_t>(count);
            case ValueType::I64:
                return readIntegers<std::int64_t>(count);
            case ValueType::F32:
                return readReals<float>(count);
            case ValueType::F64:
                return readReals<double>(count);
            case ValueType::Bool:
                return readBools(count);
            case ValueType::Text:
                return readTexts(count);
            case ValueType::Array:
                break;
        }
        return endsInside(keyText());
    }

    template <class T>
    Result<MetadataValue> readIntegers(std::uint64_t count) {
        if (sizeof(T) <= 2 && (m_narrowElements += count) > kMostNarrowElements) {
            return m_errors.unsupported(
                "G11",
                "Lists of more than 4,194,304 one- and two-byte numbers are not supported (G11).",
                keyText());
        }
        std::vector<std::int64_t> list;
        list.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto value = m_reader.read<T>();
            if (!value) return endsInside(keyText());
            if (!std::in_range<std::int64_t>(*value)) {
                return damaged("G11", keyText() + " holds a number above 2^63");
            }
            list.push_back(static_cast<std::int64_t>(*value));
        }
        return MetadataValue(std::move(list));
    }

    // Minus infinity is a legal score of a token that is never chosen.
    template <class T>
    Result<MetadataValue> readReals(std::uint64_t count) {
        std::vector<float> list;
        list.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto value = m_reader.read<T>();
            if (!value) return endsInside(keyText());
            const auto narrow = static_cast<float>(*value);
            if (!std::isfinite(narrow) && narrow != -std::numeric_limits<float>::infinity()) {
                return damaged("G16", keyText() + " holds a number that is not finite");
            }
            list.push_back(narrow);
        }
        return MetadataValue(std::move(list));
    }

    Result<MetadataValue> readBools(std::uint64_t count) {
        std::vector<bool> list;
        list.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            TRY(const bool flag, readBool());
            list.push_back(flag);
        }
        return MetadataValue(std::move(list));
    }

    Result<MetadataValue> readTexts(std::uint64_t count) {
        std::vector<std::string> list;
        list.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            TRY(const std::string_view text, readText());
            list.emplace_back(text);
        }
        return MetadataValue(std::move(list));
    }

    ByteReader& m_reader;
    const GgufErrors& m_errors;
    Metadata m_metadata;
    std::string m_key;  // of the entry being read
    std::uint64_t m_narrowElements = 0;
};

}  // namespace

Result<Metadata> readGgufMetadata(ByteReader& reader, std::uint64_t count,
                                  const GgufErrors& errors) {
    return MetadataReader(reader, errors).read(count);
}

}  // namespace agens::model_file
