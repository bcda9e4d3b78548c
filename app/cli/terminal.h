// SPDX-License-Identifier: Apache-2.0
// Terminal: the two output streams. Results go to stdout and nothing else does; progress, notices
// and errors go to stderr. Foreign text loses its control characters but newline and tab, so that
// no reply can move the cursor or change the title. Colour only on a terminal without NO_COLOR.
// Thread: one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace agens::cli {

class Terminal {
 public:
    Terminal();

    // Our own text and JSON, as it is.
    void out(std::string_view text);
    // Text from a model, a person or a file.
    void outForeign(std::string_view text);
    void notice(std::string_view line);
    // "agens: WHAT (WHERE)" on stderr; gives the exit status for it.
    int fail(const Error& error);
    // One line that is drawn over itself; nothing unless stderr is a terminal.
    void progress(std::string_view what, std::uint64_t done, std::uint64_t total);
    void endProgress();
    // False once stdout could not be written (full disk); asked before a success is reported.
    bool flush();

    bool isInputTerminal() const { return m_inputIsTerminal; }
    bool isOutputTerminal() const { return m_outputIsTerminal; }
    // Escape sequences for dim text, or nothing.
    std::string_view dim() const { return m_colour ? "\x1b[2m" : ""; }
    std::string_view plain() const { return m_colour ? "\x1b[0m" : ""; }

 private:
    bool m_inputIsTerminal;
    bool m_outputIsTerminal;
    bool m_errorIsTerminal;
    bool m_colour;
    bool m_progressShown = false;
};

// The text without control characters but newline and tab (C0, DEL, C1).
std::string withoutControls(std::string_view text);

}  // namespace agens::cli
