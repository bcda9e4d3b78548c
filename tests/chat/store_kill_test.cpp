// SPDX-License-Identifier: Apache-2.0
// kill -9 at random moments: nothing that was acknowledged is lost, the text of a cut-off reply is
// at least that of its last acknowledged checkpoint, the file is sound, the next start works.
//
// SIGKILL leaves the page cache to the kernel, so this shows the order "commit, then acknowledge"
// and the recovery, not fsync: with synchronous=OFF it would pass as well. The control here is a
// victim's line that was never committed; losing writes at a power cut is another test.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <map>
#include <random>
#include <sstream>

#include "tests/chat/kill_texts.h"
#include "tests/chat/store_fixture.h"

namespace agens::chat::test {
namespace {

constexpr int kKills = 20;
constexpr unsigned kSeed = 20'261;

// What one victim said before it died, or all of them together.
struct Claims {
    std::map<std::int64_t, int> users;                    // id -> n
    std::map<std::int64_t, std::pair<int, int>> running;  // id -> n, last piece
    std::map<std::int64_t, int> finished;                 // id -> n
    int next = 0;

    void add(const std::string& line) {
        std::istringstream words(line);
        char kind = 0;
        std::int64_t id = 0;
        int n = 0;
        int piece = 0;
        words >> kind;
        if (kind == 'D') return;
        words >> id >> n;
        next = n + 1;
        if (kind == 'U') users[id] = n;
        if (kind == 'C' && words >> piece) running[id] = {n, piece};
        if (kind == 'F') {
            running.erase(id);
            finished[id] = n;
        }
    }
};

// Reads until `lines` lines are there (or the end).
void readLines(int from, std::string& said, int lines) {
    char buffer[4096];
    while (std::count(said.begin(), said.end(), '\n') < lines) {
        const ssize_t got = ::read(from, buffer, sizeof buffer);
        if (got <= 0) return;
        said.append(buffer, static_cast<std::size_t>(got));
    }
}

// Starts the victim, kills it `microseconds` after its `lines`-th word; all it said.
std::string runAndKill(const std::filesystem::path& folder, ConversationId id, int first, int lines,
                       unsigned microseconds) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::execl(AGENS_KILL_TARGET, "kill_target", folder.c_str(), std::to_string(id.value).c_str(),
                std::to_string(first).c_str(), nullptr);
        ::_exit(127);
    }
    ::close(ends[1]);
    std::string said;
    readLines(ends[0], said, lines);
    ::usleep(microseconds);
    ::kill(child, SIGKILL);
    readLines(ends[0], said, INT_MAX);
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the victim ended by itself";
    return said;
}

class StoreKill : public StoreTest {
 protected:
    // The first thing that is not as claimed; empty = all is there.
    std::string contradiction(ConversationId id, const Claims& claims) {
        std::map<std::int64_t, Message> messages;
        for (Message& message : branch(id))
            messages.emplace(message.id.value, std::move(message));
        for (const auto& [user, n] : claims.users) {
            if (messages[user].text() != userText(n))
                return "lost user message " + std::to_string(n);
        }
        for (const auto& [reply, n] : claims.finished) {
            const std::string last = pieceText(n, 3);
            if (messages[reply].state != MessageState::Complete ||
                !messages[reply].text().ends_with(last)) {
                return "lost reply " + std::to_string(n);
            }
        }
        for (const auto& [reply, place] : claims.running) {
            std::string text;
            for (int k = 0; k <= place.second; ++k)
                text += pieceText(place.first, k);
            if (!messages[reply].text().starts_with(text)) {
                return "lost checkpoint of reply " + std::to_string(place.first);
            }
        }
        return {};
    }
};

TEST_F(StoreKill, NothingAcknowledgedIsLost) {
    std::mt19937 random(kSeed);
    open();
    const ConversationId id = newConversation();
    ASSERT_TRUE(store().saveDraft(id, {.text = "begin"}).get().ok());
    m_store.reset();

    Claims claims;
    for (int kill = 0; kill < kKills; ++kill) {
        // A moment after a random word: within the next commit or two, wherever that is.
        const int words = 1 + static_cast<int>(random() % 24);
        const auto microseconds = static_cast<unsigned>(random() % 6000);
        std::istringstream lines(runAndKill(m_folder, id, claims.next, words, microseconds));
        for (std::string line; std::getline(lines, line);)
            claims.add(line);

        open();
        const std::string when = "kill " + std::to_string(kill) + " seed " + std::to_string(kSeed);
        ASSERT_EQ(contradiction(id, claims), "") << when;
        const Result<void> sound = store().check().get();
        ASSERT_TRUE(sound.ok()) << when << ": " << sound.error().text();
        EXPECT_LE(store().interruptedReplies(), 1) << when;
        EXPECT_FALSE(store().conversation(id).get()->head.running) << when;
        m_store.reset();
    }
    std::printf("%d kills, seed %u: %zu user messages, %zu whole replies, %zu cut off\n", kKills,
                kSeed, claims.users.size(), claims.finished.size(), claims.running.size());
    EXPECT_GE(claims.users.size(), 20u);
}

// Ten programs start on one folder at the same time: one of them owns it, the others end with 2.
TEST_F(StoreKill, OneOfTenSimultaneousStartsOwnsTheStore) {
    std::vector<pid_t> starts;
    for (int i = 0; i < 10; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            const int nowhere = ::open("/dev/null", O_WRONLY);
            ::dup2(nowhere, STDOUT_FILENO);
            ::dup2(nowhere, STDERR_FILENO);
            ::execl(AGENS_KILL_TARGET, "kill_target", m_folder.c_str(), "1", "0", nullptr);
            ::_exit(127);
        }
        starts.push_back(child);
    }
    int refused = 0;
    for (int status = 0; refused < 9 && ::wait(&status) > 0;) {
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << status;
        ++refused;
    }
    EXPECT_EQ(tryOpen().error().id, "store.locked");
    for (const pid_t start : starts)
        ::kill(start, SIGKILL);
    EXPECT_GT(::wait(nullptr), 0);
    open();
    EXPECT_TRUE(store().check().get().ok());
}

// The judge is not blind: a claim that was never committed is found.
TEST_F(StoreKill, AClaimWithoutACommitIsFound) {
    open();
    const ConversationId id = newConversation();
    const Sent sent = send(id, userText(0));
    Claims claims;
    claims.add("U " + std::to_string(sent.user.value) + " 0");
    EXPECT_EQ(contradiction(id, claims), "");
    claims.add("C " + std::to_string(sent.reply.value) + " 0 1");
    EXPECT_EQ(contradiction(id, claims), "lost checkpoint of reply 0");
    claims.add("F " + std::to_string(sent.reply.value) + " 0");
    EXPECT_EQ(contradiction(id, claims), "lost reply 0");
    claims.add("U 999 1");
    EXPECT_EQ(contradiction(id, claims), "lost user message 1");
}

}  // namespace
}  // namespace agens::chat::test
