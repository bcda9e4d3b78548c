// SPDX-License-Identifier: Apache-2.0
// Event streams and the ledger: order, slow readers, one terminal event.
#include <gtest/gtest.h>

#include <thread>

#include "engine/base/check.h"
#include "engine/loop/event_stream.h"
#include "engine/loop/ledger.h"

namespace agens::loop {
namespace {

using namespace std::chrono_literals;
using engine::Channel;

const std::vector<TokenId> kOneToken = {TokenId(7)};

TEST(EventStream, GivesEventsInOrder) {
    EventStream stream;
    stream.add(engine::Queued{2});
    stream.add(engine::Started{.promptTokens = 5});
    stream.addPiece(Channel::Text, "hi", kOneToken);
    EXPECT_EQ(std::get<engine::Queued>(*stream.next(0ms)).place, 2u);
    EXPECT_EQ(std::get<engine::Started>(*stream.next(0ms)).promptTokens, 5u);
    const auto piece = std::get<engine::Piece>(*stream.next(0ms));
    EXPECT_EQ(piece.text, "hi");
    EXPECT_EQ(piece.tokens, kOneToken);
    EXPECT_FALSE(stream.next(0ms));
}

TEST(EventStream, ReaderThatKeepsUpGetsEveryPieceAlone) {
    EventStream stream;
    for (int i = 0; i < 5000; ++i) {
        stream.addPiece(Channel::Text, std::to_string(i), kOneToken);
        ASSERT_EQ(std::get<engine::Piece>(*stream.next(0ms)).text, std::to_string(i));
    }
}

TEST(EventStream, SlowReaderGetsAllTextInFewEvents) {
    EventStream stream;
    std::string text;
    for (std::uint32_t i = 0; i < 10000; ++i) {
        stream.addPiece(Channel::Text, std::to_string(i), kOneToken);
        text += std::to_string(i);
        if (i % 10 == 0) stream.add(engine::Stats{.tokens = i});
    }
    std::string read;
    std::size_t tokens = 0;
    std::size_t events = 0;
    std::uint32_t lastStats = 0;
    while (const auto event = stream.next(0ms)) {
        ++events;
        if (const auto* piece = std::get_if<engine::Piece>(&*event)) {
            read += piece->text;
            tokens += piece->tokens.size();
        } else {
            EXPECT_GE(std::get<engine::Stats>(*event).tokens, lastStats);
            lastStats = std::get<engine::Stats>(*event).tokens;
        }
    }
    EXPECT_EQ(read, text);
    EXPECT_EQ(tokens, 10000u);
    EXPECT_EQ(lastStats, 9990u);
    EXPECT_LE(events, 64u);
}

TEST(EventStream, PiecesOfDifferentChannelsAreNeverJoined) {
    EventStream stream;
    for (int i = 0; i < 100; ++i)
        stream.addPiece(Channel::Reasoning, "r", {});
    for (int i = 0; i < 100; ++i)
        stream.addPiece(Channel::Text, "t", {});
    std::string reasoning;
    std::string text;
    while (const auto event = stream.next(0ms)) {
        const auto& piece = std::get<engine::Piece>(*event);
        (piece.channel == Channel::Text ? text : reasoning) += piece.text;
    }
    EXPECT_EQ(reasoning, std::string(100, 'r'));
    EXPECT_EQ(text, std::string(100, 't'));
}

TEST(EventStream, WakesItsReader) {
    EventStream stream;
    int woken = 0;
    stream.onEvent([&] { ++woken; });
    stream.add(engine::Queued{1});
    stream.addPiece(Channel::Text, "x", {});
    EXPECT_EQ(woken, 2);
}

TEST(EventStream, ReaderOnAnotherThreadMissesNothing) {
    EventStream stream;
    std::string read;
    std::thread reader([&] {
        while (read.size() < 20000) {
            if (const auto event = stream.next(1000ms))
                read += std::get<engine::Piece>(*event).text;
        }
    });
    for (int i = 0; i < 20000; ++i)
        stream.addPiece(Channel::Text, "x", kOneToken);
    reader.join();
    EXPECT_EQ(read.size(), 20000u);
}

TEST(RequestLedger, TerminalEventIsLastAndGivenOnce) {
    RequestLedger ledger;
    const auto stream = std::make_shared<EventStream>();
    ledger.open(RequestId(1), stream);
    stream->addPiece(Channel::Text, "x", {});
    ledger.finish(RequestId(1), {.reason = engine::FinishReason::End});
    EXPECT_TRUE(std::holds_alternative<engine::Piece>(*stream->next(0ms)));
    EXPECT_TRUE(std::holds_alternative<engine::Finished>(*stream->next(0ms)));
    EXPECT_FALSE(stream->next(1h)) << "returns at once: there are no more";
    EXPECT_THROW(stream->addPiece(Channel::Text, "y", {}), CheckFailure);
}

TEST(RequestLedger, EndingTwiceIsCaught) {
    RequestLedger ledger;
    ledger.open(RequestId(1), std::make_shared<EventStream>());
    ledger.fail(RequestId(1), Error{}, {});
    EXPECT_THROW(ledger.finish(RequestId(1), {}), CheckFailure);
    EXPECT_THROW(ledger.fail(RequestId(2), Error{}, {}), CheckFailure);
    EXPECT_EQ(ledger.openRequests(), 0u);
}

TEST(RequestLedger, EndAllEndsOpenAndLaterRequests) {
    RequestLedger ledger;
    const auto early = std::make_shared<EventStream>();
    const auto late = std::make_shared<EventStream>();
    ledger.open(RequestId(1), early);
    ledger.endAll(engine::Failed{Error{ErrorKind::Internal, "x", "y", ""}, {}});
    ledger.open(RequestId(2), late);
    for (const auto& stream : {early, late}) {
        EXPECT_EQ(std::get<engine::Failed>(*stream->next(0ms)).error.kind, ErrorKind::Internal);
        EXPECT_FALSE(stream->next(0ms));
    }
    EXPECT_EQ(ledger.openRequests(), 0u);
}

}  // namespace
}  // namespace agens::loop
