// SPDX-License-Identifier: Apache-2.0
// signalfd and eventfd behind Interrupts.
#include "app/cli/interrupt.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>

#include "app/cli/exit_code.h"

namespace agens::cli {
namespace {

constexpr int kPatience = 3;

sigset_t interruptSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

void add(int eventDescriptor) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(eventDescriptor, &one, sizeof(one));
}

void clear(int eventDescriptor) {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t got = ::read(eventDescriptor, &count, sizeof(count));
}

}  // namespace

Interrupts::Interrupts() {
    const sigset_t signals = interruptSignals();
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    m_signals = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    m_end = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    m_wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    m_thread = std::thread([this] { watch(); });
}

Interrupts::~Interrupts() {
    add(m_end);
    m_thread.join();
    for (const int descriptor : {m_signals, m_end, m_wake})
        ::close(descriptor);
}

int Interrupts::take() {
    const std::lock_guard lock(m_mutex);
    m_stop = std::stop_source();
    clear(m_wake);
    return m_count.exchange(0);
}

std::stop_token Interrupts::token() {
    const std::lock_guard lock(m_mutex);
    return m_stop.get_token();
}

void Interrupts::watch() {
    pollfd waited[] = {{m_signals, POLLIN, 0}, {m_end, POLLIN, 0}};
    while (true) {
        if (::poll(waited, 2, -1) < 0) continue;
        if (waited[1].revents != 0) return;
        signalfd_siginfo signal{};
        if (::read(m_signals, &signal, sizeof(signal)) != sizeof(signal)) continue;
        if (m_count.fetch_add(1) + 1 >= kPatience) std::_Exit(kInterrupted);
        const std::lock_guard lock(m_mutex);
        m_stop.request_stop();
        add(m_wake);
    }
}

}  // namespace agens::cli
