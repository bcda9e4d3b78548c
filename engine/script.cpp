// SPDX-License-Identifier: Apache-2.0
// Line by line; words are split at spaces outside of quotes.
#include "engine/script.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "engine/text/utf8.h"

namespace agens::engine {
namespace {

constexpr std::uint32_t kContextMax = 1U << 20;
constexpr double kSecondsMax = 24.0 * 3600.0;

// "context=4096", "match=\"a b\"", "fail": key, and value if there is one.
struct Word {
    std::string key;
    std::string value;
    bool hasValue = false;
    bool isQuoted = false;  // the whole word was quoted: "NAME"
};

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

class Parser {
 public:
    Parser(std::string_view text, const std::string& source) : m_rest(text), m_source(source) {}
    Result<Script> parse();

 private:
    bool nextLine();
    Result<void> parseTop(const std::vector<Word>& words);
    Result<void> parseModel(const std::vector<Word>& words);
    Result<void> parsePlan(const std::vector<Word>& words);
    Result<void> parseLoad(const std::vector<Word>& words);
    Result<void> parseReply(const std::vector<Word>& words);
    Result<bool> parseAction(const std::vector<Word>& words, ScriptReply& reply);
    Result<void> parsePrefill(const std::vector<Word>& words, ScriptReply& reply);
    Result<ScriptPace> parsePace(const std::vector<Word>& words);
    Result<ScriptFail> parseFail(const std::vector<Word>& words, std::size_t at);
    Result<std::string> readBlock(const std::vector<Word>& words);
    Result<std::vector<Word>> split(std::string_view line);
    Result<bool> onOff(const Word& word);
    Result<double> number(std::string_view text, double most);
    Result<std::uint32_t> count(std::string_view text, std::uint32_t most);
    Result<Duration> duration(std::string_view text);
    Result<ByteCount> size(std::string_view text);
    Error error(const std::string& what) const;
    Error unknown(const Word& word) const { return error("unknown word \"" + word.key + "\"."); }

    std::string_view m_rest;
    std::string_view m_line;
    std::uint32_t m_number = 0;
    const std::string& m_source;
    Script m_script;
};

Error Parser::error(const std::string& what) const {
    const std::string line = std::to_string(m_number);
    return {ErrorKind::InvalidFile, "script.line", "Line " + line + " of the script: " + what,
            m_source + ":" + line};
}

bool Parser::nextLine() {
    if (m_rest.empty()) return false;
    const std::size_t end = m_rest.find('\n');
    m_line = m_rest.substr(0, end);
    m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
    ++m_number;
    return true;
}

Result<std::vector<Word>> Parser::split(std::string_view line) {
    std::vector<Word> words;
    for (line = trimmed(line); !line.empty() && line.front() != '#'; line = trimmed(line)) {
        Word word;
        bool inQuotes = false;
        std::size_t at = 0;
        for (; at < line.size() && (inQuotes || (line[at] != ' ' && line[at] != '\t')); ++at) {
            if (line[at] == '"') {
                inQuotes = !inQuotes;
                word.isQuoted = word.isQuoted || at == 0;
            } else if (line[at] == '=' && !inQuotes && !word.hasValue) {
                word.hasValue = true;
            } else {
                (word.hasValue ? word.value : word.key) += line[at];
            }
        }
        if (inQuotes) return error("a quote is not closed.");
        line.remove_prefix(at);
        words.push_back(std::move(word));
    }
    return words;
}

Result<double> Parser::number(std::string_view text, double most) {
    double value = 0.0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || !(value >= 0) ||
        value > most) {
        return error("\"" + std::string(text) + "\" is not a number in range.");
    }
    return value;
}

Result<std::uint32_t> Parser::count(std::string_view text, std::uint32_t most) {
    std::uint32_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || value > most) {
        return error("\"" + std::string(text) + "\" is not a whole number up to " +
                     std::to_string(most) + ".");
    }
    return value;
}

Result<Duration> Parser::duration(std::string_view text) {
    double scale = 0.0;
    std::string_view digits = text;
    for (const auto& [unit, unitSeconds] : {std::pair{"ms", 1e-3}, {"s", 1.0}, {"m", 60.0}}) {
        if (scale > 0 || !text.ends_with(unit)) continue;
        scale = unitSeconds;
        digits = text.substr(0, text.size() - std::string_view(unit).size());
    }
    if (scale == 0)
        return error("\"" + std::string(text) + "\" is not a duration like 250ms or 3s.");
    TRY(const double value, number(digits, kSecondsMax / scale));
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(value * scale));
}

Result<ByteCount> Parser::size(std::string_view text) {
    for (const auto& [unit, shift] : {std::pair{"GiB", 30}, {"MiB", 20}, {"KiB", 10}}) {
        if (!text.ends_with(unit)) continue;
        TRY(const double value, number(text.substr(0, text.size() - 3), 1e6));
        return ByteCount(static_cast<std::uint64_t>(value * static_cast<double>(1ULL << shift)));
    }
    return error("\"" + std::string(text) + "\" is not a size like 3.94GiB.");
}

Result<bool> Parser::onOff(const Word& word) {
    if (word.value != "on" && word.value != "off") return error(word.key + " is on or off.");
    return word.value == "on";
}

Result<Script> Parser::parse() {
    if (!text::isValidUtf8(m_rest)) return error("the file is not valid UTF-8.");
    while (nextLine()) {
        TRY(const std::vector<Word> words, split(m_line));
        if (!words.empty()) TRY_VOID(parseTop(words));
    }
    if (m_script.replies.empty()) return error("there is no reply.");
    return std::move(m_script);
}

Result<void> Parser::parseTop(const std::vector<Word>& words) {
    const std::string& word = words[0].key;
    if (word == "model") return parseModel(words);
    if (word == "plan") return parsePlan(words);
    if (word == "load") return parseLoad(words);
    if (word == "reply") return parseReply(words);
    return unknown(words[0]);
}

Result<void> Parser::parseModel(const std::vector<Word>& words) {
    for (std::size_t i = 1; i < words.size(); ++i) {
        const Word& word = words[i];
        if (word.isQuoted) {
            m_script.modelName = word.key;
        } else if (word.key == "context") {
            TRY(m_script.context, count(word.value, kContextMax));
            if (m_script.context < 16) return error("context is at least 16.");
        } else if (word.key == "thinking") {
            TRY(m_script.thinking, onOff(word));
        } else if (word.key == "images" || word.key == "mtp" || word.key == "dflash2") {
            TRY([[maybe_unused]] const bool isOn, onOff(word));
        } else if (word.key == "template") {
            m_script.templateFile = word.value;
        } else {
            return unknown(word);
        }
    }
    return {};
}

Result<void> Parser::parsePlan(const std::vector<Word>& words) {
    if (words.size() < 2 || words[1].hasValue) return error("plan needs a profile.");
    PlanReport plan{.servedContext = m_script.context, .limit = "script"};
    for (std::size_t i = 2; i < words.size(); ++i) {
        const Word& word = words[i];
        if (!word.hasValue) return unknown(word);
        if (word.key == "served") {
            TRY(plan.servedContext, count(word.value, kContextMax));
        } else if (word.key == "missing" || word.key == "cap" || word.key.starts_with("other:")) {
            TRY([[maybe_unused]] const ByteCount shown, size(word.value));
        } else {
            TRY(const ByteCount bytes, size(word.value));
            plan.arenas.push_back({word.key, bytes});
        }
    }
    m_script.plans.emplace_back(words[1].key, std::move(plan));
    return {};
}

Result<void> Parser::parseLoad(const std::vector<Word>& words) {
    if (words.size() < 4 || words[2].key != "steps") return error("load is: load 4 steps 1200ms.");
    TRY(m_script.load.steps, count(words[1].key, 1000));
    TRY(m_script.load.duration, duration(words[3].key));
    if (words.size() == 4) return {};
    if (words[4].key != "fail") return unknown(words[4]);
    TRY(m_script.load.fail, parseFail(words, 5));
    return {};
}

Result<ScriptFail> Parser::parseFail(const std::vector<Word>& words, std::size_t at) {
    if (words.size() != at + 2) return error("fail is: fail ID \"text\".");
    return ScriptFail{words[at].key, words[at + 1].key};
}

Result<void> Parser::parseReply(const std::vector<Word>& words) {
    ScriptReply reply;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i].key != "match") return unknown(words[i]);
        reply.match = words[i].value;
    }
    const std::uint32_t began = m_number;
    while (nextLine()) {
        TRY(const std::vector<Word> action, split(m_line));
        if (action.empty()) continue;
        TRY(const bool isEnd, parseAction(action, reply));
        if (!isEnd) continue;
        m_script.replies.push_back(std::move(reply));
        return {};
    }
    return error("the reply of line " + std::to_string(began) + " has no end.");
}

// True for `end`.
Result<bool> Parser::parseAction(const std::vector<Word>& words, ScriptReply& reply) {
    const std::string& word = words[0].key;
    if (word == "end") return true;
    if (word == "prefill") {
        TRY_VOID(parsePrefill(words, reply));
    } else if (word == "text" || word == "reasoning") {
        const Channel channel = word == "text" ? Channel::Text : Channel::Reasoning;
        TRY(std::string said, readBlock(words));
        reply.actions.emplace_back(ScriptSay{channel, std::move(said)});
    } else if (word == "pace") {
        TRY(ScriptPace pace, parsePace(words));
        reply.actions.emplace_back(pace);
    } else if (word == "stall") {
        if (words.size() != 2) return error("stall is: stall 2s.");
        TRY(const Duration stalled, duration(words[1].key));
        reply.actions.emplace_back(ScriptStall{stalled});
    } else if (word == "fail") {
        TRY(ScriptFail fail, parseFail(words, 1));
        reply.actions.emplace_back(std::move(fail));
    } else if (word == "finish") {
        if (words.size() != 2 || (words[1].key != "end" && words[1].key != "length")) {
            return error("finish is end or length.");
        }
        const bool isEnd = words[1].key == "end";
        reply.actions.emplace_back(ScriptFinish{isEnd ? FinishReason::End : FinishReason::Length});
    } else {
        return unknown(words[0]);
    }
    return false;
}

Result<void> Parser::parsePrefill(const std::vector<Word>& words, ScriptReply& reply) {
    if (words.size() < 3) return error("prefill is: prefill 1800 2s.");
    TRY([[maybe_unused]] const std::uint32_t tokens, count(words[1].key, kContextMax));
    TRY(reply.prefill, duration(words[2].key));
    if (words.size() > 3 && words[3].key != "cached") return unknown(words[3]);
    return {};
}

Result<ScriptPace> Parser::parsePace(const std::vector<Word>& words) {
    if (words.size() < 3 || words[2].key != "tok/s") return error("pace is: pace 40 tok/s.");
    ScriptPace pace;
    TRY(pace.tokensPerSecond, number(words[1].key, 1e6));
    if (pace.tokensPerSecond <= 0) return error("pace is above 0.");
    for (std::size_t i = 3; i < words.size(); ++i) {
        const Word& word = words[i];
        if (word.key == "step") {
            TRY(pace.step, count(word.value, 8));
            if (pace.step == 0) return error("step is 1 to 8.");
        } else if (word.key != "sources" && word.key != "gain") {  // shown once drafts exist
            return unknown(word);
        }
    }
    return pace;
}

Result<std::string> Parser::readBlock(const std::vector<Word>& words) {
    if (words.size() != 2 || !words[1].key.starts_with("<<") || words[1].key.size() == 2) {
        return error(words[0].key + " is: " + words[0].key + " <<TAG, then lines, then TAG.");
    }
    const std::string tag = words[1].key.substr(2);
    const std::uint32_t began = m_number;
    std::string block;
    for (bool isFirst = true; nextLine(); isFirst = false) {
        if (trimmed(m_line) == tag) return block;
        if (!isFirst) block += '\n';
        block += m_line;
    }
    return error("the text of line " + std::to_string(began) + " has no " + tag + ".");
}

}  // namespace

Result<Script> parseScript(std::string_view text, const std::string& source) {
    return Parser(text, source).parse();
}

}  // namespace agens::engine
