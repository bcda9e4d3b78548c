// SPDX-License-Identifier: Apache-2.0
// stdio behind Terminal.
#include "app/cli/terminal.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "app/cli/exit_code.h"

namespace agens::cli {
namespace {

void write(std::FILE* stream, std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stream);
}

constexpr int kBarWidth = 30;

}  // namespace

Terminal::Terminal()
    : m_inputIsTerminal(::isatty(STDIN_FILENO) != 0),
      m_outputIsTerminal(::isatty(STDOUT_FILENO) != 0),
      m_errorIsTerminal(::isatty(STDERR_FILENO) != 0),
      m_colour(m_outputIsTerminal && std::getenv("NO_COLOR") == nullptr) {}

void Terminal::out(std::string_view text) {
    endProgress();
    write(stdout, text);
}

void Terminal::outForeign(std::string_view text) {
    out(withoutControls(text));
}

void Terminal::notice(std::string_view line) {
    endProgress();
    write(stderr, std::string(line) + "\n");
}

int Terminal::fail(const Error& error) {
    std::fflush(stdout);
    notice("agens: " + withoutControls(error.text()));
    return error.kind == ErrorKind::Cancelled ? kInterrupted : kFailed;
}

void Terminal::progress(std::string_view what, std::uint64_t done, std::uint64_t total) {
    if (!m_errorIsTerminal || total == 0) return;
    const int filled =
        static_cast<int>(static_cast<double>(done) / static_cast<double>(total) * kBarWidth);
    std::string bar(static_cast<std::size_t>(filled), '#');
    bar.resize(kBarWidth, '.');
    write(stderr, "\r" + std::string(what) + " [" + bar + "]\x1b[K");
    m_progressShown = true;
}

void Terminal::endProgress() {
    if (!m_progressShown) return;
    m_progressShown = false;
    write(stderr, "\r\x1b[K");
}

bool Terminal::flush() {
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

std::string withoutControls(std::string_view text) {
    std::string clean;
    clean.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool isC0 = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F;
        // U+0080 … U+009F: terminals read them as ESC sequences.
        const bool isC1 =
            byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
        if (isC1) ++i;
        if (!isC0 && !isC1) clean.push_back(text[i]);
    }
    return clean;
}

}  // namespace agens::cli
