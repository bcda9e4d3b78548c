// SPDX-License-Identifier: Apache-2.0
// The front: each call becomes a command of the worker and a Future of its result.
#include "app/chat/store.h"

#include <unistd.h>

#include <exception>
#include <utility>

#include "app/chat/conversation_rows.h"
#include "app/chat/message_rows.h"
#include "app/chat/random_source.h"
#include "app/chat/reply_rows.h"
#include "app/chat/search_rows.h"
#include "app/chat/store_database.h"
#include "app/chat/store_errors.h"
#include "app/chat/store_folder.h"
#include "app/chat/store_worker.h"
#include "engine/base/log.h"

namespace agens::chat {

using SQLite::Database;

// Member order is lifetime: the lock outlives the connection, the worker ends before it closes.
class Store::Core {
 public:
    Core(StoreFolder folder, const StoreSeams& seams)
        : m_seams(seams),
          m_lock(std::move(folder.lock)),
          m_database({folder.database, seams.vfs}, folder.reserve, seams) {}

    // On the opening thread, before the worker has work. On a full disk the store opens for reading
    // all the same; what was cut off is repaired at the next start.
    Result<void> open() {
        TRY_VOID(m_database.open());
        TRY(const bool isDue,
            m_database.read<bool>([](Database& db) { return needsRecovery(db); }));
        if (!isDue) return {};
        Result<int> repaired = m_database.write<int>([&](Database& db) -> Result<int> {
            dropUnused(db);
            return recoverReplies(db, now());
        });
        if (!repaired && repaired.error().id != "store.full") return std::move(repaired).error();
        m_interrupted = repaired ? *repaired : 0;
        return {};
    }

    template <class T>
    Future<T> write(std::function<Result<T>(Database&)> work,
                    Priority priority = Priority::UserWrite) {
        return post<T>(priority,
                       [this, work = std::move(work)] { return m_database.write<T>(work); });
    }
    template <class T>
    Future<T> read(std::function<Result<T>(Database&)> work) {
        return post<T>(Priority::Read,
                       [this, work = std::move(work)] { return m_database.read<T>(work); });
    }

    Timestamp now() const { return Timestamp(m_seams.clock.wallMs()); }
    WriteContext context() { return {m_seams.random, now()}; }
    StoreCondition condition() const { return m_database.condition(); }
    int interrupted() const { return m_interrupted; }

 private:
    // The top of the worker thread: whatever a command throws becomes its Error.
    template <class T>
    Future<T> post(Priority priority, std::function<Result<T>()> command) {
        const Promise<T> promise;
        const bool isTaken = m_worker.post(priority, [promise, command = std::move(command)] {
            promise.set(guarded<T>(command));
        });
        if (!isTaken) {
            promise.set(Error{ErrorKind::Cancelled, "store.closed", "The history is closed.", ""});
        }
        return promise.future();
    }

    template <class T>
    static Result<T> guarded(const std::function<Result<T>()>& command) {
        try {
            return command();
        } catch (const std::exception& failure) {
            log::error("store", std::string("a command failed: ") + failure.what());
            return Error{
                ErrorKind::Internal, "store.internal",
                std::string("The history met an error of its own: ") + failure.what() + ".", ""};
        }
    }

    const StoreSeams m_seams;
    std::unique_ptr<FileLock> m_lock;
    StoreDatabase m_database;
    int m_interrupted = 0;
    StoreWorker m_worker;
};

Store::Store(std::unique_ptr<Core> core) : m_core(std::move(core)) {}
Store::~Store() = default;

Result<std::unique_ptr<Store>> Store::open(const StorePaths& paths, OpenMode mode,
                                           const std::string& owner, const StoreSeams& seams) {
    StoreFolder folder;
    if (mode == OpenMode::Live) {
        TRY(folder, prepareFolder(seams.files, paths, owner, ::getpid()));
    }
    auto core = std::make_unique<Core>(std::move(folder), seams);
    TRY_VOID(core->open());
    return std::unique_ptr<Store>(new Store(std::move(core)));
}

StoreCondition Store::condition() const {
    return m_core->condition();
}
int Store::interruptedReplies() const {
    return m_core->interrupted();
}

Future<std::vector<ConversationHead>> Store::conversations(ListRequest request) {
    return m_core->read<std::vector<ConversationHead>>(
        [request](Database& db) { return listConversations(db, request); });
}

Future<Conversation> Store::conversation(ConversationId id) {
    return m_core->read<Conversation>([id](Database& db) { return readConversation(db, id); });
}

Future<ConversationId> Store::create() {
    return m_core->write<ConversationId>([core = m_core.get()](Database& db) {
        const WriteContext context = core->context();
        return createConversation(db, context.random, context.now);
    });
}

Future<void> Store::rename(ConversationId id, std::string title) {
    return m_core->write<void>(
        [id, title = std::move(title)](Database& db) { return renameConversation(db, id, title); });
}

Future<void> Store::setPinned(ConversationId id, bool pinned) {
    return m_core->write<void>([=](Database& db) { return setPinnedFlag(db, id, pinned); });
}

Future<void> Store::setUnread(ConversationId id, bool unread) {
    return m_core->write<void>([=](Database& db) { return setUnreadFlag(db, id, unread); });
}

Future<void> Store::setSystemPrompt(ConversationId id, std::string text) {
    return m_core->write<void>(
        [id, text = std::move(text)](Database& db) { return setPrompt(db, id, text); });
}

Future<void> Store::setOptions(ConversationId id, std::string json) {
    return m_core->write<void>(
        [id, json = std::move(json)](Database& db) { return setOptionsText(db, id, json); });
}

Future<void> Store::trash(ConversationId id) {
    return m_core->write<void>(
        [id, core = m_core.get()](Database& db) { return moveToTrash(db, id, core->now()); });
}

Future<void> Store::restore(ConversationId id) {
    return m_core->write<void>([id](Database& db) { return takeFromTrash(db, id); });
}

Future<Page> Store::branch(ConversationId id, PageAnchor anchor) {
    return m_core->read<Page>([=](Database& db) { return readBranch(db, id, anchor); });
}

Future<Sent> Store::send(ConversationId id, Outgoing outgoing) {
    return m_core->write<Sent>(
        [id, outgoing = std::move(outgoing), core = m_core.get()](Database& db) {
            return sendMessage(db, id, outgoing, core->context());
        });
}

Future<MessageId> Store::addSibling(MessageId reply, std::string modelName) {
    return m_core->write<MessageId>(
        [reply, modelName = std::move(modelName), core = m_core.get()](Database& db) {
            return addReplyBeside(db, reply, modelName, core->context());
        });
}

Future<MessageId> Store::activate(ConversationId id, MessageId message) {
    return m_core->write<MessageId>([=](Database& db) { return activateBranch(db, id, message); });
}

Future<void> Store::begin(MessageId reply) {
    return m_core->write<void>([reply](Database& db) { return beginReply(db, reply); });
}

Future<void> Store::checkpoint(MessageId reply, std::vector<TailPiece> pieces) {
    return m_core->write<void>(
        [reply, pieces = std::move(pieces)](Database& db) { return appendTail(db, reply, pieces); },
        Priority::Checkpoint);
}

// A user's write, so that a message sent right after finds the reply ended. It may overtake a
// checkpoint, which then has nothing left to do.
Future<void> Store::finish(MessageId reply, FinishedReply finished) {
    return m_core->write<void>(
        [reply, finished = std::move(finished), core = m_core.get()](Database& db) {
            return finishReply(db, reply, finished, core->now());
        });
}

Future<void> Store::saveDraft(ConversationId id, Draft draft) {
    return m_core->write<void>([id, draft = std::move(draft), core = m_core.get()](Database& db) {
        return writeDraft(db, id, draft, core->now());
    });
}

Future<Draft> Store::draft(ConversationId id) {
    return m_core->read<Draft>([id](Database& db) { return readDraft(db, id); });
}

Future<Settings> Store::settings() {
    return m_core->read<Settings>(
        [](Database& db) -> Result<Settings> { return readSettings(db); });
}

Future<void> Store::setSetting(std::string key, std::string value) {
    return m_core->write<void>(
        [key = std::move(key), value = std::move(value)](Database& db) -> Result<void> {
            TRY_VOID(checkSetting(key, value));
            writeSetting(db, key, value);
            return {};
        });
}

Future<void> Store::resetSetting(std::string key) {
    return m_core->write<void>([key = std::move(key)](Database& db) -> Result<void> {
        removeSetting(db, key);
        return {};
    });
}

Future<void> Store::check() {
    return m_core->write<void>(
        [](Database& db) -> Result<void> {
            checkSearchTables(db);
            return integrityOf(db);
        },
        Priority::Maintenance);
}

}  // namespace agens::chat
