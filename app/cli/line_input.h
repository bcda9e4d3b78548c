// SPDX-License-Identifier: Apache-2.0
// LineInput: lines from stdin, interruptible by Ctrl+C while waiting. A line that ends with a
// backslash goes on in the next one. Thread: main.
#pragma once

#include <string>

#include "app/cli/interrupt.h"

namespace agens::cli {

class LineInput {
 public:
    enum class Outcome { Line, End, Interrupted };

    explicit LineInput(Interrupts& interrupts) : m_interrupts(interrupts) {}

    // Waits. `line` is filled for Outcome::Line, without its newline.
    Outcome read(std::string& line);

 private:
    Outcome readOne(std::string& line);

    Interrupts& m_interrupts;
    std::string m_buffer;  // read, but not yet given out
    bool m_atEnd = false;
};

}  // namespace agens::cli
