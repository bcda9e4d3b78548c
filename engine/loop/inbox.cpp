// SPDX-License-Identifier: Apache-2.0
// Mail for the engine thread.
#include "engine/loop/inbox.h"

#include <algorithm>

namespace agens::loop {

void EvaluationTicket::answer(Result<engine::Evaluation> result) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_result) return;
        m_result.emplace(std::move(result));
    }
    m_answered.notify_all();
}

bool EvaluationTicket::isAnswered() {
    const std::lock_guard lock(m_mutex);
    return m_result.has_value();
}

Result<engine::Evaluation> EvaluationTicket::wait() {
    std::unique_lock lock(m_mutex);
    m_answered.wait(lock, [&] { return m_result.has_value(); });
    return std::move(*m_result);
}

void Mail::clear() {
    arrivals.clear();
    cancels.clear();
    evaluations.clear();
}

Result<void> Inbox::submit(Arrival arrival) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_waiting + m_mail.arrivals.size() >= kWaitingMax) {
            return Error{ErrorKind::Busy, "engine.busy",
                         std::to_string(kWaitingMax) +
                             " replies are already waiting. Try again when one has finished.",
                         ""};
        }
        m_mail.arrivals.push_back(std::move(arrival));
    }
    m_came.notify_all();
    return {};
}

void Inbox::cancel(RequestId id) {
    {
        const std::lock_guard lock(m_mutex);
        m_mail.cancels.push_back(id);
        if (std::ranges::find(m_inStep, id) != m_inStep.end()) m_stepStop.request_stop();
    }
    m_came.notify_all();
}

void Inbox::evaluate(std::shared_ptr<EvaluationTicket> ticket) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_closed) return ticket->answer(*m_closed);
        std::erase_if(m_openTickets, [](const auto& open) { return open->isAnswered(); });
        m_openTickets.push_back(ticket);
        m_mail.evaluations.push_back(std::move(ticket));
    }
    m_came.notify_all();
}

void Inbox::closeEvaluations(const Error& error) {
    const std::lock_guard lock(m_mutex);
    if (!m_closed) m_closed = error;
    for (const auto& ticket : m_openTickets)
        ticket->answer(*m_closed);
    m_openTickets.clear();
}

void Inbox::interrupt() {
    {
        const std::lock_guard lock(m_mutex);
        m_stepStop.request_stop();
    }
    m_came.notify_all();
}

void Inbox::take(Mail& mail) {
    const std::lock_guard lock(m_mutex);
    std::swap(mail, m_mail);
    m_waiting += static_cast<std::uint32_t>(mail.arrivals.size());
}

void Inbox::setWaiting(std::uint32_t requests) {
    const std::lock_guard lock(m_mutex);
    m_waiting = requests;
}

void Inbox::waitFor(std::stop_token stop) {
    std::unique_lock lock(m_mutex);
    m_came.wait(lock, std::move(stop), [&] { return !m_mail.isEmpty(); });
}

std::stop_token Inbox::beginStep(std::span<const RequestId> requests) {
    const std::lock_guard lock(m_mutex);
    m_inStep.assign(requests.begin(), requests.end());
    // A cancel may have come after take() and before this line.
    for (const RequestId id : m_mail.cancels) {
        if (std::ranges::find(requests, id) != requests.end()) m_stepStop.request_stop();
    }
    return m_stepStop.get_token();
}

bool Inbox::endStep() {
    const std::lock_guard lock(m_mutex);
    m_inStep.clear();
    if (!m_stepStop.stop_requested()) return false;
    m_stepStop = std::stop_source();  // the only allocation, and only after a stop
    return true;
}

}  // namespace agens::loop
