// SPDX-License-Identifier: Apache-2.0
// The command line of the window.
#include "app/ui/launch_options.h"

#include <gtest/gtest.h>

namespace agens::ui {
namespace {

Result<LaunchOptions> parse(const QStringList& words) {
    return parseLaunchOptions(QStringList{"agens-desktop"} + words);
}
std::string problem(const QStringList& words) {
    const auto options = parse(words);
    return options ? "" : options.error().what;
}

TEST(LaunchOptions, TakesAModelAsAFileOrAnOption) {
    EXPECT_EQ(parse({"a.gguf"})->model, "a.gguf");
    EXPECT_EQ(parse({"--model", "b.gguf"})->model, "b.gguf");
    EXPECT_EQ(problem({"a.gguf", "--model", "b.gguf"}), "One model file can be opened at a time.");
}

TEST(LaunchOptions, TakesAScriptForAnEngine) {
    EXPECT_EQ(parse({"--engine", "scripted:hello"})->script, "hello");
    EXPECT_NE(problem({"--engine", "cuda"}), "");
}

TEST(LaunchOptions, TakesASceneWithSizeThemeAndScale) {
    const auto options = parse({"--screenshot", "o.png", "--scene", "chat", "--size", "390x844",
                                "--theme", "dark", "--scale", "150"});
    ASSERT_TRUE(options.ok());
    EXPECT_EQ(options->size, QSize(390, 844));
    EXPECT_EQ(options->theme, "dark");
    EXPECT_EQ(options->scalePercent, 150);
}

TEST(LaunchOptions, RefusesWhatMakesNoSense) {
    for (const QStringList& words :
         {QStringList{"--scene", "chat"}, QStringList{"--screenshot", "o.png"},
          QStringList{"--size", "big"}, QStringList{"--size", "1x1"},
          QStringList{"--theme", "blue"}, QStringList{"--scale", "300"},
          QStringList{"--unknown"}}) {
        EXPECT_NE(problem(words), "") << words.join(' ').toStdString();
        EXPECT_EQ(parse(words).error().id, "arguments");
    }
}

TEST(LaunchOptions, HelpNamesTheProgramAndEveryOption) {
    for (const char* word : {"agens-desktop", "--data-dir", "--engine", "--screenshot", "--send"})
        EXPECT_TRUE(launchHelp().contains(word)) << word;
}

}  // namespace
}  // namespace agens::ui
