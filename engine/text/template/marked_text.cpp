// SPDX-License-Identifier: Apache-2.0
// Runs are few (one for most texts), so finding one is a binary search over a tiny array.
#include "engine/text/template/marked_text.h"

#include <algorithm>

namespace agens::text {
namespace {

// What a text costs beside its bytes.
constexpr std::size_t kTextOverhead = 96;

std::size_t runAt(const std::vector<Text::Run>& runs, std::size_t place) {
    const auto found =
        std::upper_bound(runs.begin(), runs.end(), place,
                         [](std::size_t wanted, const Text::Run& run) { return wanted < run.end; });
    return static_cast<std::size_t>(found - runs.begin());
}

}  // namespace

TextPtr Text::literal(std::string bytes) {
    std::vector<Run> runs;
    if (!bytes.empty()) runs.push_back({bytes.size(), Mark::Template});
    return std::make_shared<const Text>(std::move(bytes), std::move(runs), false, nullptr);
}

Text::Text(std::string bytes, std::vector<Run> runs, bool isMarkup, Budget* budget)
    : m_bytes(std::move(bytes)), m_runs(std::move(runs)), m_isMarkup(isMarkup) {
    if (budget == nullptr) return;
    const std::size_t cost = kTextOverhead + m_bytes.size() + m_runs.size() * sizeof(Run);
    budget->take(cost);
    m_budget = budget;
    m_charged = cost;
}

Text::~Text() {
    if (m_budget != nullptr) m_budget->give(m_charged);
}

bool Text::hasContent() const {
    return std::any_of(m_runs.begin(), m_runs.end(),
                       [](const Run& run) { return run.mark == Mark::Content; });
}

Mark Text::markAt(std::size_t place) const {
    const std::size_t run = runAt(m_runs, place);
    return run < m_runs.size() ? m_runs[run].mark : Mark::Template;
}

void TextBuilder::charge(std::size_t bytes) {
    m_budget.checkTextSize(m_bytes.size() + bytes);
    m_budget.moveText(bytes);
    m_budget.take(bytes);
    m_charged += bytes;
}

TextBuilder& TextBuilder::add(std::string_view bytes, Mark mark) {
    if (bytes.empty()) return *this;
    charge(bytes.size());
    m_bytes += bytes;
    if (m_runs.empty() || m_runs.back().mark != mark) {
        m_budget.take(sizeof(Text::Run));
        m_charged += sizeof(Text::Run);
        m_runs.push_back({0, mark});
    }
    m_runs.back().end = m_bytes.size();
    m_hasContent = m_hasContent || mark == Mark::Content;
    return *this;
}

TextBuilder& TextBuilder::add(const Text& text, std::size_t from, std::size_t to) {
    const auto& runs = text.runs();
    for (std::size_t run = runAt(runs, from); from < to && run < runs.size(); ++run) {
        const std::size_t end = std::min(to, runs[run].end);
        add(text.bytes().substr(from, end - from), runs[run].mark);
        from = end;
    }
    return *this;
}

TextBuilder& TextBuilder::addRepeated(char byte, std::size_t count, Mark mark) {
    if (count == 0) return *this;
    m_budget.checkTextSize(count);  // before the bytes exist
    return add(std::string(count, byte), mark);
}

TextPtr TextBuilder::finish(bool isMarkup) {
    m_budget.give(m_charged);
    m_charged = 0;
    m_hasContent = false;
    auto text =
        std::make_shared<const Text>(std::move(m_bytes), std::move(m_runs), isMarkup, &m_budget);
    m_bytes.clear();
    m_runs.clear();
    return text;
}

}  // namespace agens::text
