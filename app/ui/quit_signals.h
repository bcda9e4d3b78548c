// SPDX-License-Identifier: Apache-2.0
// QuitSignals: SIGTERM (the end of a session), SIGINT and SIGHUP leave the program as closing the
// window does: replies are stored, the draft is written.
//
// The signals are read from a descriptor in the event loop, so no code runs inside a handler and
// nothing global is needed. They must be blocked before the first thread starts; threads inherit
// it. Thread: UI.
#pragma once

#include <QSocketNotifier>
#include <memory>

namespace agens::ui {

// First thing in main.
void blockQuitSignals();

class QuitSignals {
 public:
    QuitSignals();
    ~QuitSignals();
    QuitSignals(const QuitSignals&) = delete;
    QuitSignals& operator=(const QuitSignals&) = delete;

 private:
    int m_descriptor = -1;
    std::unique_ptr<QSocketNotifier> m_notifier;
};

}  // namespace agens::ui
