// SPDX-License-Identifier: Apache-2.0
// The pure parts: paths, texts, hash, names, settings table, statistics as JSON, reply assembler.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/chat/content_hash.h"
#include "app/chat/reply_assembler.h"
#include "app/chat/settings.h"
#include "app/chat/stats_json.h"
#include "app/chat/store_paths.h"
#include "app/chat/text_rules.h"

namespace agens::chat {
namespace {

using namespace std::chrono_literals;

TEST(StorePaths, FollowXdgThenHome) {
    const StorePaths xdg = *storePaths({.home = "/users/a",
                                        .xdgDataHome = "/d",
                                        .xdgConfigHome = "relative",
                                        .xdgStateHome = "/s",
                                        .xdgRuntimeDir = "/run/user/1"});
    EXPECT_EQ(xdg.database(), "/d/agens-desktop/history.db");
    EXPECT_EQ(xdg.config, "/users/a/.config/agens-desktop");
    EXPECT_EQ(xdg.log, "/s/agens-desktop/log");
    EXPECT_EQ(xdg.models, "/d/agens-desktop/models");
    EXPECT_EQ(xdg.runtime, "/run/user/1");
    const StorePaths home = *storePaths({.home = "/users/a"});
    EXPECT_EQ(home.data, "/users/a/.local/share/agens-desktop");
    EXPECT_EQ(home.log, "/users/a/.local/state/agens-desktop/log");
    EXPECT_FALSE(home.runtime.has_value());
}

TEST(StorePaths, DataDirTakesEverything) {
    const StorePaths paths =
        *storePaths({.dataDir = "x/../y", .home = "/users/a", .currentFolder = "/place"});
    EXPECT_EQ(paths.data, "/place/y");
    EXPECT_EQ(paths.config, "/place/y");
    EXPECT_EQ(paths.log, "/place/y/log");
    EXPECT_EQ(paths.lock(), "/place/y/lock");
}

TEST(StorePaths, WithoutAnyHomeSaysSo) {
    EXPECT_EQ(storePaths({}).error().id, "store.no_home");
    EXPECT_EQ(storePaths({.home = "relative"}).error().id, "store.no_home");
    EXPECT_TRUE(
        storePaths({.xdgDataHome = "/d", .xdgConfigHome = "/c", .xdgStateHome = "/s"}).ok());
}

TEST(TextRules, Utf8IsWellFormedOrNot) {
    for (const std::string good :
         {"", "a", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"}) {
        EXPECT_TRUE(isUtf8(good)) << good;
    }
    for (const std::string bad :
         {"\x80", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80",
          "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF8", "a\xE2\x82", "\xC3("}) {
        EXPECT_FALSE(isUtf8(bad)) << bad;
    }
}

TEST(TextRules, TitleIsTheFirstLineWithText) {
    EXPECT_EQ(titleFromText(""), "");
    EXPECT_EQ(titleFromText(" \n\t\r\n"), "");
    EXPECT_EQ(titleFromText("\n  one\ttwo  \nthree"), "one two");
    EXPECT_EQ(titleFromText(std::string(60, 'a')), std::string(60, 'a'));
    EXPECT_EQ(titleFromText(std::string(61, 'a')), std::string(59, 'a') + "…");
    std::string euros;
    for (int i = 0; i < 61; ++i)
        euros += "€";
    EXPECT_EQ(characterCount(titleFromText(euros)), 60u);
    EXPECT_TRUE(isUtf8(titleFromText(std::string(5000, 'x') + euros)));
}

TEST(TextRules, TrigramsAreForUnspacedScripts) {
    for (const char* text :
         {"中", "かな", "カナ", "ไทย", "ລາວ", "ខ្មែរ", "မြန်မာ", "한국어", "𠀀", "a中"}) {
        EXPECT_TRUE(needsTrigrams(text)) << text;
    }
    for (const char* text : {"", "plain", "äöü", "русский", "العربية", "😀", "…"}) {
        EXPECT_FALSE(needsTrigrams(text)) << text;
    }
}

// Computed with another program: sha256(kind 0 text 0 name 0 data 0), first 8 bytes.
TEST(ContentHash, IsTheDefinition) {
    EXPECT_EQ(contentHash("text", "hello", "", "{}"), -4310520779169198796);
    EXPECT_NE(contentHash("text", "a", "b", "{}"), contentHash("text", "ab", "", "{}"));
}

TEST(Names, EveryNameIsReadBack) {
    for (const char* name :
         {"queued", "generating", "complete", "stopped", "limit", "interrupted", "error"}) {
        EXPECT_STREQ(toString(*parseMessageState(name)), name);
    }
    for (const char* name : {"text", "reasoning", "image", "file", "tool_call", "tool_result"}) {
        EXPECT_STREQ(toString(*parsePartKind(name)), name);
    }
    EXPECT_FALSE(parseRole("").has_value());
    EXPECT_FALSE(parseTitleSource("User").has_value());
}

TEST(Settings, EveryDefaultIsValidAndUnchanged) {
    const Settings settings;
    for (const SettingSpec& spec : settingTable()) {
        EXPECT_TRUE(checkSetting(spec.key, spec.fallback).ok()) << spec.key;
        EXPECT_FALSE(settings.isChanged(spec.key)) << spec.key;
        EXPECT_EQ(findSetting(spec.key), &spec);
    }
}

TEST(Settings, RangesWordsAndEmptyValues) {
    for (const auto& [key, value] : {std::pair{"ui.textScale", "80"},
                                     {"ui.textScale", "200"},
                                     {"gen.temperature", ""},
                                     {"gen.temperature", "0.7"},
                                     {"gen.seed", "random"},
                                     {"gen.seed", "42"},
                                     {"gen.presence", "-2"},
                                     {"model.current", "/a b"}}) {
        EXPECT_TRUE(checkSetting(key, value).ok()) << key << " " << value;
    }
    for (const auto& [key, value] : {std::pair{"ui.textScale", "79"},
                                     {"ui.textScale", "100.5"},
                                     {"ui.textScale", ""},
                                     {"gen.temperature", "nan"},
                                     {"gen.temperature", "1e999"},
                                     {"gen.temperature", "0.7x"},
                                     {"gen.seed", ""},
                                     {"ui.stats", "yes"},
                                     {"ui.theme", ""},
                                     {"ui.codeFont", "\xFF"}}) {
        EXPECT_EQ(checkSetting(key, value).error().id, "settings.value") << key << " " << value;
    }
    EXPECT_EQ(checkSetting("ui.textScale", "7").error().what,
              "The setting ui.textScale takes a whole number from 80 to 200.");
    EXPECT_EQ(checkSetting("gen.topP", "7").error().what,
              "The setting gen.topP takes a number from 0 to 1, or nothing.");
}

TEST(Settings, TypedAccess) {
    const Settings settings({{"gen.temperature", "0.25"}, {"ui.stats", "false"}, {"x", "y"}});
    EXPECT_EQ(settings.number("gen.temperature"), 0.25);
    EXPECT_FALSE(settings.number("gen.topP").has_value());
    EXPECT_FALSE(settings.boolean("ui.stats"));
    EXPECT_TRUE(settings.boolean("code.wrap") == false && settings.boolean("window.sidebar"));
    EXPECT_EQ(settings.integer("gen.seed"), 0);
}

TEST(StatsJson, NamesAndRoundTrip) {
    engine::Finished finished;
    finished.stats.replyTokens = 11;
    finished.stats.decodeUs = 1'000'000;
    finished.stats.seed = UINT64_MAX;
    const Json json = toJson(finished);
    EXPECT_EQ(json["tokens_per_second"], 10.0);
    EXPECT_EQ(json["seed"], UINT64_MAX);
    EXPECT_EQ(json["finish_reason"], "end");
    engine::SamplingValues sampler{0.1F, 3, 0.5, 0.05, 1.1F, 64};
    const engine::SamplingValues back = samplerFromText(samplerToText(sampler));
    EXPECT_EQ(back.temperature, sampler.temperature);
    EXPECT_EQ(back.topK, sampler.topK);
    EXPECT_EQ(back.topP, sampler.topP);
    EXPECT_EQ(back.minP, sampler.minP);
    EXPECT_EQ(back.repetitionPenalty, sampler.repetitionPenalty);
    EXPECT_EQ(back.repeatLastN, sampler.repeatLastN);
    EXPECT_EQ(samplerFromText("not json").topK, engine::SamplingValues().topK);
}

engine::Piece piece(engine::Channel channel, const std::string& text) {
    return {channel, text, {TokenId(1)}};
}

TEST(ReplyAssembler, RunsOfOneChannelBecomeParts) {
    ReplyAssembler assembler;
    assembler.add(engine::Queued{1});
    assembler.add(piece(engine::Channel::Reasoning, "hm"), 1s);
    assembler.add(piece(engine::Channel::Reasoning, " so"), 2s);
    assembler.add(piece(engine::Channel::Text, ""), 2s);
    assembler.add(piece(engine::Channel::Text, "yes"), 4s);
    assembler.add(engine::Finished{}, 9s);
    const FinishedReply reply = assembler.finish();
    const std::vector<ReplyPart> expected{{PartKind::Reasoning, "hm so", {}, 3000ms},
                                          {PartKind::Text, "yes", {}, 0ms}};
    EXPECT_EQ(reply.parts, expected);
    EXPECT_EQ(reply.reasoningTokens, 2u);
}

TEST(ReplyAssembler, EveryEndHasItsState) {
    using engine::FinishReason;
    for (const auto& [reason, state] : {std::pair{FinishReason::End, MessageState::Complete},
                                        {FinishReason::Stop, MessageState::Complete},
                                        {FinishReason::Length, MessageState::Limit},
                                        {FinishReason::Cancelled, MessageState::Stopped}}) {
        ReplyAssembler assembler;
        engine::Finished finished;
        finished.reason = reason;
        assembler.add(finished);
        EXPECT_TRUE(assembler.isFinished());
        EXPECT_EQ(assembler.finish().state, state);
    }
    ReplyAssembler failed;
    failed.add(engine::Failed{Error{ErrorKind::Device, "device.lost", "x", ""}, {}});
    EXPECT_EQ(failed.finish().state, MessageState::Error);
    EXPECT_EQ(failed.finish().error->id, "device.lost");
    EXPECT_EQ(ReplyAssembler().finish().state, MessageState::Interrupted);
}

// All streams of four pieces over two channels, checkpointed after every subset of pieces: what was
// taken, joined by runs, is the reply; a checkpoint that was put back changes nothing.
TEST(ReplyAssembler, UnsavedPiecesAddUpToTheReplyHoweverTheyAreTaken) {
    for (unsigned channels = 0; channels < 16; ++channels) {
        for (unsigned takes = 0; takes < 16; ++takes) {
            for (unsigned refused = 0; refused < 16; ++refused) {
                ReplyAssembler assembler;
                std::vector<ReplyPart> saved;
                const auto save = [&] {
                    for (const TailPiece& tail : assembler.takeUnsaved()) {
                        if (saved.empty() || saved.back().kind != tail.kind) {
                            saved.push_back({tail.kind, {}, {}, {}});
                        }
                        saved.back().text += tail.text;
                    }
                };
                for (unsigned i = 0; i < 4; ++i) {
                    const auto channel = (channels >> i & 1U) != 0 ? engine::Channel::Text
                                                                   : engine::Channel::Reasoning;
                    assembler.add(piece(channel, std::string(1, static_cast<char>('a' + i))));
                    if ((refused >> i & 1U) != 0) {
                        auto pieces = assembler.takeUnsaved();
                        assembler.add(piece(channel, "+"));
                        assembler.putBack(std::move(pieces));
                    }
                    if ((takes >> i & 1U) != 0) save();
                }
                save();
                ASSERT_FALSE(assembler.hasUnsaved());
                ASSERT_EQ(saved, assembler.parts()) << channels << " " << takes << " " << refused;
            }
        }
    }
}

}  // namespace
}  // namespace agens::chat
