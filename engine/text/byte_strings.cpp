// SPDX-License-Identifier: Apache-2.0
// Multiply-and-fold hashing, eight bytes at a time.
#include "engine/text/byte_strings.h"

#include <bit>
#include <cstring>
#include <random>

#include "engine/base/check.h"

namespace agens::text {
namespace {

__extension__ typedef unsigned __int128 Wide;

std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

constexpr std::uint64_t kOdd1 = 0x9E3779B97F4A7C15ULL;
constexpr std::uint64_t kOdd2 = 0xC2B2AE3D27D4EB4FULL;

}  // namespace

std::uint64_t randomSeed() {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
}

std::uint64_t hashBytes(std::string_view bytes, std::uint64_t seed) {
    std::uint64_t hash = seed ^ fold(bytes.size() + kOdd1, kOdd2);
    while (bytes.size() >= 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes.data(), 8);
        hash = fold(hash ^ word, kOdd1 ^ seed);
        bytes.remove_prefix(8);
    }
    std::uint64_t rest = 0;
    for (const char byte : bytes)
        rest = (rest << 8) | static_cast<unsigned char>(byte);
    return fold(hash ^ rest, kOdd2 ^ seed);
}

std::uint64_t hashNumber(std::uint64_t number, std::uint64_t seed) {
    return fold(number ^ seed, kOdd1 ^ (seed << 1));
}

ByteStrings::ByteStrings(std::size_t expected)
    : m_slots(std::bit_ceil(expected * 2 + 2)), m_seed(randomSeed()) {}

void ByteStrings::add(std::string_view bytes, TokenId id) {
    if ((m_size + 1) * 2 > m_slots.size()) grow();
    const auto hash = static_cast<std::uint32_t>(hashBytes(bytes, m_seed));
    Slot& slot = m_slots[slotOf(bytes, hash)];
    if (slot.id >= 0) return;
    CHECK(m_bytes.size() + bytes.size() <= UINT32_MAX) << "the vocabulary was not limited";
    slot = {hash, id.value, static_cast<std::uint32_t>(m_bytes.size()),
            static_cast<std::uint32_t>(bytes.size())};
    m_bytes += bytes;
    ++m_size;
}

std::optional<TokenId> ByteStrings::find(std::string_view bytes) const {
    const auto hash = static_cast<std::uint32_t>(hashBytes(bytes, m_seed));
    const Slot& slot = m_slots[slotOf(bytes, hash)];
    if (slot.id < 0) return std::nullopt;
    return TokenId(slot.id);
}

// The slot that holds `bytes`, or the empty one where it belongs.
std::size_t ByteStrings::slotOf(std::string_view bytes, std::uint32_t hash) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = hash & mask;
    for (;; at = (at + 1) & mask) {
        const Slot& slot = m_slots[at];
        if (slot.id < 0) return at;
        if (slot.hash == hash && slot.length == bytes.size() &&
            std::memcmp(m_bytes.data() + slot.offset, bytes.data(), bytes.size()) == 0) {
            return at;
        }
    }
}

void ByteStrings::grow() {
    std::vector<Slot> old(m_slots.size() * 2);
    old.swap(m_slots);
    const std::size_t mask = m_slots.size() - 1;
    for (const Slot& slot : old) {
        if (slot.id < 0) continue;
        std::size_t at = slot.hash & mask;
        while (m_slots[at].id >= 0)
            at = (at + 1) & mask;
        m_slots[at] = slot;
    }
}

}  // namespace agens::text
