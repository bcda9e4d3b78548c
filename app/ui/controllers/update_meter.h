// SPDX-License-Identifier: Apache-2.0
// UpdateMeter: what a batch of a reply really cost the window: the change of the model and the
// frame that followed it. Answers the service with it, so that a slow window gets fewer batches,
// and keeps the figures when --measure asks for them.
//
// A window that is not shown renders no frame: then the change alone counts.
// Thread: UI.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QQuickWindow>
#include <functional>
#include <optional>
#include <vector>

#include "app/ui/controllers/chat_controller.h"

namespace agens::ui {

struct UpdateSample {
    std::chrono::nanoseconds took{0};
    std::uint64_t rowsChanged = 0;
    std::size_t bytesParsed = 0;
    std::size_t newBytes = 0;
};

class UpdateMeter final : public QObject {
    Q_OBJECT

 public:
    using Answer = std::function<void(chat::MessageId, std::chrono::nanoseconds)>;

    UpdateMeter(Answer answer, bool keepsSamples)
        : m_answer(std::move(answer)), m_keepsSamples(keepsSamples) {}

    void watch(QQuickWindow* window);
    void add(const UpdateCost& cost);
    const std::vector<UpdateSample>& samples() const { return m_samples; }
    // "key value" lines: updates, p50, p99 and maximum in ms, rows and bytes per update, memory.
    std::string report() const;

 private:
    void frameDone();
    void settle(std::chrono::nanoseconds frame);

    Answer m_answer;
    bool m_keepsSamples;
    QPointer<QQuickWindow> m_window;
    QElapsedTimer m_frame;
    std::optional<UpdateCost> m_pending;  // shown with the next frame
    std::vector<UpdateSample> m_samples;
};

}  // namespace agens::ui
