// SPDX-License-Identifier: Apache-2.0
// Mailbox: calls for a QObject's thread from any other, for as long as the object lives. A member
// of the receiver; copies of post() may outlive it and then do nothing.
//
//   store.send(id, text).then(m_mailbox.executor(), [this](Result<Sent> sent) { … });
//
// Invariant: no call runs after the mailbox is gone, so calls may hold `this` of the receiver.
// Thread: construct and destroy on the receiver's thread; the rest any.
#pragma once

#include <QMetaObject>
#include <QObject>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "app/chat/future.h"

namespace agens::service {

class Mailbox {
 public:
    explicit Mailbox(QObject* receiver) : m_slot(std::make_shared<Slot>()) {
        m_slot->receiver = receiver;
    }
    ~Mailbox() { close(); }
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    // Later calls are dropped. Those already posted are removed with the receiver.
    void close() {
        const std::lock_guard lock(m_slot->mutex);
        m_slot->receiver = nullptr;
    }

    chat::Executor executor() const {
        return [slot = m_slot](std::function<void()> call) {
            const std::lock_guard lock(slot->mutex);
            if (slot->receiver == nullptr) return;
            QMetaObject::invokeMethod(slot->receiver, std::move(call), Qt::QueuedConnection);
        };
    }

 private:
    struct Slot {
        std::mutex mutex;
        QObject* receiver = nullptr;
    };
    std::shared_ptr<Slot> m_slot;  // shared with executors that outlive the receiver
};

}  // namespace agens::service
