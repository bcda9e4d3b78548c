// SPDX-License-Identifier: Apache-2.0
// A reply of 20 000 tokens through everything that is real: script, engine loop, service, store,
// Markdown, the window's own QML, drawn by the software renderer. What an update changes and parses
// must be the same at the end as at the beginning; its time and the memory are printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "app/chat/file_system.h"
#include "app/chat/random_source.h"
#include "app/ui/window.h"
#include "tests/service/service_fixture.h"

namespace agens::ui {
namespace {

using agens::test::waitFor;

constexpr std::size_t kTokens = 20'000;  // the script's vocabulary has a token for each byte

std::string longText() {
    std::string text;
    for (int section = 1; text.size() < kTokens; ++section) {
        text += "## Section " + std::to_string(section) +
                "\n\nA paragraph with *some* words and `code`, long enough to be wrapped once.\n\n"
                "- one item\n- another item\n\n```cpp\nint value = 1;\n```\n\n";
    }
    text.resize(kTokens - 1);
    return text + ".";
}

std::filesystem::path writeScript(const std::string& text) {
    const std::filesystem::path path = agens::test::scratchFolder() / "long.script";
    std::ofstream(path)
        << "model \"Scripted long\" context=32768\nreply\n  pace 4000 tok/s step=4\n"
           "  text <<THE_END\n"
        << text << "\nTHE_END\nend\n";
    return path;
}

template <class Value>
Value highest(const std::vector<UpdateSample>& samples, std::size_t begin, std::size_t end,
              Value (*of)(const UpdateSample&)) {
    Value most = 0;
    for (std::size_t i = begin; i < end; ++i)
        most = std::max(most, of(samples[i]));
    return most;
}

TEST(WindowStream, UpdatesOfALongReplyStayFlat) {
    const std::string text = longText();
    SystemClock clock;
    chat::SystemFiles files;
    chat::SystemRandom random;
    const auto paths = *chat::storePaths({.dataDir = agens::test::scratchFolder() / "store"});
    auto store = chat::Store::open(paths, chat::OpenMode::Live, "test", {clock, files, random});
    ASSERT_TRUE(store.ok()) << store.error().text();
    setUpAppearance();
    Window window(**store, clock,
                  {.factory =
                       [](const std::filesystem::path& path, const engine::LoadSink& progress,
                          std::stop_token stop) {
                           return engine::openScriptedEngine(path, progress, std::move(stop));
                       },
                   .models = {.isRemembered = false},
                   .keepsSamples = true});
    ASSERT_TRUE(window.show().ok());
    window.models().load(writeScript(text));
    ASSERT_TRUE(waitFor([&] { return window.models().isLoaded(); }));
    bool hasEnded = false;
    QObject::connect(&window.chat(), &ChatController::ended, [&] { hasEnded = true; });
    window.chat().send("Tell me everything.");
    // Longer than the bound of waitFor(): the reply takes its time by the script's pace.
    for (int i = 0; i < 10 && !hasEnded; ++i)
        waitFor([&] { return hasEnded; });
    ASSERT_TRUE(hasEnded);
    EXPECT_EQ(window.chat().transcript()->messages().back().text, text);

    const auto& samples = window.meter().samples();
    std::cout << window.meter().report();
    ASSERT_GE(samples.size(), 20U);
    const std::size_t tenth = samples.size() / 10;
    const auto rows = +[](const UpdateSample& sample) { return sample.rowsChanged; };
    // Batches differ in size with the machine's load, so what counts is what is parsed again.
    const auto again = +[](const UpdateSample& sample) {
        return sample.bytesParsed - std::min(sample.bytesParsed, sample.newBytes);
    };
    const auto sectionBytes = std::size_t{256};
    EXPECT_LE(highest(samples, samples.size() - tenth, samples.size(), again),
              highest(samples, 0, tenth, again) + sectionBytes);
    // A row needs at least ten bytes of text here.
    for (const UpdateSample& sample : samples)
        EXPECT_LE(sample.rowsChanged, sample.newBytes / 10 + 16);
    EXPECT_LE(highest(samples, samples.size() - tenth, samples.size(), rows),
              2 * highest(samples, 0, tenth, rows) + 16);
    window.shutDown();
}

}  // namespace
}  // namespace agens::ui
