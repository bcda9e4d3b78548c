// SPDX-License-Identifier: Apache-2.0
// Guarded<T>: a buffer between two guard bands, filled with NaN (or 0x7f bytes) before use; a
// kernel that writes outside or leaves something unwritten is seen.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "engine/device/cpu/cpu_device.h"
#include "engine/device/cpu/kernel_table.h"

namespace agens::test {

template <class T>
class Guarded {
 public:
    explicit Guarded(std::size_t size)
        : m_bytes(kBand + size * sizeof(T) + kBand, kFill), m_size(size) {}

    T* data() { return reinterpret_cast<T*>(m_bytes.data() + kBand); }
    std::vector<T> values() {
        std::vector<T> copy(m_size);
        std::memcpy(copy.data(), data(), m_size * sizeof(T));
        return copy;
    }
    bool isIntact() const {
        for (std::size_t i = 0; i < kBand; ++i) {
            if (m_bytes[i] != kFill || m_bytes[m_bytes.size() - 1 - i] != kFill) return false;
        }
        return true;
    }

 private:
    static constexpr std::size_t kBand = 256;     // keeps data() aligned to 64 when the vector is
    static constexpr unsigned char kFill = 0xff;  // a float of 0xffffffff is a NaN
    std::vector<unsigned char> m_bytes;
    std::size_t m_size;
};

struct NamedKernels {
    const char* name;
    const device::cpu::KernelTable* table;
};

// The kernel tables this machine can run.
inline std::vector<NamedKernels> runnableKernels() {
    using device::cpu::Isa;
    std::vector<NamedKernels> all;
    for (const Isa isa : device::cpu::availableIsas()) {
        const device::cpu::KernelTable* table = isa == Isa::Scalar ? &device::cpu::scalarKernels()
                                                : isa == Isa::ScalarFma
                                                    ? &device::cpu::scalarFmaKernels()
                                                : isa == Isa::Avx2 ? &device::cpu::avx2Kernels()
                                                                   : &device::cpu::avx512Kernels();
        all.push_back({device::cpu::toString(isa), table});
    }
    return all;
}

// Normal numbers with an outlier now and then, as activations have.
inline std::vector<float> randomValues(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    std::vector<float> values(count);
    for (float& value : values)
        value = normal(random) * (random() % 50 == 0 ? 30.0F : 1.0F);
    return values;
}

template <class T>
void expectSameBits(const std::vector<T>& expected, const std::vector<T>& got,
                    const std::string& what) {
    ASSERT_EQ(expected.size(), got.size()) << what;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (std::memcmp(&expected[i], &got[i], sizeof(T)) == 0) continue;
        FAIL() << what << ": element " << i << " is " << +got[i] << ", expected " << +expected[i];
    }
}

}  // namespace agens::test
