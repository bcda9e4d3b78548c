// SPDX-License-Identifier: Apache-2.0
// ChatController: the singleton `Chat` of QML: the open conversation, its replies, the sidebar.
//
// Order of a reply: Store::send() (durable) -> shown in the transcript -> engine. Late answers of
// the store are recognised by m_view, a counter that each change of the open conversation raises.
// Invariants: one running reply a conversation; nothing the person wrote is dropped: what cannot be
// stored comes back into the composer, a queued message is stored with the composer draft.
// Errors: of the store as a banner; of a reply at that reply.
// Thread: UI. Destroyed after EngineService::shutDown().
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "app/chat/store.h"
#include "app/service/engine_service.h"
#include "app/service/mailbox.h"
#include "app/ui/controllers/app_controller.h"
#include "app/ui/models/conversation_list_model.h"
#include "app/ui/models/live_reply.h"
#include "app/ui/models/transcript_model.h"

namespace agens::ui {

// What an update of the transcript cost, for whoever measures.
struct UpdateCost {
    chat::MessageId reply;
    std::chrono::nanoseconds applied{0};
    std::uint64_t rowsChanged = 0;
    std::size_t bytesParsed = 0;
    std::size_t newBytes = 0;
};

class ChatController final : public QObject {
    Q_OBJECT
    Q_PROPERTY(QString conversationId READ conversationId NOTIFY conversationChanged)
    Q_PROPERTY(QString title READ title NOTIFY conversationChanged)
    Q_PROPERTY(bool isEmpty READ isEmpty NOTIFY contentChanged)
    Q_PROPERTY(QString state READ state NOTIFY stateChanged)
    Q_PROPERTY(QString prefillText READ prefillText NOTIFY stateChanged)
    Q_PROPERTY(double tokensPerSecond READ tokensPerSecond NOTIFY stateChanged)
    Q_PROPERTY(bool canSend READ canSend NOTIFY canSendChanged)
    Q_PROPERTY(QString sendProblem READ sendProblem NOTIFY canSendChanged)
    Q_PROPERTY(QString factsText READ factsText NOTIFY factsChanged)
    Q_PROPERTY(int contextUsed READ contextUsed NOTIFY factsChanged)
    Q_PROPERTY(int contextTotal READ contextTotal NOTIFY factsChanged)
    Q_PROPERTY(QString draft READ draft WRITE setDraft NOTIFY draftChanged)
    Q_PROPERTY(QString queuedText READ queuedText NOTIFY queueChanged)
    Q_PROPERTY(agens::ui::TranscriptModel* transcript READ transcript CONSTANT)
    Q_PROPERTY(agens::ui::ConversationListModel* conversations READ conversations CONSTANT)

 public:
    ChatController(chat::Store& store, service::EngineService& service, AppController& app,
                   const Clock& clock);
    ~ChatController() override;

    QString conversationId() const;
    QString title() const { return m_title; }
    bool isEmpty() const { return m_transcript.rowCount() == 0; }
    QString state() const;
    QString prefillText() const;
    double tokensPerSecond() const;
    bool canSend() const;
    QString sendProblem() const;
    QString factsText() const;
    int contextUsed() const { return m_contextUsed; }
    int contextTotal() const;
    QString draft() const { return m_draft; }
    void setDraft(const QString& text);
    QString queuedText() const;
    TranscriptModel* transcript() { return &m_transcript; }
    ConversationListModel* conversations() { return &m_list; }

    Q_INVOKABLE void newChat();
    Q_INVOKABLE void open(const QString& id);
    Q_INVOKABLE void send(const QString& text);
    Q_INVOKABLE void stop();
    Q_INVOKABLE void regenerate(const QString& messageId);
    Q_INVOKABLE void edit(const QString& messageId, const QString& text);
    Q_INVOKABLE void switchSibling(const QString& messageId, int delta);
    Q_INVOKABLE void copyMessage(const QString& messageId);
    Q_INVOKABLE void copyText(const QString& text);
    Q_INVOKABLE void rename(const QString& id, const QString& title);
    Q_INVOKABLE void remove(const QString& id);
    Q_INVOKABLE void saveDraft(const QString& text);
    Q_INVOKABLE void clearQueue();
    Q_INVOKABLE void sendQueued();

    // Fills the list and, if the settings say so, opens the last conversation.
    void begin(const chat::Settings& settings);
    // The event loop has ended: writes the composer draft and waits where it must.
    void leave();
    // Called after each update of the transcript; the window uses it to answer the service with
    // the time the frame really took. Without one the time of the update itself counts.
    void onUpdate(std::function<void(const UpdateCost&)> hear) { m_onUpdate = std::move(hear); }

 signals:
    void conversationChanged();
    void contentChanged();
    void stateChanged();
    void canSendChanged();
    void factsChanged();
    void draftChanged();
    void queueChanged();
    void ended(const QString& messageId);

 private:
    struct Queue {
        QString text;
        bool isHeld = false;  // the reply before it was stopped or failed: the person decides
    };
    using Conversation = chat::ConversationId;
    using Branch = std::vector<chat::Message>;

    // conversations (chat_conversations.cpp)
    void refreshList();
    void setConversation(std::optional<Conversation> id, const QString& title);
    // The open conversation, made now if there is none.
    void withConversation(std::function<void(Result<Conversation>)> then);
    void writeDraft();
    void storeDraft(Conversation id, const QString& draft);
    void loadDraft(Conversation id);
    // For commands whose only answer is that they worked.
    void watch(chat::Future<void> done, std::function<void()> then = {});
    static std::optional<std::int64_t> numberOf(const QString& id);

    // replies (chat_controller.cpp)
    void submit(const QString& text, std::optional<chat::MessageId> editOf);
    void sendTo(Conversation id, const QString& text, std::optional<chat::MessageId> editOf);
    void notSent(const QString& text, const Error& error);
    void keepForLater(Conversation id, const QString& text);
    void startReply(Conversation id, chat::MessageId reply, bool isQueued);
    void show(Conversation id, std::uint64_t view, Branch branch, std::function<void()> then);
    void reread(Conversation id);
    void hear(const LiveBatch& batch);
    void replyEnded(const LiveReply& live);
    LiveReply* liveOf(Conversation id);
    const LiveReply* shownLive() const;
    void whenIdle(std::function<void()> then);

    // facts (chat_facts.cpp)
    void countSoon();
    void count();
    engine::ChatPrompt promptNow() const;

    chat::Store& m_store;
    service::EngineService& m_service;
    AppController& m_app;
    const Clock& m_clock;

    TranscriptModel m_transcript;
    ConversationListModel m_list;
    int m_listLimit = chat::ListRequest().limit;

    std::optional<Conversation> m_conversation;
    QString m_title;
    Branch m_branch;           // as last read
    std::uint64_t m_view = 0;  // raised with every change of the open conversation
    // Who waits for the conversation that is being made; shared with the store's answer, which may
    // come after the person went elsewhere.
    std::shared_ptr<std::vector<std::function<void(Result<Conversation>)>>> m_creation;
    int m_sending = 0;  // messages between the person's Enter and the engine

    QString m_draft;
    bool m_isDraftSaved = true;
    QTimer m_draftTimer;

    std::map<chat::MessageId, LiveReply> m_live;
    std::map<Conversation, Queue> m_queues;
    std::function<void()> m_afterEnd;  // an edit or a regenerate that waits for the stop

    QTimer m_countTimer;
    int m_contextUsed = 0;
    bool m_isCounted = false;
    bool m_isCounting = false;

    std::function<void(const UpdateCost&)> m_onUpdate;
    QThreadPool m_worker;        // one thread: Markdown of stored branches, in order
    service::Mailbox m_mailbox;  // last: closed before everything its calls use
};

}  // namespace agens::ui
