// SPDX-License-Identifier: Apache-2.0
// LiveReply: a running reply on its way into the transcript.
//
//   LiveReplySink   on the reply's thread: text -> Markdown changes; posts a LiveBatch
//   LiveReply       on the UI thread: what has come so far, also while another chat is shown
//
// Invariant: replaying the batches of a sink in order on a LiveReply gives the blocks of the text.
// Thread: as said; a LiveBatch is a value and crosses.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/service/reply_sink.h"
#include "app/ui/markdown/incremental.h"
#include "app/ui/models/message_view.h"

namespace agens::ui {

struct LiveBatch {
    chat::MessageId reply;
    service::ReplyBatch batch;
    std::vector<markdown::BlockChange> changes;
    std::size_t bytesParsed = 0;
};

class LiveReplySink final : public service::ReplySink {
 public:
    // `post` takes a batch to the UI thread; called on the reply's thread.
    LiveReplySink(chat::MessageId reply, std::function<void(std::shared_ptr<LiveBatch>)> post)
        : m_reply(reply), m_post(std::move(post)) {}

    void show(service::ReplyBatch batch) override;

 private:
    chat::MessageId m_reply;
    std::function<void(std::shared_ptr<LiveBatch>)> m_post;
    markdown::MessageBlocks m_blocks;
};

class LiveReply {
 public:
    LiveReply(chat::ConversationId conversation, MessageFacts facts)
        : m_conversation(conversation), m_facts(std::move(facts)) {}

    void apply(const LiveBatch& batch);
    // The stored message's view with everything that came since.
    MessageView view() const;
    const MessageFacts& facts() const { return m_facts; }
    chat::ConversationId conversation() const { return m_conversation; }
    bool isStopping() const { return m_isStopping; }
    void setStopping() { m_isStopping = true; }

 private:
    void end(const chat::FinishedReply& finished);

    chat::ConversationId m_conversation;
    MessageFacts m_facts;
    std::string m_text;
    std::vector<markdown::IdentifiedBlock> m_blocks;
    bool m_isStopping = false;  // the person stopped it; its end is on the way
};

}  // namespace agens::ui
