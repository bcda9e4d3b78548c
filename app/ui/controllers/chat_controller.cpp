// SPDX-License-Identifier: Apache-2.0
// Sending, replies and the transcript of the open conversation.
#include "app/ui/controllers/chat_controller.h"

#include <QClipboard>
#include <QGuiApplication>
#include <algorithm>
#include <span>
#include <utility>

#include "app/service/chat_prompt.h"
#include "app/ui/models/text_format.h"

namespace agens::ui {

using chat::MessageId;
using service::EngineState;
using service::ReplyPhase;

// ---- what QML reads

QString ChatController::state() const {
    const LiveReply* live = shownLive();
    if (live == nullptr) return m_sending > 0 ? QStringLiteral("queued") : QStringLiteral("idle");
    if (live->isStopping()) return QStringLiteral("idle");
    switch (live->facts().phase) {
        case ReplyPhase::Waiting:
            return QStringLiteral("queued");
        case ReplyPhase::Prefill:
            return QStringLiteral("prefill");
        case ReplyPhase::Thinking:
        case ReplyPhase::Text:
            return QStringLiteral("streaming");
        case ReplyPhase::Ended:
            break;
    }
    return QStringLiteral("idle");
}

QString ChatController::prefillText() const {
    const LiveReply* live = shownLive();
    return live == nullptr ? QString() : toQt(ui::prefillText(live->facts()));
}

double ChatController::tokensPerSecond() const {
    const LiveReply* live = shownLive();
    return live == nullptr ? 0.0 : live->facts().tokensPerSecond;
}

bool ChatController::canSend() const {
    return m_service.state() == EngineState::Ready || m_service.state() == EngineState::Loading;
}

QString ChatController::sendProblem() const {
    if (m_service.state() == EngineState::None)
        return QStringLiteral("No model is loaded. Choose a model to send.");
    if (m_service.state() == EngineState::Failed)
        return QStringLiteral("The model could not be opened. Choose another one to send.");
    return {};
}

LiveReply* ChatController::liveOf(Conversation id) {
    const auto found = std::ranges::find_if(
        m_live, [id](const auto& entry) { return entry.second.conversation() == id; });
    return found == m_live.end() ? nullptr : &found->second;
}

const LiveReply* ChatController::shownLive() const {
    if (!m_conversation) return nullptr;
    return const_cast<ChatController*>(this)->liveOf(*m_conversation);
}

// ---- sending

void ChatController::send(const QString& text) {
    if (text.trimmed().isEmpty() || !canSend()) return;
    if (m_conversation && (m_sending > 0 || liveOf(*m_conversation) != nullptr)) {
        return keepForLater(*m_conversation, text);
    }
    submit(text, std::nullopt);
}

void ChatController::submit(const QString& text, std::optional<MessageId> editOf) {
    ++m_sending;
    if (!editOf) {
        m_draftTimer.stop();
        m_draft.clear();
        m_isDraftSaved = true;  // Store::send() removes the stored one
        emit draftChanged();
    }
    emit stateChanged();
    withConversation([this, text, editOf](Result<Conversation> id) {
        if (!id) return notSent(text, id.error());
        sendTo(*id, text, editOf);
    });
}

void ChatController::sendTo(Conversation id, const QString& text, std::optional<MessageId> editOf) {
    chat::Outgoing outgoing;
    outgoing.text = toStd(text);
    outgoing.editOf = editOf;
    outgoing.waits = m_service.state() != EngineState::Ready;
    if (const auto engine = m_service.engine()) outgoing.modelName = engine->model().name;
    const bool waits = outgoing.waits;
    m_store.send(id, std::move(outgoing))
        .then(m_mailbox.executor(), [this, id, text, waits](Result<chat::Sent> sent) {
            if (!sent) return notSent(text, sent.error());
            if (m_conversation == id) {
                m_title = toQt(sent->head.title);
                emit conversationChanged();
                if (!m_draft.isEmpty() || m_queues.contains(id)) storeDraft(id, m_draft);
            }
            m_store.setSetting("chat.current", std::to_string(id.value)).ignore();
            refreshList();
            startReply(id, sent->reply, waits);
        });
}

// The text goes back to where it came from.
void ChatController::notSent(const QString& text, const Error& error) {
    --m_sending;
    m_app.showStoreError(error);
    setDraft(m_draft.isEmpty() ? text : text + QStringLiteral("\n\n") + m_draft);
    emit stateChanged();
}

void ChatController::startReply(Conversation id, MessageId reply, bool isQueued) {
    m_store.branch(id, chat::PageAnchor::whole())
        .then(m_mailbox.executor(), [this, id, reply, isQueued](Result<chat::Page> page) {
            const auto found = page ? std::ranges::find(page->messages, reply, &chat::Message::id)
                                    : std::vector<chat::Message>::iterator();
            if (!page || found == page->messages.end()) {
                --m_sending;
                if (!page) m_app.showStoreError(page.error());
                emit stateChanged();
                return;
            }
            service::ReplyJob job{
                id, reply, service::chatPrompt(std::span(page->messages.begin(), found)), isQueued};
            MessageFacts facts = viewOf(*found).facts;
            facts.isLive = true;
            m_live.insert_or_assign(reply, LiveReply(id, std::move(facts)));
            const auto start = [this, job = std::move(job)] {
                --m_sending;
                auto post = [this, run = m_mailbox.executor()](std::shared_ptr<LiveBatch> batch) {
                    run([this, batch] { hear(*batch); });
                };
                m_service.start(job, std::make_shared<LiveReplySink>(job.reply, std::move(post)));
                emit stateChanged();
            };
            if (m_conversation != id) return start();
            show(id, m_view, std::move(page->messages), start);
        });
}

void ChatController::show(Conversation id, std::uint64_t view, Branch branch,
                          std::function<void()> then) {
    auto messages = std::make_shared<Branch>(std::move(branch));  // crosses to the worker and back
    m_worker.start([this, id, view, messages, then = std::move(then), post = m_mailbox.executor()] {
        auto views = std::make_shared<std::vector<MessageView>>(viewsOf(*messages));
        post([this, id, view, messages, views, then] {
            if (view == m_view && m_conversation == id) {
                for (MessageView& shown : *views) {
                    const auto live = m_live.find(shown.facts.id);
                    if (live != m_live.end()) shown = live->second.view();
                }
                m_branch = std::move(*messages);
                m_transcript.setMessages(std::move(*views));
                emit contentChanged();
                emit stateChanged();
                countSoon();
            }
            if (then) then();
        });
    });
}

void ChatController::reread(Conversation id) {
    m_store.branch(id, chat::PageAnchor::whole())
        .then(m_mailbox.executor(), [this, id, view = m_view](Result<chat::Page> page) {
            if (view != m_view) return;
            if (!page) return m_app.showStoreError(page.error());
            show(id, view, std::move(page->messages), {});
        });
}

// ---- while a reply runs

void ChatController::hear(const LiveBatch& batch) {
    const auto found = m_live.find(batch.reply);
    if (found == m_live.end()) return;
    const auto begin = m_clock.now();
    const std::uint64_t rowsBefore = m_transcript.rowsChanged();
    LiveReply& live = found->second;
    live.apply(batch);
    const bool isShown = m_conversation == live.conversation();
    if (isShown) {
        m_transcript.update(live.facts(), batch.batch.text, batch.changes);
        if (batch.batch.promptTokens > 0) {
            m_contextUsed = static_cast<int>(batch.batch.promptTokens + batch.batch.tokens);
            m_isCounted = true;
            m_isCounting = false;
            emit factsChanged();
        }
        emit stateChanged();
    }
    const UpdateCost cost{batch.reply, m_clock.now() - begin,
                          m_transcript.rowsChanged() - rowsBefore, batch.bytesParsed,
                          batch.batch.text.size()};
    if (isShown && m_onUpdate) {
        m_onUpdate(cost);
    } else {
        m_service.shown(batch.reply, cost.applied);
    }
    if (batch.batch.storeError) m_app.showStoreError(*batch.batch.storeError);
    if (batch.batch.phase != ReplyPhase::Ended) return;
    const LiveReply ended = std::move(live);
    m_live.erase(found);
    replyEnded(ended);
}

void ChatController::replyEnded(const LiveReply& live) {
    const Conversation id = live.conversation();
    refreshList();
    if (m_conversation == id) {
        emit stateChanged();
        reread(id);
    } else {
        m_store.setUnread(id, true).ignore();
    }
    emit ended(QString::number(live.facts().id.value));
    if (const auto next = std::exchange(m_afterEnd, nullptr)) return next();
    const auto queue = m_queues.find(id);
    if (queue == m_queues.end()) return;
    const bool wasGood = live.facts().state == chat::MessageState::Complete ||
                         live.facts().state == chat::MessageState::Limit;
    // What was written after the stop was meant to be sent.
    if (!wasGood && queue->second.isHeld) return;
    const QString text = queue->second.text;
    m_queues.erase(queue);
    emit queueChanged();
    ++m_sending;
    sendTo(id, text, std::nullopt);
}

void ChatController::stop() {
    if (!m_conversation) return;
    LiveReply* live = liveOf(*m_conversation);
    if (live == nullptr || live->isStopping()) return;
    live->setStopping();
    m_service.stop(live->facts().id);
    emit stateChanged();
}

void ChatController::whenIdle(std::function<void()> then) {
    if (!m_conversation || liveOf(*m_conversation) == nullptr) return then();
    m_afterEnd = std::move(then);
    stop();
}

// ---- branches

void ChatController::regenerate(const QString& messageId) {
    const auto number = numberOf(messageId);
    if (!number || !m_conversation || !canSend() || m_sending > 0) return;
    const MessageView* view = m_transcript.find(MessageId(*number));
    if (view == nullptr || view->facts.role != chat::Role::Assistant) return;
    const MessageId reply(*number);
    const bool wasNeverBegun =
        view->facts.state == chat::MessageState::Queued && !view->facts.isLive;
    whenIdle([this, id = *m_conversation, reply, wasNeverBegun] {
        ++m_sending;
        emit stateChanged();
        if (wasNeverBegun) return startReply(id, reply, true);
        const auto engine = m_service.engine();
        m_store.addSibling(reply, engine ? engine->model().name : std::string())
            .then(m_mailbox.executor(), [this, id](Result<MessageId> sibling) {
                if (sibling) return startReply(id, *sibling, false);
                --m_sending;
                m_app.showStoreError(sibling.error());
                emit stateChanged();
            });
    });
}

void ChatController::edit(const QString& messageId, const QString& text) {
    const auto number = numberOf(messageId);
    if (!number || text.trimmed().isEmpty() || !canSend() || m_sending > 0) return;
    const MessageView* view = m_transcript.find(MessageId(*number));
    if (view == nullptr || view->facts.role != chat::Role::User) return;
    whenIdle([this, text, message = MessageId(*number)] { submit(text, message); });
}

void ChatController::switchSibling(const QString& messageId, int delta) {
    const auto number = numberOf(messageId);
    if (!number || !m_conversation || m_sending > 0) return;
    const MessageView* view = m_transcript.find(MessageId(*number));
    if (view == nullptr) return;
    const auto target = delta < 0 ? view->facts.previousSibling : view->facts.nextSibling;
    if (!target) return;
    m_store.activate(*m_conversation, *target)
        .then(m_mailbox.executor(), [this, id = *m_conversation](Result<MessageId> leaf) {
            if (!leaf) return m_app.showStoreError(leaf.error());
            if (m_conversation == id) reread(id);
        });
}

// ---- the queue: one message

void ChatController::keepForLater(Conversation id, const QString& text) {
    Queue& queue = m_queues[id];
    queue.text = queue.text.isEmpty() ? text : queue.text + QStringLiteral("\n\n") + text;
    const LiveReply* live = liveOf(id);
    queue.isHeld = live == nullptr || !live->isStopping();
    m_draft.clear();
    m_draftTimer.stop();
    m_isDraftSaved = true;
    storeDraft(id, m_draft);  // the queued message lies on the disk like any unsent text
    emit draftChanged();
    emit queueChanged();
}

QString ChatController::queuedText() const {
    if (!m_conversation) return {};
    const auto found = m_queues.find(*m_conversation);
    return found == m_queues.end() ? QString() : found->second.text;
}

void ChatController::clearQueue() {
    if (!m_conversation || m_queues.erase(*m_conversation) == 0) return;
    storeDraft(*m_conversation, m_draft);
    emit queueChanged();
}

void ChatController::sendQueued() {
    if (!m_conversation || !canSend() || m_sending > 0 || liveOf(*m_conversation) != nullptr)
        return;
    const auto found = m_queues.find(*m_conversation);
    if (found == m_queues.end()) return;
    const QString text = found->second.text;
    m_queues.erase(found);
    emit queueChanged();
    ++m_sending;
    sendTo(*m_conversation, text, std::nullopt);
}

// ---- copying

void ChatController::copyMessage(const QString& messageId) {
    const auto number = numberOf(messageId);
    const MessageView* view = number ? m_transcript.find(MessageId(*number)) : nullptr;
    if (view != nullptr) copyText(toQt(view->text));
}

void ChatController::copyText(const QString& text) {
    QGuiApplication::clipboard()->setText(text);
}

}  // namespace agens::ui
