// SPDX-License-Identifier: Apache-2.0
// ChatController: which conversation is open, its composer draft, and the sidebar's commands.
#include <algorithm>
#include <utility>

#include "app/chat/text_rules.h"
#include "app/ui/controllers/chat_controller.h"
#include "app/ui/models/text_format.h"

namespace agens::ui {
namespace {

using std::chrono::milliseconds;

// Below a second after the last key, with room for the write itself.
constexpr milliseconds kDraftPause{700};
constexpr milliseconds kCountPause{150};

// Between a queued message and the draft behind it, where both are stored as one unsent text.
const QString kBetween = QStringLiteral("\n\n");

}  // namespace

ChatController::ChatController(chat::Store& store, service::EngineService& service,
                               AppController& app, const Clock& clock)
    : m_store(store), m_service(service), m_app(app), m_clock(clock), m_mailbox(this) {
    m_worker.setMaxThreadCount(1);
    m_draftTimer.setSingleShot(true);
    m_draftTimer.setInterval(kDraftPause);
    connect(&m_draftTimer, &QTimer::timeout, this, &ChatController::writeDraft);
    m_countTimer.setSingleShot(true);
    m_countTimer.setInterval(kCountPause);
    connect(&m_countTimer, &QTimer::timeout, this, &ChatController::count);
    connect(&m_service, &service::EngineService::modelChanged, this, [this] {
        m_isCounted = false;
        countSoon();
        emit canSendChanged();
        emit stateChanged();
    });
    connect(&m_list, &ConversationListModel::wantsMore, this, [this] {
        m_listLimit += chat::ListRequest().limit;
        refreshList();
    });
}

ChatController::~ChatController() {
    m_mailbox.close();
    m_worker.waitForDone();
}

std::optional<std::int64_t> ChatController::numberOf(const QString& id) {
    bool isNumber = false;
    const qlonglong number = id.toLongLong(&isNumber);
    return isNumber ? std::optional<std::int64_t>(number) : std::nullopt;
}

QString ChatController::conversationId() const {
    return m_conversation ? QString::number(m_conversation->value) : QString();
}

void ChatController::watch(chat::Future<void> done, std::function<void()> then) {
    done.then(m_mailbox.executor(), [this, then = std::move(then)](Result<void> result) {
        if (!result) return m_app.showStoreError(result.error());
        if (then) then();
    });
}

// ---- the list

void ChatController::begin(const chat::Settings& settings) {
    refreshList();
    const auto last = numberOf(toQt(settings.text("chat.current")));
    if (settings.text("general.startup") == "last" && last) open(QString::number(*last));
}

void ChatController::refreshList() {
    chat::ListRequest request;
    request.limit = m_listLimit;
    m_store.conversations(request).then(
        m_mailbox.executor(), [this](Result<std::vector<chat::ConversationHead>> heads) {
            if (!heads) return m_app.showStoreError(heads.error());
            const bool hasMore = static_cast<int>(heads->size()) >= m_listLimit;
            m_list.setHeads(*heads, m_clock.wallMs(), hasMore);
        });
}

void ChatController::rename(const QString& id, const QString& title) {
    const auto number = numberOf(id);
    const std::string line = chat::oneLine(toStd(title));
    if (!number || line.empty()) return;
    watch(m_store.rename(Conversation(*number), line), [this, number, line] {
        if (m_conversation == Conversation(*number)) {
            m_title = toQt(line);
            emit conversationChanged();
        }
        refreshList();
    });
}

void ChatController::remove(const QString& id) {
    const auto number = numberOf(id);
    if (!number) return;
    const Conversation conversation(*number);
    if (LiveReply* live = liveOf(conversation)) {
        live->setStopping();
        m_service.stop(live->facts().id);
    }
    const bool wasOpen = m_conversation == conversation;
    if (wasOpen) newChat();
    watch(m_store.trash(conversation), [this, conversation, wasOpen] {
        refreshList();
        m_app.showToast(QStringLiteral("Chat deleted."), [this, conversation, wasOpen] {
            watch(m_store.restore(conversation), [this, conversation, wasOpen] {
                refreshList();
                if (wasOpen) open(QString::number(conversation.value));
            });
        });
    });
}

// ---- the open conversation

void ChatController::setConversation(std::optional<Conversation> id, const QString& title) {
    m_conversation = id;
    m_title = title;
    m_list.setCurrent(id);
    emit conversationChanged();
    emit queueChanged();
    emit stateChanged();
}

void ChatController::newChat() {
    writeDraft();
    ++m_view;
    m_creation.reset();
    m_branch.clear();
    m_draft.clear();
    m_isDraftSaved = true;
    m_transcript.setMessages({});
    m_contextUsed = 0;
    m_isCounted = false;
    setConversation(std::nullopt, {});
    emit draftChanged();
    emit contentChanged();
    emit factsChanged();
}

void ChatController::open(const QString& id) {
    const auto number = numberOf(id);
    if (!number || m_conversation == Conversation(*number)) return;
    writeDraft();
    ++m_view;
    m_creation.reset();
    m_draft.clear();
    m_isDraftSaved = true;
    const Conversation conversation(*number);
    setConversation(conversation, {});
    emit draftChanged();
    m_store.conversation(conversation)
        .then(m_mailbox.executor(),
              [this, conversation, view = m_view](Result<chat::Conversation> found) {
                  if (view != m_view) return;
                  if (!found || found->head.deleted) return newChat();
                  m_title = toQt(found->head.title);
                  emit conversationChanged();
                  if (found->head.unread) {
                      watch(m_store.setUnread(conversation, false), [this] { refreshList(); });
                  }
              });
    loadDraft(conversation);
    reread(conversation);
    m_store.setSetting("chat.current", toStd(id)).ignore();
}

void ChatController::withConversation(std::function<void(Result<Conversation>)> then) {
    if (m_conversation) return then(*m_conversation);
    if (m_creation) return m_creation->push_back(std::move(then));
    m_creation = std::make_shared<std::vector<std::function<void(Result<Conversation>)>>>();
    m_creation->push_back(std::move(then));
    m_store.create().then(m_mailbox.executor(),
                          [this, waiting = m_creation](Result<Conversation> created) {
                              if (m_creation == waiting) {
                                  m_creation.reset();
                                  if (created) setConversation(*created, {});
                              }
                              for (const auto& call : *waiting)
                                  call(created);
                          });
}

// ---- the composer draft

void ChatController::setDraft(const QString& text) {
    if (text == m_draft) return;
    m_draft = text;
    m_isDraftSaved = false;
    m_draftTimer.start();
    emit draftChanged();
    countSoon();
}

void ChatController::saveDraft(const QString& text) {
    setDraft(text);
    writeDraft();
}

void ChatController::writeDraft() {
    m_draftTimer.stop();
    if (m_isDraftSaved) return;
    m_isDraftSaved = true;
    if (!m_conversation && m_draft.trimmed().isEmpty()) return;
    withConversation([this, draft = m_draft](Result<Conversation> id) {
        if (!id) return m_app.showStoreError(id.error());
        storeDraft(*id, draft);
    });
}

// A chat that is being made for the draft never hears of it any more: another one is made.
void ChatController::leave() {
    m_draftTimer.stop();
    if (m_isDraftSaved && !m_creation) return;
    if (m_draft.trimmed().isEmpty() && !m_conversation) return;
    m_isDraftSaved = true;
    if (!m_conversation) {
        const auto created = m_store.create().get();
        if (!created) return;  // nothing can be told any more
        m_conversation = *created;
        m_store.setSetting("chat.current", std::to_string(created->value)).ignore();
    }
    storeDraft(*m_conversation, m_draft);
}

void ChatController::storeDraft(Conversation id, const QString& draft) {
    QString text = draft;
    if (const auto queue = m_queues.find(id); queue != m_queues.end()) {
        text = draft.isEmpty() ? queue->second.text : queue->second.text + kBetween + draft;
    }
    watch(m_store.saveDraft(id, {.text = toStd(text)}), [this] { refreshList(); });
}

void ChatController::loadDraft(Conversation id) {
    m_store.draft(id).then(m_mailbox.executor(),
                           [this, id, view = m_view](Result<chat::Draft> draft) {
                               if (view != m_view || !m_draft.isEmpty()) return;
                               if (!draft) return m_app.showStoreError(draft.error());
                               QString text = toQt(draft->text);
                               if (const auto queue = m_queues.find(id);
                                   queue != m_queues.end() && text.startsWith(queue->second.text)) {
                                   text = text.mid(queue->second.text.size());
                                   if (text.startsWith(kBetween)) text = text.mid(kBetween.size());
                               }
                               m_draft = text;
                               m_isDraftSaved = true;
                               emit draftChanged();
                               countSoon();
                           });
}

}  // namespace agens::ui
