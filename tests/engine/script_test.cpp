// SPDX-License-Identifier: Apache-2.0
// The script format: what every word means, and the line of every mistake.
#include <gtest/gtest.h>

#include "engine/script.h"
#include "tests/support/test_paths.h"

namespace agens::engine {
namespace {

using namespace std::chrono_literals;

constexpr const char* kWhole = R"(# everything
model "Test \ model" context=8192 images=off mtp=on dflash2=off thinking=on   # comment
plan 16gb cap=23.00GiB weights=1.50GiB kv=512MiB other:"firefox"=0.19GiB served=4096 missing=1GiB
load 4 steps 1200ms fail G24 "Too big."
reply match="a b"
  prefill 100 1.5s cached=20
  pace 40 tok/s step=2 sources=copy:0.1,mtp:0.6 gain=2.1
  reasoning <<X
hm
X
  text <<END
 # not a comment
<|im_end|> <b>

END
  stall 2s
  fail device.lost "Gone."
end
reply
  finish length
end
)";

TEST(Script, EveryWordIsRead) {
    const auto script = parseScript(kWhole, "test");
    ASSERT_TRUE(script) << script.error().what;
    EXPECT_EQ(script->modelName, "Test \\ model");
    EXPECT_EQ(script->context, 8192u);
    EXPECT_TRUE(script->thinking);
    ASSERT_EQ(script->plans.size(), 1u);
    EXPECT_EQ(script->plans[0].first, "16gb");
    EXPECT_EQ(script->plans[0].second.servedContext, 4096u);
    EXPECT_EQ(script->plans[0].second.total(), mebibytes(2048));
    EXPECT_EQ(script->load.steps, 4u);
    EXPECT_EQ(script->load.duration, 1200ms);
    EXPECT_EQ(script->load.fail->text, "Too big.");
    ASSERT_EQ(script->replies.size(), 2u);
    const ScriptReply& reply = script->replies[0];
    EXPECT_EQ(reply.match, "a b");
    EXPECT_EQ(reply.prefill, 1500ms);
    ASSERT_EQ(reply.actions.size(), 5u);
    EXPECT_EQ(std::get<ScriptPace>(reply.actions[0]).step, 2u);
    EXPECT_EQ(std::get<ScriptSay>(reply.actions[1]).channel, Channel::Reasoning);
    EXPECT_EQ(std::get<ScriptSay>(reply.actions[2]).text, " # not a comment\n<|im_end|> <b>\n");
    EXPECT_EQ(std::get<ScriptStall>(reply.actions[3]).duration, 2s);
    EXPECT_EQ(std::get<ScriptFail>(reply.actions[4]).id, "device.lost");
    EXPECT_EQ(std::get<ScriptFinish>(script->replies[1].actions[0]).reason, FinishReason::Length);
}

TEST(Script, MistakesNameTheirLine) {
    const auto errorOf = [](const std::string& text) {
        const auto script = parseScript(text, "s");
        return script ? std::string("read") : script.error().where + " " + script.error().what;
    };
    const std::string reply = "reply\nend\n";
    EXPECT_EQ(errorOf(reply), "read");
    EXPECT_EQ(errorOf(reply + "modle\n"), "s:3 Line 3 of the script: unknown word \"modle\".");
    EXPECT_EQ(errorOf("# x\nmodel speed=3\n"), "s:2 Line 2 of the script: unknown word \"speed\".");
    EXPECT_EQ(errorOf("reply\n  sing\nend"), "s:2 Line 2 of the script: unknown word \"sing\".");
    EXPECT_EQ(errorOf("reply\n  pace 3\n"), "s:2 Line 2 of the script: pace is: pace 40 tok/s.");
    EXPECT_EQ(errorOf("reply\n  stall 3x\nend"),
              "s:2 Line 2 of the script: \"3x\" is not a duration like 250ms or 3s.");
    EXPECT_EQ(errorOf("model \"x\nreply\nend"), "s:1 Line 1 of the script: a quote is not closed.");
    EXPECT_EQ(errorOf("reply\n  text <<E\nabc\n"),
              "s:3 Line 3 of the script: the text of line 2 has no E.");
    EXPECT_EQ(errorOf("reply\n"), "s:1 Line 1 of the script: the reply of line 1 has no end.");
    EXPECT_EQ(errorOf("model context=8\n"), "s:1 Line 1 of the script: context is at least 16.");
    EXPECT_NE(errorOf("model context=99999999999\n"), "read");
    EXPECT_NE(errorOf("reply\n pace nan tok/s\nend\n"), "read");
    EXPECT_NE(errorOf("reply\n finish never\nend\n"), "read");
    EXPECT_NE(errorOf("\xFF"), "read");
    EXPECT_EQ(errorOf(""), "s:0 Line 0 of the script: there is no reply.");
}

// Every prefix and every single changed byte of a whole script is read or refused, never worse.
TEST(Script, DamagedScriptsAreReadOrRefused) {
    const std::string whole = kWhole;
    std::size_t refused = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        refused += parseScript(whole.substr(0, i), "s") ? 0U : 1U;
        for (const char byte : {'\0', '\n', '"', '=', '\xFF'}) {
            std::string changed = whole;
            changed[i] = byte;
            refused += parseScript(changed, "s") ? 0U : 1U;
        }
    }
    EXPECT_GT(refused, whole.size());
}

}  // namespace
}  // namespace agens::engine
