// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/ui/quit_signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QObject>
#include <csignal>

namespace agens::ui {
namespace {

sigset_t quitSignals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        sigaddset(&set, signal);
    return set;
}

}  // namespace

void blockQuitSignals() {
    const sigset_t set = quitSignals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

QuitSignals::QuitSignals() {
    const sigset_t set = quitSignals();
    m_descriptor = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    if (m_descriptor < 0) return;  // then only closing the window leaves
    m_notifier = std::make_unique<QSocketNotifier>(m_descriptor, QSocketNotifier::Read);
    QObject::connect(m_notifier.get(), &QSocketNotifier::activated, m_notifier.get(), [this] {
        signalfd_siginfo info{};
        if (read(m_descriptor, &info, sizeof info) == sizeof info) QCoreApplication::quit();
    });
}

QuitSignals::~QuitSignals() {
    m_notifier.reset();
    if (m_descriptor >= 0) close(m_descriptor);
}

}  // namespace agens::ui
