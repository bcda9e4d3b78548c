// SPDX-License-Identifier: Apache-2.0
// Anonymous mappings; large ones are refused before they would push the machine into its swap.
#include "engine/base/aligned_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <utility>

namespace agens {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

// MemAvailable of the kernel, or nothing where it does not say.
std::uint64_t availableBytes() {
    std::ifstream file("/proc/meminfo");
    std::string key;
    std::uint64_t kib = 0;
    std::string unit;
    while (file >> key >> kib) {
        std::getline(file, unit);
        if (key == "MemAvailable:") return kib << 10;
    }
    return UINT64_MAX;
}

Error noMemory(ByteCount size, const char* what, std::uint64_t available) {
    std::string text =
        "There is not enough memory for " + std::string(what) + ": " + toText(size) + " needed";
    if (available != UINT64_MAX) text += ", " + toText(ByteCount(available)) + " free";
    return {ErrorKind::NoMemory, "memory.allocate",
            text + ". Close other programs, choose a smaller context (--ctx) or a smaller model.",
            what};
}

}  // namespace

Result<AlignedBuffer> AlignedBuffer::allocate(ByteCount size, const char* what) {
    AlignedBuffer buffer;
    if (size.value == 0) return buffer;
    const std::uint64_t available = size.value >= kHugePage ? availableBytes() : UINT64_MAX;
    if (size.value > available) return noMemory(size, what, available);
    void* memory =
        ::mmap(nullptr, size.value, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return noMemory(size, what, available);
    buffer.m_data = static_cast<std::byte*>(memory);
    buffer.m_size = size.value;
    if (size.value >= kHugePage) ::madvise(memory, size.value, MADV_HUGEPAGE);
    return buffer;
}

AlignedBuffer::AlignedBuffer(AlignedBuffer&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_size(std::exchange(other.m_size, 0)) {}

AlignedBuffer& AlignedBuffer::operator=(AlignedBuffer&& other) noexcept {
    std::swap(m_data, other.m_data);
    std::swap(m_size, other.m_size);
    return *this;
}

AlignedBuffer::~AlignedBuffer() {
    if (m_data != nullptr) ::munmap(m_data, m_size);
}

}  // namespace agens
