// SPDX-License-Identifier: Apache-2.0
// Inbox: the one way from other threads to the engine thread: new requests, cancels, evaluations.
//
// Bounded: more than kWaitingMax requests in line are refused. The engine thread blocks in
// waitFor() while there is nothing to do (no CPU). A cancel also ends the running step early if
// the request has rows in it; the other requests of the step then repeat theirs.
// Thread: any; take(), waitFor(), beginStep(), endStep() engine thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/engine.h"
#include "engine/loop/state.h"

namespace agens::loop {

constexpr std::uint32_t kWaitingMax = 64;

// A teacher-forced run; whoever asked waits for `result`.
class EvaluationTicket {
 public:
    EvaluationTicket(engine::EvaluateRequest request, std::stop_token stop)
        : m_request(std::move(request)), m_stop(std::move(stop)) {}
    const engine::EvaluateRequest& request() const { return m_request; }
    std::stop_token stop() const { return m_stop; }
    void answer(Result<engine::Evaluation> result);  // the first answer counts
    bool isAnswered();
    Result<engine::Evaluation> wait();

 private:
    engine::EvaluateRequest m_request;
    std::stop_token m_stop;
    std::mutex m_mutex;
    std::condition_variable m_answered;
    std::optional<Result<engine::Evaluation>> m_result;
};

struct Mail {
    std::vector<Arrival> arrivals;
    std::vector<RequestId> cancels;
    std::vector<std::shared_ptr<EvaluationTicket>>
        evaluations;  // shared with the thread that waits

    bool isEmpty() const { return arrivals.empty() && cancels.empty() && evaluations.empty(); }
    void clear();
};

class Inbox {
 public:
    Result<void> submit(Arrival arrival);  // Busy
    void cancel(RequestId id);
    void evaluate(std::shared_ptr<EvaluationTicket> ticket);
    // Answers every open evaluation with `error`, and every later one.
    void closeEvaluations(const Error& error);
    void interrupt();  // the running step and waitFor() end; for shutting down

    // Moves everything that came into `mail` (which is empty). Requests taken count as waiting
    // until setWaiting() says how many still are.
    void take(Mail& mail);
    void setWaiting(std::uint32_t requests);
    void waitFor(std::stop_token stop);
    // What ends the step that holds rows of these requests.
    std::stop_token beginStep(std::span<const RequestId> requests);
    // True if the step was asked to end early.
    bool endStep();

 private:
    std::mutex m_mutex;  // guards everything below
    std::condition_variable_any m_came;
    Mail m_mail;
    std::uint32_t m_waiting = 0;
    std::vector<RequestId> m_inStep;
    std::stop_source m_stepStop;
    std::vector<std::shared_ptr<EvaluationTicket>> m_openTickets;
    std::optional<Error> m_closed;
};

}  // namespace agens::loop
