// SPDX-License-Identifier: Apache-2.0
// AlignedBuffer: zeroed memory from the system, aligned to a page (2 MiB pages where it is large
// and the system grants them: page-fault time at load, not read speed, is what that saves). Owns
// it. Errors: NoMemory with the figures.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/base/result.h"
#include "engine/base/units.h"

namespace agens {

class AlignedBuffer {
 public:
    AlignedBuffer() = default;
    // `what` names the thing in the error ("the KV pages").
    static Result<AlignedBuffer> allocate(ByteCount size, const char* what);
    AlignedBuffer(AlignedBuffer&& other) noexcept;
    AlignedBuffer& operator=(AlignedBuffer&& other) noexcept;
    AlignedBuffer(const AlignedBuffer&) = delete;
    AlignedBuffer& operator=(const AlignedBuffer&) = delete;
    ~AlignedBuffer();

    std::byte* data() const { return m_data; }
    ByteCount size() const { return ByteCount(m_size); }
    template <class T>
    T* as() const {
        return reinterpret_cast<T*>(m_data);
    }

 private:
    std::byte* m_data = nullptr;
    std::size_t m_size = 0;
};

}  // namespace agens
