// SPDX-License-Identifier: Apache-2.0
// ByteStrings: byte string → token id, built once and then only read. Open addressing over one
// block of bytes: a look-up touches two cache lines. Keyed by a random number (see bpe.h). Thread:
// reading is safe from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"

namespace agens::text {

// A number that differs in each process run.
std::uint64_t randomSeed();
std::uint64_t hashBytes(std::string_view bytes, std::uint64_t seed);
std::uint64_t hashNumber(std::uint64_t number, std::uint64_t seed);

class ByteStrings {
 public:
    explicit ByteStrings(std::size_t expected = 0);

    // The first id of a string stays.
    void add(std::string_view bytes, TokenId id);
    std::optional<TokenId> find(std::string_view bytes) const;
    std::size_t size() const { return m_size; }

 private:
    struct Slot {
        std::uint32_t hash = 0;
        std::int32_t id = -1;
        std::uint32_t offset = 0;
        std::uint32_t length = 0;
    };
    std::size_t slotOf(std::string_view bytes, std::uint32_t hash) const;
    void grow();

    std::vector<Slot> m_slots;  // a power of two, at most half full
    std::string m_bytes;
    std::size_t m_size = 0;
    std::uint64_t m_seed;
};

}  // namespace agens::text
