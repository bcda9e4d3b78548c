// SPDX-License-Identifier: Apache-2.0
// SHA-256 (OpenSSL EVP behind it).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace agens {

class Sha256 {
 public:
    using Digest = std::array<std::uint8_t, 32>;

    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    void add(std::span<const std::byte> bytes);
    Digest finish();

 private:
    struct Context;
    std::unique_ptr<Context> m_context;
};

// 64 lower-case hex digits.
std::string toHex(std::span<const std::uint8_t> bytes);
std::string sha256Hex(std::span<const std::byte> bytes);

}  // namespace agens
