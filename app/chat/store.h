// SPDX-License-Identifier: Apache-2.0
// Store: everything a person keeps, in one SQLite file. A thread-safe front; the work happens on
// the store worker, in the order user write > reply checkpoint > read > maintenance.
//
// Invariants: one process (flock) and one connection (exclusive) for life; one action = one
// transaction with its search rows; a write is durable before its Future is ready; what was
// acknowledged is never lost by a crash. Order is orderKey and ids, never a clock.
// Errors: store.locked, store.newer, store.damaged, store.foreign, store.permissions,
// store.no_lock, store.folder, store.open (open) · store.full, store.io, store.damaged,
// store.missing, store.state, store.too_long, store.not_utf8, settings.* (calls) · store.closed
// (while closing). Thread: every call from any thread; open() and the destructor block (the
// destructor finishes what was queued, then closes cleanly). Callbacks of then() must not destroy
// the store.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/chat/future.h"
#include "app/chat/settings.h"
#include "app/chat/store_paths.h"
#include "app/chat/types.h"
#include "engine/base/clock.h"

namespace agens::chat {

class FileSystem;    // file_system.h
class RandomSource;  // random_source.h

enum class OpenMode {
    Live,    // the person's own store
    Memory,  // nothing on disk, no lock: screenshots and tests
};

enum class StoreCondition {
    Normal,
    ReserveInUse,     // the disk is (nearly) full; writing goes on from the reserve
    WritingStopped,   // an I/O error, and opening the file again failed: reads and writes answer
                      // store.io
    ReadOnlyDamaged,  // damage was met while running: reads go on, writes answer store.damaged
    MemoryOnly,
};

// The outside, given by whoever opens the store; must outlive it.
struct StoreSeams {
    const Clock& clock;
    FileSystem& files;
    RandomSource& random;
    std::string vfs = {};  // name of a registered SQLite VFS; empty = the system's
};

class Store {
 public:
    // `owner` is the name other programs show for this one ("Agens Desktop", "agens chat").
    // Replies that a crash cut off become Interrupted with the text of their last checkpoint.
    static Result<std::unique_ptr<Store>> open(const StorePaths& paths, OpenMode mode,
                                               const std::string& owner, const StoreSeams& seams);
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    StoreCondition condition() const;
    // Replies that were found cut off and repaired by open().
    int interruptedReplies() const;

    // Conversations.
    Future<std::vector<ConversationHead>> conversations(ListRequest request = {});
    Future<Conversation> conversation(ConversationId id);
    Future<ConversationId> create();  // listed as soon as it has a draft or a message
    Future<void> rename(ConversationId id, std::string title);
    Future<void> setPinned(ConversationId id, bool pinned);
    Future<void> setUnread(ConversationId id, bool unread);
    Future<void> setSystemPrompt(ConversationId id, std::string text);
    Future<void> setOptions(ConversationId id, std::string json);
    Future<void> trash(ConversationId id);
    Future<void> restore(ConversationId id);  // undo of trash

    // Messages. branch() reads the active branch.
    Future<Page> branch(ConversationId id, PageAnchor anchor = PageAnchor::end());
    // User message and empty reply; durable when ready. The composer draft goes with it.
    Future<Sent> send(ConversationId id, Outgoing outgoing);
    // Regenerate: a new empty reply beside `reply`, Generating, active. Gives its id.
    Future<MessageId> addSibling(MessageId reply, std::string modelName = {});
    // Shows the branch through `message`, down to its remembered deepest leaf. Gives that leaf.
    Future<MessageId> activate(ConversationId id, MessageId message);
    // Queued -> Generating.
    Future<void> begin(MessageId reply);
    // Appends text to a Generating reply's checkpoint.
    Future<void> checkpoint(MessageId reply, std::vector<TailPiece> pieces);
    // Queued or Generating -> final state, with the whole text.
    Future<void> finish(MessageId reply, FinishedReply finished);

    // Composer drafts. An empty draft is removed; none saved = an empty Draft.
    Future<void> saveDraft(ConversationId id, Draft draft);
    Future<Draft> draft(ConversationId id);

    // Settings. Rows of unknown keys are kept as they are.
    Future<Settings> settings();
    Future<void> setSetting(std::string key, std::string value);
    Future<void> resetSetting(std::string key);

    // SQLite's integrity_check and the check of the search tables; an Error names the damage.
    Future<void> check();

 private:
    class Core;
    explicit Store(std::unique_ptr<Core> core);
    std::unique_ptr<Core> m_core;
};

}  // namespace agens::chat
