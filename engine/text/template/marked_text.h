// SPDX-License-Identifier: Apache-2.0
// Text: an immutable string whose every byte knows where it came from: the template, or content (a
// variable: messages, tool results, names). Whatever a template does with strings, the marks follow
// the bytes; the tokenizer later refuses control tokens in content.
//
// TextBuilder makes Texts: append what exists, with its marks, or plain bytes with one mark.
// Invariant: valid UTF-8 in, valid UTF-8 out (cuts are made between characters by the callers);
// runs cover the bytes without gap, neighbours differ. Bytes are charged to the Budget while they
// live.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/template/budget.h"

namespace agens::text {

enum class Mark : bool { Template, Content };

class Text;
using TextPtr = std::shared_ptr<const Text>;

class Text {
 public:
    struct Run {
        std::size_t end = 0;
        Mark mark = Mark::Template;
    };

    // Not charged to a budget: constants of a parsed template and of the interpreter.
    static TextPtr literal(std::string bytes);

    Text(std::string bytes, std::vector<Run> runs, bool isMarkup, Budget* budget);
    ~Text();
    Text(const Text&) = delete;
    Text& operator=(const Text&) = delete;

    std::string_view bytes() const { return m_bytes; }
    const std::vector<Run>& runs() const { return m_runs; }
    bool hasContent() const;
    Mark markAt(std::size_t place) const;
    // Result of `escape` or `safe`: escaping it again changes nothing.
    bool isMarkup() const { return m_isMarkup; }

 private:
    std::string m_bytes;
    std::vector<Run> m_runs;
    bool m_isMarkup = false;
    Budget* m_budget = nullptr;
    std::size_t m_charged = 0;
};

class TextBuilder {
 public:
    explicit TextBuilder(Budget& budget) : m_budget(budget) {}
    ~TextBuilder() { m_budget.give(m_charged); }
    TextBuilder(const TextBuilder&) = delete;
    TextBuilder& operator=(const TextBuilder&) = delete;

    TextBuilder& add(std::string_view bytes, Mark mark);
    TextBuilder& add(const Text& text) { return add(text, 0, text.bytes().size()); }
    TextBuilder& add(const Text& text, std::size_t from, std::size_t to);
    TextBuilder& addRepeated(char byte, std::size_t count, Mark mark);

    std::string_view bytes() const { return m_bytes; }
    bool hasContent() const { return m_hasContent; }
    // The text so far; the builder is empty afterwards.
    TextPtr finish(bool isMarkup = false);

 private:
    void charge(std::size_t bytes);

    Budget& m_budget;
    std::string m_bytes;
    std::vector<Text::Run> m_runs;
    std::size_t m_charged = 0;
    bool m_hasContent = false;
};

}  // namespace agens::text
