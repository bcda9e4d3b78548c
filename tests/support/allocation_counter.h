// SPDX-License-Identifier: Apache-2.0
// Counts calls of operator new on all threads of a program that links test_allocation_counter. The
// operators stand in a file of their own: inlined, gcc 12 takes their malloc and free for a
// mismatch.
#pragma once

#include <cstdint>

namespace agens::test {

std::uint64_t allocationCount();

}  // namespace agens::test
