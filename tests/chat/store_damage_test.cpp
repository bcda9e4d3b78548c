// SPDX-License-Identifier: Apache-2.0
// Damaged copies: flipped bytes, zeroed pages, cut ends. Whatever the store still shows as good is
// what was written; it never crashes, hangs or shows changed text. Seeds are printed.
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "tests/chat/store_fixture.h"

namespace agens::chat::test {
namespace {

namespace fs = std::filesystem;

constexpr int kCopies = 150;

class StoreDamage : public StoreTest {
 protected:
    // A store of two conversations, closed; its texts and bytes.
    void write() {
        open();
        for (int c = 0; c < 2; ++c) {
            const auto id = newConversation();
            m_ids.push_back(id);
            for (int i = 0; i < 30; ++i) {
                const std::string text = "text " + std::to_string(c * 100 + i) +
                                         std::string(static_cast<std::size_t>(i) * 40, 'x');
                finish(send(id, text).reply, "reply to " + text);
                m_texts.insert(text);
                m_texts.insert("reply to " + text);
            }
        }
        m_store.reset();
        m_bytes = agens::test::readText(m_paths.database());
    }

    std::string damaged(std::mt19937& random) const {
        std::string bytes = m_bytes;
        const auto place = [&] { return random() % bytes.size(); };
        switch (random() % 4) {
            case 0:
                bytes.resize(place());
                break;
            case 1:
                bytes.replace(place() / 4096 * 4096, 4096, 4096, '\0');
                break;
            default:
                for (auto flips = 1 + random() % 64; flips > 0; --flips) {
                    bytes[place()] = static_cast<char>(random());
                }
        }
        return bytes;
    }

    // Everything shown as good has to be a text that was written.
    void expectOnlyTruth(const std::string& when) {
        for (const ConversationId id : m_ids) {
            const Result<Page> page = store().branch(id, PageAnchor::end(200)).get();
            if (!page.ok()) continue;
            for (const Message& message : page->messages) {
                for (const Part& part : message.parts) {
                    if (part.damaged) {
                        ++m_marked;
                        EXPECT_EQ(part.text, "") << when;
                    } else {
                        ++m_shown;
                        EXPECT_TRUE(m_texts.contains(part.text)) << when;
                    }
                }
            }
        }
    }

    std::vector<ConversationId> m_ids;
    std::set<std::string> m_texts;
    std::string m_bytes;
    int m_shown = 0;
    int m_marked = 0;
};

TEST_F(StoreDamage, NothingChangedIsShownAsGood) {
    write();
    int refused = 0;
    for (unsigned seed = 1; seed <= kCopies; ++seed) {
        std::mt19937 random(seed);
        m_store.reset();
        fs::remove(m_paths.wal());
        std::ofstream(m_paths.database(), std::ios::binary) << damaged(random);
        auto opened = tryOpen();
        if (!opened.ok()) {
            ++refused;
            continue;
        }
        m_store = std::move(*opened);
        expectOnlyTruth("seed " + std::to_string(seed));
    }
    std::printf("%d damaged copies: %d refused, %d parts shown, %d marked\n", kCopies, refused,
                m_shown, m_marked);
    EXPECT_GT(m_shown, 1000);
    EXPECT_GT(m_marked, 0);
}

}  // namespace
}  // namespace agens::chat::test
