// SPDX-License-Identifier: Apache-2.0
// poll() over stdin and the interrupts; the terminal's own line editing stays.
#include "app/cli/line_input.h"

#include <poll.h>
#include <unistd.h>

namespace agens::cli {

LineInput::Outcome LineInput::read(std::string& line) {
    line.clear();
    while (true) {
        std::string next;
        const Outcome outcome = readOne(next);
        line += next;
        if (outcome != Outcome::Line)
            return line.empty() || outcome == Outcome::Interrupted ? outcome : Outcome::Line;
        if (!line.ends_with('\\')) return Outcome::Line;
        line.back() = '\n';
    }
}

LineInput::Outcome LineInput::readOne(std::string& line) {
    while (true) {
        if (const std::size_t end = m_buffer.find('\n'); end != std::string::npos) {
            line = m_buffer.substr(0, end);
            m_buffer.erase(0, end + 1);
            return Outcome::Line;
        }
        if (m_atEnd) {
            line = std::move(m_buffer);
            m_buffer.clear();
            return line.empty() ? Outcome::End : Outcome::Line;
        }
        pollfd waited[] = {{STDIN_FILENO, POLLIN, 0}, {m_interrupts.descriptor(), POLLIN, 0}};
        if (::poll(waited, 2, -1) < 0) continue;
        if (waited[1].revents != 0) return Outcome::Interrupted;
        char block[4096];
        const ssize_t got = ::read(STDIN_FILENO, block, sizeof(block));
        if (got <= 0) {
            m_atEnd = true;
        } else {
            m_buffer.append(block, static_cast<std::size_t>(got));
        }
    }
}

}  // namespace agens::cli
