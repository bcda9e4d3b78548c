// SPDX-License-Identifier: Apache-2.0
// The order of work of models-text 1.5 over the tables of vocabulary.h.
#include "engine/text/tokenizer.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/text/normalize.h"
#include "engine/text/pretokenize.h"
#include "engine/text/stream_decoder.h"
#include "engine/text/utf8.h"
#include "engine/text/vocabulary.h"

namespace agens::text {
namespace {

// Each span cleaned by itself: half a character at a border must not swallow bytes of the other
// side.
void cleanSpans(std::string_view text, const std::vector<Span>& spans, std::string& cleanText,
                std::vector<Span>& cleanSpans) {
    for (const Span& span : spans) {
        const std::size_t begin = cleanText.size();
        cleanText += withReplacements(text.substr(span.begin, span.end - span.begin));
        cleanSpans.push_back({begin, cleanText.size(), span.isContent});
    }
}

bool spansCover(std::string_view text, const std::vector<Span>& spans) {
    std::size_t at = 0;
    for (const Span& span : spans) {
        if (span.begin != at || span.end < span.begin) return false;
        at = span.end;
    }
    return at == text.size();
}

}  // namespace

struct Tokenizer::Vocabulary : VocabularyTables {
    explicit Vocabulary(VocabularyTables&& tables) : VocabularyTables(std::move(tables)) {}

    bool has(TokenId id) const {
        return id.value >= 0 && static_cast<std::uint32_t>(id.value) < vocabReal;
    }
    std::size_t indexOf(TokenId id) const { return static_cast<std::size_t>(id.value); }
};

Tokenizer::Tokenizer(std::unique_ptr<Vocabulary> vocabulary)
    : m_vocabulary(std::move(vocabulary)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Result<Tokenizer> Tokenizer::fromMetadata(const model_file::Metadata& metadata) {
    TRY(VocabularyTables tables, readVocabulary(metadata));
    return Tokenizer(std::make_unique<Vocabulary>(std::move(tables)));
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, MatchMode mode) const {
    const std::vector<Span> whole = {{0, text.size(), mode == MatchMode::Content}};
    if (isValidUtf8(text)) return encodeClean(text, whole, mode != MatchMode::NoControl);
    const std::string clean = withReplacements(text);
    return encodeClean(clean, {{0, clean.size(), mode == MatchMode::Content}},
                       mode != MatchMode::NoControl);
}

std::vector<TokenId> Tokenizer::encodeSpans(std::string_view text,
                                            const std::vector<Span>& spans) const {
    CHECK(spansCover(text, spans)) << "spans leave a gap or overlap";
    std::string cleanText;
    std::vector<Span> clean;
    cleanSpans(text, spans, cleanText, clean);
    return encodeClean(cleanText, clean, true);
}

std::vector<TokenId> Tokenizer::encodeClean(std::string_view text, const std::vector<Span>& spans,
                                            bool allowControl) const {
    std::vector<TokenId> ids;
    ids.reserve(text.size() / 4 + 8);
    std::size_t from = 0;
    for (const AddedTokens::Match& match : m_vocabulary->added.find(text, spans, allowControl)) {
        encodeFragment(text.substr(from, match.begin - from), ids);
        ids.push_back(match.id);
        from = match.end;
    }
    encodeFragment(text.substr(from), ids);
    return ids;
}

void Tokenizer::encodeFragment(std::string_view fragment, std::vector<TokenId>& ids) const {
    std::string normalised;
    if (m_vocabulary->normalises && !isNfc(fragment)) {
        normalised = toNfc(fragment);
        fragment = normalised;
    }
    for (std::size_t from = 0; from < fragment.size();) {
        const std::size_t end = endOfPreToken(m_vocabulary->preTokenizer, fragment, from);
        m_vocabulary->bpe->encode(fragment.substr(from, end - from), ids);
        from = end;
    }
}

void Tokenizer::ensureBos(std::vector<TokenId>& ids) const {
    if (!m_vocabulary->addsBos || (!ids.empty() && ids.front() == m_vocabulary->bos)) return;
    ids.insert(ids.begin(), *m_vocabulary->bos);
}

std::string Tokenizer::decode(const std::vector<TokenId>& ids, ControlTokens control) const {
    StreamDecoder decoder(*this, control);
    std::string text;
    for (const TokenId id : ids)
        text += decoder.add(id).text;
    return text + decoder.finish().text;
}

std::uint32_t Tokenizer::vocabRows() const {
    return static_cast<std::uint32_t>(m_vocabulary->texts.size());
}
std::uint32_t Tokenizer::vocabReal() const {
    return m_vocabulary->vocabReal;
}

std::string_view Tokenizer::tokenText(TokenId id) const {
    if (!m_vocabulary->has(id)) return {};
    return m_vocabulary->texts[m_vocabulary->indexOf(id)];
}

std::string_view Tokenizer::tokenBytes(TokenId id) const {
    if (!m_vocabulary->has(id)) return {};
    return m_vocabulary->bytes[m_vocabulary->indexOf(id)];
}

bool Tokenizer::isControl(TokenId id) const {
    return m_vocabulary->has(id) &&
           m_vocabulary->kinds[m_vocabulary->indexOf(id)] == TokenKind::Control;
}

bool Tokenizer::isAdded(TokenId id) const {
    return isControl(id) ||
           (m_vocabulary->has(id) &&
            m_vocabulary->kinds[m_vocabulary->indexOf(id)] == TokenKind::UserDefined);
}

bool Tokenizer::isUsable(TokenId id) const {
    return m_vocabulary->has(id) &&
           m_vocabulary->kinds[m_vocabulary->indexOf(id)] != TokenKind::Unused;
}

std::optional<TokenId> Tokenizer::find(std::string_view tokenText) const {
    return m_vocabulary->byText.find(tokenText);
}

std::optional<TokenId> Tokenizer::bos() const {
    return m_vocabulary->bos;
}
std::optional<TokenId> Tokenizer::eos() const {
    return m_vocabulary->eos;
}
bool Tokenizer::addsBos() const {
    return m_vocabulary->addsBos;
}
const std::vector<TokenId>& Tokenizer::stopTokens() const {
    return m_vocabulary->stop;
}

bool Tokenizer::isStop(TokenId id) const {
    return std::binary_search(m_vocabulary->stop.begin(), m_vocabulary->stop.end(), id);
}

const std::vector<std::string>& Tokenizer::warnings() const {
    return m_vocabulary->warnings;
}

}  // namespace agens::text
