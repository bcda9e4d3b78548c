// SPDX-License-Identifier: Apache-2.0
// See the header.
#include "app/ui/controllers/update_meter.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace agens::ui {
namespace {

double inMs(std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

// Highest resident memory of this process so far, in KiB; 0 if the system does not tell.
std::uint64_t peakMemoryKib() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        std::uint64_t kib = 0;
        if (std::sscanf(line.c_str(), "VmHWM: %lu kB", &kib) == 1) return kib;
    }
    return 0;
}

}  // namespace

void UpdateMeter::watch(QQuickWindow* window) {
    m_window = window;
    // Polish, sync, render and swap lie between these two on the UI thread.
    connect(window, &QQuickWindow::afterAnimating, this, [this] { m_frame.start(); });
    connect(window, &QQuickWindow::frameSwapped, this, &UpdateMeter::frameDone);
}

void UpdateMeter::add(const UpdateCost& cost) {
    if (m_pending) settle(std::chrono::nanoseconds(0));
    m_pending = cost;
    if (m_window == nullptr || !m_window->isExposed()) return settle(std::chrono::nanoseconds(0));
    m_window->update();
}

void UpdateMeter::frameDone() {
    if (m_pending && m_frame.isValid()) settle(std::chrono::nanoseconds(m_frame.nsecsElapsed()));
}

void UpdateMeter::settle(std::chrono::nanoseconds frame) {
    const UpdateCost cost = *m_pending;
    m_pending.reset();
    const auto took = cost.applied + frame;
    if (m_keepsSamples)
        m_samples.push_back({took, cost.rowsChanged, cost.bytesParsed, cost.newBytes});
    m_answer(cost.reply, took);
}

std::string UpdateMeter::report() const {
    std::vector<double> times;
    std::uint64_t rows = 0;
    std::size_t parsed = 0;
    for (const UpdateSample& sample : m_samples) {
        times.push_back(inMs(sample.took));
        rows = std::max(rows, sample.rowsChanged);
        parsed = std::max(parsed, sample.bytesParsed);
    }
    std::ranges::sort(times);
    const auto at = [&times](double share) {
        if (times.empty()) return 0.0;
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    std::ostringstream text;
    text << "updates " << times.size() << "\nupdate_p50_ms " << at(0.5) << "\nupdate_p99_ms "
         << at(0.99) << "\nupdate_max_ms " << at(1.0) << "\nupdate_rows_max " << rows
         << "\nupdate_bytes_parsed_max " << parsed << "\npeak_memory_kib " << peakMemoryKib()
         << "\n";
    return text.str();
}

}  // namespace agens::ui
