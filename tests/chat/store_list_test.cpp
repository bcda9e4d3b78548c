// SPDX-License-Identifier: Apache-2.0
// The sidebar's list, titles, trash, drafts, settings, and the search rows beside them.
#include <set>

#include "tests/chat/store_fixture.h"

namespace agens::chat::test {
namespace {

class StoreList : public StoreTest {
 protected:
    std::string titles(ListFilter filter = ListFilter::Listed) {
        std::string text;
        const auto heads = *store().conversations({.filter = filter, .limit = 200}).get();
        for (const ConversationHead& head : heads) {
            text += (text.empty() ? "" : ", ") + head.title;
        }
        return text;
    }
    ConversationId titled(const std::string& text) {
        const auto id = newConversation();
        finish(send(id, text).reply, "reply to " + text);
        return id;
    }
};

TEST_F(StoreList, OrderIsActivityAndPinsNotTheClock) {
    open();
    const auto a = titled("a");
    m_clock.wall -= 1'000'000'000;  // the clock jumps back: order does not care
    titled("b");
    titled("c");
    EXPECT_EQ(titles(), "c, b, a");
    finish(send(a, "more").reply, "r");
    EXPECT_EQ(titles(), "a, c, b");
    ASSERT_TRUE(store().setPinned(a, true).get().ok());
    titled("d");
    EXPECT_EQ(titles(), "a, d, c, b");
}

TEST_F(StoreList, PagesContinueAfterTheLastRow) {
    open();
    for (int i = 0; i < 7; ++i)
        titled(std::to_string(i));
    std::string seen;
    ListRequest request{.limit = 3};
    for (;;) {
        const auto heads = *store().conversations(request).get();
        for (const ConversationHead& head : heads)
            seen += head.title;
        if (heads.empty()) break;
        request.after = ListRequest::Place{heads.back().pinned, heads.back().orderKey};
    }
    EXPECT_EQ(seen, "6543210");
}

TEST_F(StoreList, AConversationIsListedWithItsFirstWord) {
    open();
    const auto id = newConversation();
    EXPECT_EQ(store().conversations().get()->size(), 0u);
    ASSERT_TRUE(store().saveDraft(id, {.text = "h"}).get().ok());
    ASSERT_EQ(store().conversations().get()->size(), 1u);
    EXPECT_TRUE(store().conversations().get()->front().hasDraft);
    send(id, "hello");
    const ConversationHead head = store().conversations().get()->front();
    EXPECT_FALSE(head.hasDraft);
    EXPECT_TRUE(head.running);
    EXPECT_EQ(head.uid.size(), 32u);
}

TEST_F(StoreList, OneThatWasLeftEmptyIsGoneAtTheNextStart) {
    open();
    const auto empty = newConversation();
    const auto kept = newConversation();
    ASSERT_TRUE(store().saveDraft(kept, {.text = "h"}).get().ok());
    reopen();
    EXPECT_EQ(store().conversation(empty).get().error().id, "store.missing");
    EXPECT_TRUE(store().conversation(kept).get().ok());
}

TEST_F(StoreList, TheTitleIsTheFirstLineUntilAPersonGivesOne) {
    open();
    const auto id = newConversation();
    EXPECT_EQ(send(id, "\n  What is\x07 this?  \nmore").head.title, "What is  this?");
    ASSERT_TRUE(store().rename(id, " Mine\n").get().ok());
    const Conversation conversation = *store().conversation(id).get();
    EXPECT_EQ(conversation.head.title, "Mine");
    EXPECT_EQ(conversation.head.titleSource, TitleSource::User);
    EXPECT_EQ(store().rename(id, " \n").get().error().id, "store.state");
    EXPECT_EQ(store().rename(id, std::string(501, 'x')).get().error().id, "store.too_long");
}

TEST_F(StoreList, TrashAndUndo) {
    open();
    const auto a = titled("a");
    titled("b");
    ASSERT_TRUE(store().trash(a).get().ok());
    EXPECT_EQ(titles(), "b");
    EXPECT_EQ(titles(ListFilter::Trash), "a");
    EXPECT_EQ(store().send(a, {.text = "x"}).get().error().id, "store.state");
    ASSERT_TRUE(store().restore(a).get().ok());
    EXPECT_EQ(titles(), "b, a");
    EXPECT_EQ(titles(ListFilter::Trash), "");
    EXPECT_EQ(store().trash(ConversationId(77)).get().error().id, "store.missing");
}

TEST_F(StoreList, PromptOptionsAndMarksAreKept) {
    open();
    const auto id = titled("a");
    ASSERT_TRUE(store().setSystemPrompt(id, "Be brief.").get().ok());
    ASSERT_TRUE(store().setOptions(id, R"({"temperature":0.2})").get().ok());
    ASSERT_TRUE(store().setUnread(id, true).get().ok());
    EXPECT_FALSE(store().setOptions(id, "[1]").get().ok());
    EXPECT_FALSE(store().setOptions(id, "{").get().ok());
    reopen();
    const Conversation conversation = *store().conversation(id).get();
    EXPECT_EQ(conversation.systemPrompt, "Be brief.");
    EXPECT_EQ(conversation.options, R"({"temperature":0.2})");
    EXPECT_TRUE(conversation.head.unread);
}

TEST_F(StoreList, DraftsComeBackAndAnEmptyOneGoes) {
    open();
    const auto id = titled("a");
    const MessageId user = branch(id).front().id;
    const Draft draft{
        .text = "half a thou", .cursor = 4, .editOf = user, .thinking = ThinkingMode::On};
    ASSERT_TRUE(store().saveDraft(id, draft).get().ok());
    reopen();
    EXPECT_EQ(*store().draft(id).get(), draft);
    ASSERT_TRUE(store().saveDraft(id, {}).get().ok());
    EXPECT_EQ(*store().draft(id).get(), Draft());
    EXPECT_FALSE(store().conversations().get()->front().hasDraft);
}

TEST_F(StoreList, SettingsAreCheckedKeptAndReset) {
    open();
    ASSERT_TRUE(store().setSetting("ui.theme", "dark").get().ok());
    EXPECT_EQ(store().setSetting("ui.theme", "pink").get().error().what,
              "The setting ui.theme takes one of system, light, dark.");
    EXPECT_EQ(store().setSetting("no.such", "1").get().error().id, "settings.unknown");
    m_store.reset();
    sql(m_paths.database(), "INSERT INTO setting VALUES('future.key','x'),('ui.textScale','7')");
    open();
    const Settings settings = *store().settings().get();
    EXPECT_EQ(settings.text("ui.theme"), "dark");
    EXPECT_EQ(settings.integer("ui.textScale"), 100);  // out of range: the default
    ASSERT_TRUE(store().resetSetting("ui.theme").get().ok());
    EXPECT_EQ(store().settings().get()->text("ui.theme"), "system");
    EXPECT_EQ(store().settings().get()->rows().count("future.key"), 1u);
}

// Search rows are written with what they mirror: exactly the finished text parts and the titles.
TEST_F(StoreList, SearchRowsEqualTheContent) {
    open();
    titled("alpha");
    const auto id = titled("beta");
    ASSERT_TRUE(store().rename(id, "gamma").get().ok());
    FinishedReply end;
    end.parts = {{PartKind::Reasoning, "secret", {}, {}},
                 {PartKind::Text, "\xE4\xB8\xAD\xE6\x96\x87 word", {}, {}}};
    ASSERT_TRUE(store().finish(send(id, "delta").reply, end).get().ok());
    send(titled("epsilon"), "open");
    ASSERT_TRUE(store().check().get().ok());
    m_store.reset();
    const auto hits = [&](const std::string& table, const std::string& word) {
        return sql(m_paths.database(),
                   "SELECT count(*) FROM " + table + " WHERE " + table + " MATCH '" + word + "'");
    };
    for (const char* word : {"alpha", "delta", "epsilon", "word"}) {
        EXPECT_NE(hits("search_word", word), "0") << word;
    }
    EXPECT_EQ(hits("search_word", "secret"), "0");
    EXPECT_EQ(hits("search_tri", "\"\xE4\xB8\xAD\xE6\x96\x87 w\""), "1");
    EXPECT_EQ(hits("search_tri", "alpha"), "0");
    EXPECT_EQ(hits("search_title", "gamma"), "1");
    EXPECT_EQ(hits("search_title", "beta"), "0");
    // What is indexed, by its own mark, is what ought to be.
    EXPECT_EQ(sql(m_paths.database(),
                  "SELECT count(*) FROM part p JOIN message m ON m.id=p.message_id WHERE"
                  " (p.indexed & 1) IS NOT (p.kind IN('text','file'))"),
              "0");
    EXPECT_EQ(sql(m_paths.database(), "SELECT count(*) FROM part WHERE indexed & 2"), "1");
    EXPECT_EQ(sql(m_paths.database(), "SELECT count(*) FROM search_word_docsize"),
              sql(m_paths.database(), "SELECT count(*) FROM part WHERE indexed & 1"));
}

TEST_F(StoreList, TheReserveIsMadeWhenThereIsRoom) {
    m_files.room = mebibytes(255);
    open();
    EXPECT_EQ(store().condition(), StoreCondition::ReserveInUse);
    EXPECT_EQ(m_files.allocations, 0);
    m_files.room = mebibytes(256);
    newConversation();
    EXPECT_EQ(m_files.allocations, 0);  // looked at every ten seconds only
    m_clock.monotonic += std::chrono::seconds(10);
    newConversation();
    EXPECT_EQ(m_files.allocations, 1);
    EXPECT_EQ(store().condition(), StoreCondition::Normal);
}

}  // namespace
}  // namespace agens::chat::test
