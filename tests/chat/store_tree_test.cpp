// SPDX-License-Identifier: Apache-2.0
// Random lives of conversations against a plain model of the tree: send, edit, regenerate, switch,
// finish, close and open again. After every step the shown branch is the model's, with its sibling
// marks; after a reopen too. The seed is printed with every failure.
#include <algorithm>
#include <map>
#include <random>

#include "tests/chat/store_fixture.h"

namespace agens::chat::test {
namespace {

struct Node {
    std::optional<MessageId> parent;
    Role role = Role::User;
    std::string text;
    MessageState state = MessageState::Complete;
    std::vector<MessageId> children;
    std::optional<MessageId> activeChild;
};

// One conversation, as simple as it can be said.
class TreeModel {
 public:
    std::optional<MessageId> leaf;
    std::map<MessageId, Node> nodes;
    std::vector<MessageId> roots;

    std::vector<MessageId>& siblings(std::optional<MessageId> parent) {
        return parent ? nodes[*parent].children : roots;
    }
    void add(MessageId id, Node node) {
        siblings(node.parent).push_back(id);
        nodes[id] = std::move(node);
        show(id);
    }
    void show(MessageId id) {
        leaf = id;
        for (MessageId child = id; nodes[child].parent; child = *nodes[child].parent) {
            nodes[*nodes[child].parent].activeChild = child;
        }
    }
    void activate(MessageId id) {
        while (!nodes[id].children.empty()) {
            id = nodes[id].activeChild.value_or(nodes[id].children.back());
        }
        show(id);
    }
    std::string shown() {
        std::string text;
        std::vector<MessageId> path;
        for (auto at = leaf; at; at = nodes[*at].parent)
            path.insert(path.begin(), *at);
        for (const MessageId id : path) {
            const Node& node = nodes[id];
            const auto& among = siblings(node.parent);
            const auto place = std::find(among.begin(), among.end(), id) - among.begin();
            const auto idAt = [&](std::ptrdiff_t at) {
                const bool isThere = at >= 0 && at < std::ssize(among);
                return isThere ? among[static_cast<std::size_t>(at)].value : 0;
            };
            text += line(id.value, node.role, node.state, node.text, place, std::ssize(among),
                         idAt(place - 1), idAt(place + 1));
        }
        return text;
    }
    static std::string line(std::int64_t id, Role role, MessageState state, const std::string& text,
                            std::ptrdiff_t place, std::ptrdiff_t count, std::int64_t before,
                            std::int64_t after) {
        return std::to_string(id) + " " + toString(role) + " " + toString(state) + " '" + text +
               "' " + std::to_string(place) + "/" + std::to_string(count) + " <" +
               std::to_string(before) + " >" + std::to_string(after) + "\n";
    }
};

std::string shownBy(Store& store, ConversationId id) {
    std::string text;
    const Page page = *store.branch(id, PageAnchor::whole()).get();
    for (const Message& message : page.messages) {
        text += TreeModel::line(message.id.value, message.role, message.state, message.text(),
                                message.siblingIndex, message.siblingCount,
                                message.previousSibling.value_or(MessageId()).value,
                                message.nextSibling.value_or(MessageId()).value);
    }
    return text;
}

class StoreTree : public StoreTest {
 protected:
    void openMemory() {
        auto memory = Store::open(m_paths, OpenMode::Memory, "test", seams());
        ASSERT_TRUE(memory.ok()) << memory.error().text();
        m_store = std::move(*memory);
    }

    MessageId anyOf(std::mt19937& random, TreeModel& tree) {
        auto node = tree.nodes.begin();
        std::advance(node, random() % tree.nodes.size());
        return node->first;
    }
    void endOpenReplies(TreeModel& tree) {
        for (auto& [id, node] : tree.nodes) {
            if (!isOpen(node.state)) continue;
            node.text = "reply " + std::to_string(id.value);
            node.state = MessageState::Complete;
            finish(id, node.text);
        }
    }
    void sendNew(ConversationId id, TreeModel& tree, const std::string& text,
                 std::optional<MessageId> editOf) {
        const auto parent = editOf ? tree.nodes[*editOf].parent : tree.leaf;
        const Sent sent = send(id, text, editOf);
        tree.add(sent.user, {parent, Role::User, text, MessageState::Complete, {}, {}});
        tree.add(sent.reply, {sent.user, Role::Assistant, "", MessageState::Generating, {}, {}});
    }
    // One random action, in store and model alike.
    void step(std::mt19937& random, ConversationId id, TreeModel& tree) {
        const std::string text = "text " + std::to_string(random() % 1000);
        if (tree.nodes.empty() || random() % 10 < 3) {
            endOpenReplies(tree);
            sendNew(id, tree, text, std::nullopt);
            return;
        }
        const MessageId chosen = anyOf(random, tree);
        const Node& node = tree.nodes[chosen];
        switch (random() % 4) {
            case 0:
                if (node.role == Role::User) sendNew(id, tree, text, chosen);
                break;
            case 1:
                if (node.role == Role::Assistant) {
                    const auto parent = node.parent;
                    const MessageId again = *store().addSibling(chosen).get();
                    tree.add(again,
                             {parent, Role::Assistant, "", MessageState::Generating, {}, {}});
                }
                break;
            case 2:
                tree.activate(chosen);
                EXPECT_EQ(*store().activate(id, chosen).get(), *tree.leaf);
                break;
            default:
                endOpenReplies(tree);
        }
    }
};

TEST_F(StoreTree, ThousandRandomLivesEqualTheModel) {
    openMemory();
    for (unsigned seed = 1; seed <= 1000; ++seed) {
        std::mt19937 random(seed);
        const ConversationId id = newConversation();
        TreeModel tree;
        for (int i = 0; i < 6; ++i) {
            step(random, id, tree);
            ASSERT_EQ(shownBy(store(), id), tree.shown()) << "seed " << seed << " step " << i;
        }
    }
    EXPECT_TRUE(store().check().get().ok());
}

TEST_F(StoreTree, ReopeningChangesOnlyRepliesThatWereRunning) {
    open();
    std::mt19937 random(7);
    std::map<ConversationId, TreeModel> trees;
    for (int i = 0; i < 3; ++i)
        trees.emplace(newConversation(), TreeModel());
    for (int round = 0; round < 6; ++round) {
        for (auto& [id, tree] : trees) {
            for (int i = 0; i < 4; ++i)
                step(random, id, tree);
        }
        reopen();
        for (auto& [id, tree] : trees) {
            for (auto& [message, node] : tree.nodes) {
                if (isOpen(node.state)) node.state = MessageState::Interrupted;
            }
            ASSERT_EQ(shownBy(store(), id), tree.shown()) << "round " << round;
        }
    }
    EXPECT_TRUE(store().check().get().ok());
}

TEST_F(StoreTree, SwitchingBackFindsTheBranchThatWasLeft) {
    openMemory();
    const auto id = newConversation();
    const Sent first = send(id, "one");
    finish(first.reply, "r1");
    finish(send(id, "two").reply, "r2");
    const std::string before = branchText(id);
    finish(send(id, "one edited", first.user).reply, "r1e");
    EXPECT_EQ(branchText(id), "user: one edited | assistant(complete): r1e");
    ASSERT_TRUE(store().activate(id, first.user).get().ok());
    EXPECT_EQ(branchText(id), before);
}

// All pages of a long branch, forwards and backwards, give the branch once.
TEST_F(StoreTree, PagesCoverTheBranchWithoutGapsOrRepeats) {
    openMemory();
    const auto id = newConversation();
    for (int i = 0; i < 100; ++i)
        finish(send(id, std::to_string(i)).reply, "r");
    const std::vector<Message> all = branch(id);
    ASSERT_EQ(all.size(), 200u);

    std::vector<std::int64_t> seen;
    Page page = *store().branch(id).get();
    EXPECT_EQ(page.messages.size(), 60u);
    EXPECT_FALSE(page.moreAfter);
    for (;;) {
        std::vector<std::int64_t> ids;
        for (const Message& message : page.messages)
            ids.push_back(message.id.value);
        seen.insert(seen.begin(), ids.begin(), ids.end());
        if (!page.moreBefore) break;
        page = *store().branch(id, PageAnchor::before(page.messages.front().id)).get();
    }
    std::vector<std::int64_t> expected;
    for (const Message& message : all)
        expected.push_back(message.id.value);
    EXPECT_EQ(seen, expected);

    seen.clear();
    page = *store().branch(id, PageAnchor::around(all[10].id)).get();
    EXPECT_FALSE(page.moreBefore);
    EXPECT_TRUE(page.moreAfter);
    for (;;) {
        for (const Message& message : page.messages)
            seen.push_back(message.id.value);
        if (!page.moreAfter) break;
        page = *store().branch(id, PageAnchor::after(page.messages.back().id)).get();
        EXPECT_TRUE(page.moreBefore);
    }
    EXPECT_EQ(seen, expected);
}

TEST_F(StoreTree, MessagesOfOtherConversationsAreNotThere) {
    openMemory();
    const auto mine = newConversation();
    const auto other = newConversation();
    const Sent sent = send(mine, "hello");
    EXPECT_EQ(store().activate(other, sent.user).get().error().id, "store.missing");
    EXPECT_EQ(store().branch(other, PageAnchor::around(sent.user)).get().error().id,
              "store.missing");
    EXPECT_EQ(store().send(other, {.text = "x", .editOf = sent.user}).get().error().id,
              "store.missing");
    EXPECT_EQ(store().branch(ConversationId(99)).get().error().what,
              "The chat is not there any more.");
}

}  // namespace
}  // namespace agens::chat::test
