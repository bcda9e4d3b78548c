// SPDX-License-Identifier: Apache-2.0
// The pure pieces of the command line: foreign text, base64, ids, command lines as values.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/arguments.h"
#include "app/cli/input.h"
#include "app/cli/interrupt.h"
#include "app/cli/json_output.h"
#include "app/cli/terminal.h"

namespace agens::cli {
namespace {

template <class... Words>
std::variant<Invocation, int> parsed(Words... words) {
    const char* line[] = {"agens", words...};
    return parseArguments(static_cast<int>(std::size(line)), line);
}

template <class Command>
Command commandOf(const std::variant<Invocation, int>& outcome) {
    return std::get<Command>(std::get<Invocation>(outcome).command);
}

TEST(ForeignText, LosesControlCharactersOnly) {
    EXPECT_EQ(withoutControls("a\x1b[31mb\x07\r\x7f\tc\n"), "a[31mb\tc\n");
    EXPECT_EQ(withoutControls("\xc2\x9b"
                              "31m"),
              "31m");  // C1: CSI
    EXPECT_EQ(withoutControls("äöü 你好 \xc2\xa0"), "äöü 你好 \xc2\xa0");
    EXPECT_EQ(withoutControls("\xc2"), "\xc2");
}

TEST(Base64, IsItsOwnInverseForEveryLength) {
    std::string bytes;
    for (int i = 0; i < 70; ++i) {
        EXPECT_EQ(decodeBase64(encodeBase64(bytes)), bytes);
        bytes.push_back(static_cast<char>(i * 37));
    }
    EXPECT_EQ(encodeBase64("light w"), "bGlnaHQgdw==");
    EXPECT_EQ(encodeBase64("light wo"), "bGlnaHQgd28=");
}

TEST(Base64, RefusesWhatIsNone) {
    for (const char* bad : {"a", "ab", "abc", "ab*=", "a=bc", "====="})
        EXPECT_FALSE(decodeBase64(bad)) << bad;
}

TEST(Ids, AreNonNegativeThirtyTwoBitNumbers) {
    EXPECT_EQ((*idsFrom(Json::parse("[0, 5]"))), (std::vector<TokenId>{TokenId(0), TokenId(5)}));
    for (const char* bad : {"{}", "[-1]", "[1.0]", "[\"1\"]", "[2147483648]", "null"}) {
        EXPECT_FALSE(idsFrom(Json::parse(bad)).ok()) << bad;
    }
}

TEST(JsonOutput, InvalidUtf8BecomesAReplacement) {
    EXPECT_EQ(toLine({{"name", "a\xff"}}), "{\"name\":\"a\xEF\xBF\xBD\"}\n");
}

TEST(CommandLine, FillsPlainValues) {
    const auto generate = commandOf<GenerateArguments>(
        parsed("generate", "--model", "m.gguf", "--prompt", "hi", "--temperature", "0", "--top-p",
               "0.5", "--seed", "18446744073709551615", "--stop", "a", "--stop", "b", "--isa",
               "AVX2", "--kv", "f32"));
    EXPECT_EQ(generate.engine.model, "m.gguf");
    EXPECT_EQ(generate.prompt, "hi");
    EXPECT_EQ(generate.reply.sampling.temperature, 0.0);
    EXPECT_EQ(generate.reply.sampling.topP, 0.5);
    EXPECT_FALSE(generate.reply.sampling.topK.has_value());
    EXPECT_EQ(generate.reply.seed, UINT64_MAX);
    EXPECT_EQ(generate.reply.stop, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(generate.engine.open.isa, engine::IsaChoice::Avx2);
    EXPECT_EQ(generate.engine.open.kv, engine::KvFormat::F32);
}

TEST(CommandLine, AScriptStandsInForAModel) {
    EXPECT_EQ(commandOf<ChatArguments>(parsed("chat", "--engine", "scripted:a.txt")).engine.script,
              "a.txt");
    EXPECT_EQ(std::get<int>(parsed("chat", "--engine", "scripted:")), 2);
}

TEST(CommandLine, ThinkingIsAskedForRefusedOrLeftToTheTemplate) {
    EXPECT_EQ(commandOf<ChatArguments>(parsed("chat")).reply.thinking, std::nullopt);
    EXPECT_EQ(commandOf<ChatArguments>(parsed("chat", "--thinking")).reply.thinking, true);
    EXPECT_EQ(commandOf<ChatArguments>(parsed("chat", "--no-thinking")).reply.thinking, false);
}

TEST(CommandLine, RangesAreChecked) {
    EXPECT_EQ(std::get<int>(parsed("generate", "--temperature", "101")), 2);
    EXPECT_EQ(std::get<int>(parsed("generate", "--top-p", "1.5")), 2);
    EXPECT_EQ(std::get<int>(parsed("generate", "--threads", "0")), 2);
    EXPECT_EQ(std::get<int>(parsed("generate", "--prompt", "a", "--prompt-file", "b")), 2);
}

TEST(Interrupts, AreCountedTakenAndStopTheRunningWork) {
    Interrupts interrupts;
    const std::stop_token first = interrupts.token();
    ::kill(::getpid(), SIGINT);
    while (!first.stop_requested())
        std::this_thread::yield();
    EXPECT_TRUE(interrupts.any());
    EXPECT_EQ(interrupts.take(), 1);
    EXPECT_FALSE(interrupts.any());
    EXPECT_FALSE(interrupts.token().stop_requested());
}

}  // namespace
}  // namespace agens::cli
