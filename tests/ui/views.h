// SPDX-License-Identifier: Apache-2.0
// Short ways to write messages for tests of the transcript.
#pragma once

#include <string>

#include "app/ui/models/live_reply.h"
#include "app/ui/models/message_view.h"

namespace agens::ui::test {

inline chat::Message message(std::int64_t id, chat::Role role, const std::string& text) {
    chat::Message made;
    made.id = chat::MessageId(id);
    made.role = role;
    made.parts.push_back({chat::PartId(), chat::PartKind::Text, text, {}, {}, false});
    return made;
}
inline MessageView user(std::int64_t id, const std::string& text) {
    return viewOf(message(id, chat::Role::User, text));
}
inline MessageView reply(std::int64_t id, const std::string& text) {
    return viewOf(message(id, chat::Role::Assistant, text));
}
// A reply that has just been started.
inline LiveReply liveReply(std::int64_t id) {
    chat::Message made = message(id, chat::Role::Assistant, "");
    made.state = chat::MessageState::Generating;
    MessageFacts facts = viewOf(made).facts;
    facts.isLive = true;
    return LiveReply(chat::ConversationId(1), facts);
}

// Feeds a sink and collects its batches, as the service would.
class Stream {
 public:
    explicit Stream(std::int64_t id)
        : m_sink(chat::MessageId(id),
                 [this](std::shared_ptr<LiveBatch> batch) { m_last = batch; }) {}
    const LiveBatch& say(const std::string& text) {
        m_state.phase = service::ReplyPhase::Text;
        m_state.text = text;
        m_sink.show(m_state);
        return *m_last;
    }
    const LiveBatch& end(chat::MessageState state) {
        service::ReplyBatch batch;
        batch.phase = service::ReplyPhase::Ended;
        batch.finished = chat::FinishedReply{.state = state};
        m_sink.show(batch);
        return *m_last;
    }

 private:
    service::ReplyBatch m_state;
    std::shared_ptr<LiveBatch> m_last;
    LiveReplySink m_sink;
};

}  // namespace agens::ui::test
