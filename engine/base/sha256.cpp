// SPDX-License-Identifier: Apache-2.0
// EVP calls of SHA-256; a failing digest library is a programming error here (CHECK).
#include "engine/base/sha256.h"

#include <openssl/evp.h>

#include "engine/base/check.h"

namespace agens {

struct Sha256::Context {
    EVP_MD_CTX* md = EVP_MD_CTX_new();
    Context() = default;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context() { EVP_MD_CTX_free(md); }
};

Sha256::Sha256() : m_context(std::make_unique<Context>()) {
    CHECK(m_context->md != nullptr && EVP_DigestInit_ex(m_context->md, EVP_sha256(), nullptr) == 1)
        << "SHA-256 is missing from the crypto library";
}

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
    CHECK(EVP_DigestUpdate(m_context->md, bytes.data(), bytes.size()) == 1);
}

Sha256::Digest Sha256::finish() {
    Digest digest{};
    CHECK(EVP_DigestFinal_ex(m_context->md, digest.data(), nullptr) == 1);
    return digest;
}

std::string toHex(std::span<const std::uint8_t> bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string hex;
    hex.reserve(bytes.size() * 2);
    for (const std::uint8_t byte : bytes) {
        hex.push_back(kDigits[byte >> 4]);
        hex.push_back(kDigits[byte & 15]);
    }
    return hex;
}

std::string sha256Hex(std::span<const std::byte> bytes) {
    Sha256 hash;
    hash.add(bytes);
    return toHex(hash.finish());
}

}  // namespace agens
