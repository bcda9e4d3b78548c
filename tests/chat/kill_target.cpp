// SPDX-License-Identifier: Apache-2.0
// The victim of the kill test: opens the store of a folder and chats without end. After each
// acknowledged action it writes one line to stdout, unbuffered: "U id n" user message, "C id n k"
// checkpoint with pieces 0..k, "F id n" finished reply, "D n" draft. It is killed; it never ends.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "app/chat/file_system.h"
#include "app/chat/random_source.h"
#include "app/chat/store.h"
#include "tests/chat/kill_texts.h"

namespace {

using namespace agens;
using namespace agens::chat;

void say(const std::string& line) {
    const std::string whole = line + "\n";
    if (::write(STDOUT_FILENO, whole.data(), whole.size()) < 0) std::_Exit(3);
}

template <class T>
T must(Result<T> result) {
    if (!result.ok()) {
        std::fprintf(stderr, "%s\n", result.error().text().c_str());
        std::_Exit(2);
    }
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}

void chatForEver(Store& store, ConversationId id, int first) {
    for (int n = first;; ++n) {
        must(store.saveDraft(id, {.text = test::userText(n)}).get());
        say("D " + std::to_string(n));
        const Sent sent = must(store.send(id, {.text = test::userText(n)}).get());
        say("U " + std::to_string(sent.user.value) + " " + std::to_string(n));
        FinishedReply end;
        end.parts.push_back({PartKind::Text, {}, {}, {}});
        for (int k = 0; k < 4; ++k) {
            end.parts[0].text += test::pieceText(n, k);
            must(store.checkpoint(sent.reply, {{PartKind::Text, test::pieceText(n, k)}}).get());
            say("C " + std::to_string(sent.reply.value) + " " + std::to_string(n) + " " +
                std::to_string(k));
        }
        must(store.finish(sent.reply, end).get());
        say("F " + std::to_string(sent.reply.value) + " " + std::to_string(n));
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 4) return 2;
    const SystemClock clock;
    SystemFiles files;
    SystemRandom random;
    const StorePaths paths = must(storePaths({.dataDir = arguments[1]}));
    const auto store =
        must(Store::open(paths, OpenMode::Live, "kill target", {clock, files, random, {}}));
    ConversationId id(std::atoll(arguments[2]));
    if (!store->conversation(id).get()) id = must(store->create().get());
    chatForEver(*store, id, std::atoi(arguments[3]));
}
