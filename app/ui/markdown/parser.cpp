// SPDX-License-Identifier: Apache-2.0
// parseWindow: runs md4c over the prepared text, a second time if a table hides in a paragraph.
#include "app/ui/markdown/parser.h"

#include <md4c.h>

#include <algorithm>

#include "app/ui/markdown/block_builder.h"
#include "app/ui/markdown/line_guard.h"
#include "app/ui/markdown/prepass.h"

namespace agens::markdown {
namespace {

constexpr unsigned kDialect = MD_FLAG_NOHTML | MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH |
                              MD_FLAG_TASKLISTS | MD_FLAG_PERMISSIVEURLAUTOLINKS;

// md4c is C: nothing may be thrown through it. A failed allocation ends the parse like a limit
// does.
template <class Event>
int guarded(void* data, Event event) noexcept {
    auto& builder = *static_cast<BlockBuilder*>(data);
    if (builder.isStopped()) return 1;
    bool goesOn = false;
    try {
        goesOn = event(builder);
    } catch (...) {
        goesOn = false;
    }
    if (!goesOn) builder.stop();
    return goesOn ? 0 : 1;
}

MD_PARSER parserCallbacks() {
    MD_PARSER parser{};
    parser.flags = kDialect;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* builder) {
        return guarded(builder, [&](BlockBuilder& b) { return b.enterBlock(type, detail); });
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* builder) {
        return guarded(builder, [&](BlockBuilder& b) { return b.leaveBlock(type); });
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* builder) {
        return guarded(builder, [&](BlockBuilder& b) { return b.enterSpan(type, detail); });
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* builder) {
        return guarded(builder, [&](BlockBuilder& b) { return b.leaveSpan(type); });
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* builder) {
        return guarded(builder, [&](BlockBuilder& b) { return b.text(type, {text, size}); });
    };
    return parser;
}

BlockBuilder run(const PreparedText& prepared, const ParseLimits& limits, ParsedWindow& counts) {
    const std::string_view text = prepared.text();
    const MD_PARSER parser = parserCallbacks();
    BlockBuilder builder(text, limits);
    const auto size = static_cast<MD_SIZE>(text.size());
    if (md_parse(text.data(), size, &parser, &builder) != 0) builder.stop();
    counts.bytesParsed += text.size();
    counts.events += builder.events();
    return builder;
}

std::vector<TextRange> paragraphsOf(const BlockBuilder& builder, const PreparedText& prepared) {
    std::vector<TextRange> ranges;
    for (const TopLevelText& top : builder.topLevelTexts()) {
        if (!top.isParagraph) continue;
        ranges.push_back({prepared.toSource(top.first), prepared.toSource(top.last)});
    }
    return ranges;
}

std::vector<TopLevelStart> startsOf(const BlockBuilder& builder, const PreparedText& prepared) {
    std::vector<TopLevelStart> starts;
    for (const TopLevelText& top : builder.topLevelTexts()) {
        starts.push_back({prepared.toSource(top.first), top.blocksBefore});
    }
    return starts;
}

}  // namespace

ParsedWindow parseWindow(std::string_view source, const ParseLimits& limits) {
    ParsedWindow result;
    const std::string_view text = source.substr(0, endOfParsableText(source));
    std::vector<Insertion> marks = emphasisMarks(text);
    if (limits.alignment > 0) marks.insert(marks.begin(), leadingLines(limits.alignment));
    PreparedText prepared(text, marks);
    BlockBuilder builder = run(prepared, limits, result);
    std::vector<Insertion> insertions = tableRepairs(text, paragraphsOf(builder, prepared));
    if (!insertions.empty()) {
        insertions.insert(insertions.end(), marks.begin(), marks.end());
        prepared = PreparedText(text, std::move(insertions));
        builder = run(prepared, limits, result);
    }
    result.isOverLimit = builder.isStopped() || text.size() < source.size();
    result.cut = lastCut(text, startsOf(builder, prepared));
    if (result.cut) result.alignmentAtCut = prepared.fromSource(result.cut->offset) % kAlignment;
    result.blocks = builder.takeBlocks();
    return result;
}

}  // namespace agens::markdown
