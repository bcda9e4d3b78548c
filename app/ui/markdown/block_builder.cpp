// SPDX-License-Identifier: Apache-2.0
// BlockBuilder: see the header.
#include "app/ui/markdown/block_builder.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "app/ui/markdown/entities.h"
#include "app/ui/markdown/lines.h"
#include "app/ui/markdown/prepass.h"

namespace agens::markdown {
namespace {

std::string attributeText(const MD_ATTRIBUTE& attribute) {
    InlineText text;
    for (std::size_t i = 0;
         attribute.text != nullptr && attribute.substr_offsets[i] < attribute.size; ++i) {
        const MD_OFFSET begin = attribute.substr_offsets[i];
        const MD_OFFSET end = attribute.substr_offsets[i + 1];
        const std::string_view part(attribute.text + begin, end - begin);
        const bool isEntity = attribute.substr_types[i] == MD_TEXT_ENTITY;
        text.appendCode(isEntity ? decodeEntity(part) : part);
    }
    return text.take().text;
}

bool hasScheme(std::string_view address, std::string_view scheme) {
    return address.size() > scheme.size() &&
           std::equal(scheme.begin(), scheme.end(), address.begin(), [](char want, char is) {
               return want == (is >= 'A' && is <= 'Z' ? static_cast<char>(is + ('a' - 'A')) : is);
           });
}

bool isAllowedLink(std::string_view address) {
    return hasScheme(address, "http://") || hasScheme(address, "https://") ||
           hasScheme(address, "mailto:");
}

Alignment alignmentOf(MD_ALIGN align) {
    switch (align) {
        case MD_ALIGN_LEFT:
            return Alignment::Left;
        case MD_ALIGN_CENTER:
            return Alignment::Center;
        case MD_ALIGN_RIGHT:
            return Alignment::Right;
        case MD_ALIGN_DEFAULT:
            break;
    }
    return Alignment::Natural;
}

bool isBlank(std::string_view text) {
    return text.find_first_not_of(" \t\n") == std::string_view::npos;
}

bool isContainer(MD_BLOCKTYPE type) {
    return type == MD_BLOCK_QUOTE || type == MD_BLOCK_UL || type == MD_BLOCK_OL;
}

// The whitespace before `at` that makes its last `columns` columns, as it stands in the input.
std::string indentBefore(std::string_view input, std::size_t at, std::size_t columns) {
    constexpr std::size_t kTab = 4;
    const std::size_t line = lineStart(input, at);
    std::size_t column = 0;
    std::vector<std::size_t> columnOf;  // of each byte of the line up to `at`
    for (std::size_t i = line; i < at; ++i) {
        columnOf.push_back(column);
        column += input[i] == '\t' ? kTab - column % kTab : 1;
    }
    columnOf.push_back(column);
    const std::size_t from = column - std::min(columns, column);
    const auto whole = std::lower_bound(columnOf.begin(), columnOf.end(), from);
    const auto first = line + static_cast<std::size_t>(whole - columnOf.begin());
    // A tab that only partly belongs to the indent counts as spaces.
    return std::string(*whole - from, ' ') + std::string(input.substr(first, at - first));
}

template <class Detail>
const Detail& detailAs(const void* detail) {
    return *static_cast<const Detail*>(detail);
}

}  // namespace

// ---- blocks

bool BlockBuilder::enterBlock(MD_BLOCKTYPE type, const void* detail) {
    ++m_events;
    if (type == MD_BLOCK_DOC) return true;
    if (m_depth++ == 0) {
        m_isParagraph = type == MD_BLOCK_P;
        m_isTopLevelText = m_isParagraph || type == MD_BLOCK_H || type == MD_BLOCK_TABLE;
        m_hasTopLevelText = false;
    }
    if (m_table) {
        const bool isCell = type == MD_BLOCK_TH || type == MD_BLOCK_TD;
        if (isCell) {
            m_cellAlignment = alignmentOf(detailAs<MD_BLOCK_TD_DETAIL>(detail).align);
            closeSpans();
        }
        return true;
    }
    if (!closeLeaf()) return false;
    if (isContainer(type)) return enterContainer(type, detail);
    return type == MD_BLOCK_LI ? enterItem(detail) : enterLeaf(type, detail);
}

bool BlockBuilder::leaveBlock(MD_BLOCKTYPE type) {
    ++m_events;
    if (type == MD_BLOCK_DOC) return closeLeaf();
    if (--m_depth == 0) m_isTopLevelText = false;
    switch (type) {
        case MD_BLOCK_TH:
        case MD_BLOCK_TD:
            m_isLimited |= m_inline.isOverLimit();
            m_table->addCell(m_inline.take(), m_cellAlignment);
            return true;
        case MD_BLOCK_TR:
            return m_table->endRow();
        case MD_BLOCK_THEAD:
        case MD_BLOCK_TBODY:
            return true;
        case MD_BLOCK_TABLE:
            return leaveTable();
        case MD_BLOCK_LI:
            return leaveItem();
        case MD_BLOCK_QUOTE: {
            const bool hasRoom = closeLeaf();
            --m_quoteDepth;
            return hasRoom;
        }
        case MD_BLOCK_UL:
        case MD_BLOCK_OL:
            m_lists.pop_back();
            return true;
        default:
            return closeLeaf();
    }
}

bool BlockBuilder::enterContainer(MD_BLOCKTYPE type, const void* detail) {
    if (m_lists.size() + m_quoteDepth >= kMaxDepth) return false;
    if (type == MD_BLOCK_QUOTE) {
        ++m_quoteDepth;
        return true;
    }
    // An item that holds nothing but a list keeps its own marker.
    if (m_item && !push(Block{.kind = BlockKind::ListItem})) return false;
    if (type == MD_BLOCK_OL) {
        const auto& list = detailAs<MD_BLOCK_OL_DETAIL>(detail);
        m_lists.push_back({true, list.start, list.mark_delimiter});
    } else {
        m_lists.push_back({});
    }
    return true;
}

bool BlockBuilder::enterItem(const void* detail) {
    const auto& item = detailAs<MD_BLOCK_LI_DETAIL>(detail);
    List& list = m_lists.back();
    m_item = Item{"\u2022", TaskState::None};
    if (list.isOrdered) m_item->marker = std::to_string(list.number++) + list.delimiter;
    if (item.is_task) m_item->task = item.task_mark == ' ' ? TaskState::Open : TaskState::Done;
    return true;
}

bool BlockBuilder::leaveItem() {
    if (!closeLeaf()) return false;
    return !m_item || push(Block{.kind = BlockKind::ListItem});
}

bool BlockBuilder::enterLeaf(MD_BLOCKTYPE type, const void* detail) {
    switch (type) {
        case MD_BLOCK_HR:
            return push(Block{.kind = BlockKind::Rule});
        case MD_BLOCK_H:
            openLeaf(BlockKind::Heading);
            m_leaf->level = static_cast<std::uint8_t>(detailAs<MD_BLOCK_H_DETAIL>(detail).level);
            return true;
        case MD_BLOCK_CODE:
            openLeaf(BlockKind::Code);
            m_leaf->language = attributeText(detailAs<MD_BLOCK_CODE_DETAIL>(detail).lang);
            return true;
        case MD_BLOCK_TABLE:
            openLeaf(BlockKind::Table);
            m_table.emplace(detailAs<MD_BLOCK_TABLE_DETAIL>(detail).col_count);
            return true;
        default:
            openLeaf(textKind());
            return true;
    }
}

bool BlockBuilder::leaveTable() {
    m_leaf->table = m_table->takeTable();
    const std::string rest = m_table->takeRest();
    m_table.reset();
    m_isLimited |= !rest.empty();
    Block table = std::move(*m_leaf);
    m_leaf.reset();
    if (table.table.columns() > 0 && !push(std::move(table))) return false;
    if (isBlank(rest)) return closeText();
    openLeaf(textKind());
    m_inline.appendProse(std::string_view(rest).substr(0, rest.size() - 1));
    m_hasTextBesidePictures = true;
    return closeLeaf();
}

BlockKind BlockBuilder::textKind() const {
    if (!m_lists.empty()) return BlockKind::ListItem;
    return m_quoteDepth > 0 ? BlockKind::Quote : BlockKind::Paragraph;
}

void BlockBuilder::openLeaf(BlockKind kind) {
    m_leaf = Block{.kind = kind};
    m_hasTextBesidePictures = false;
    m_indent = 0;
    closeSpans();
}

bool BlockBuilder::closeLeaf() {
    if (!m_leaf) return true;
    if (m_leaf->kind != BlockKind::Code) return closeText();
    Block block = std::move(*m_leaf);
    m_leaf.reset();
    block.content = m_inline.take();
    if (block.content.text.ends_with('\n')) block.content.text.pop_back();
    return push(std::move(block));
}

// The text (unless it is only the alternative texts of pictures), the pictures, the notice.
bool BlockBuilder::closeText() {
    m_isLimited |= m_inline.isOverLimit();
    StyledText content = m_inline.take();
    if (m_leaf && m_hasTextBesidePictures) {
        for (StyledText& part : splitLongText(std::move(content), kTextBlockBytes)) {
            Block block = *m_leaf;
            block.content = std::move(part);
            if (!push(std::move(block))) return false;
        }
    }
    m_leaf.reset();
    m_hasTextBesidePictures = false;
    for (Picture& picture : m_pictures) {
        Block block{.kind = BlockKind::ImageRef};
        InlineText alt;
        alt.appendProse(picture.alt);
        block.content = alt.take();
        block.address = std::move(picture.address);
        if (!push(std::move(block))) return false;
    }
    m_pictures.clear();
    if (!m_isLimited || m_limits.hasNotice) return true;
    m_limits.hasNotice = true;
    return push(Block{.kind = BlockKind::Notice, .notice = NoticeId::FormattingLimit});
}

bool BlockBuilder::push(Block block) {
    if (m_blocks.size() >= m_limits.blocksLeft) return false;
    block.listDepth = static_cast<std::uint8_t>(m_lists.size());
    block.quoteDepth = static_cast<std::uint8_t>(m_quoteDepth);
    if (m_item) {
        block.marker = std::move(m_item->marker);
        block.task = m_item->task;
        m_item.reset();
    }
    m_blocks.push_back(std::move(block));
    return true;
}

// ---- text

bool BlockBuilder::enterSpan(MD_SPANTYPE type, const void* detail) {
    ++m_events;
    if (!m_leaf) openLeaf(textKind());
    if (type == MD_SPAN_A) enterLink(detailAs<MD_SPAN_A_DETAIL>(detail));
    if (type == MD_SPAN_IMG) enterPicture(detailAs<MD_SPAN_IMG_DETAIL>(detail));
    countSpan(type, 1);
    return true;
}

bool BlockBuilder::leaveSpan(MD_SPANTYPE type) {
    ++m_events;
    if (type == MD_SPAN_A && !m_linkStack.empty()) m_linkStack.pop_back();
    countSpan(type, -1);
    return true;
}

// md4c 0.4.8 leaves no span that was closed inside the address of a link (`*a [b](http://x*y)`), so
// no block may rely on the one before having closed its spans.
void BlockBuilder::closeSpans() {
    m_spans = {};
    m_linkStack.clear();
    m_inline.setStyle(0, kNoLink);
}

void BlockBuilder::countSpan(MD_SPANTYPE type, int step) {
    const auto count = [step](int& depth) { depth = std::max(depth + step, 0); };
    if (type == MD_SPAN_STRONG) count(m_spans.bold);
    if (type == MD_SPAN_EM) count(m_spans.italic);
    if (type == MD_SPAN_DEL) count(m_spans.strike);
    if (type == MD_SPAN_CODE) count(m_spans.code);
    if (type == MD_SPAN_IMG) count(m_spans.picture);
    int style = 0;
    if (m_spans.bold > 0) style |= kBold;
    if (m_spans.italic > 0) style |= kItalic;
    if (m_spans.strike > 0) style |= kStrike;
    if (m_spans.code > 0) style |= kCode;
    m_inline.setStyle(static_cast<StyleMask>(style),
                      m_linkStack.empty() ? kNoLink : m_linkStack.back());
}

void BlockBuilder::enterLink(const MD_SPAN_A_DETAIL& detail) {
    std::string address = attributeText(detail.href);
    const bool hasRoom = m_limits.linksLeft > 0;
    if (!isAllowedLink(address) || !hasRoom) {
        m_isLimited |= !hasRoom;
        m_linkStack.push_back(kNoLink);
        return;
    }
    --m_limits.linksLeft;
    m_linkStack.push_back(static_cast<std::int32_t>(m_leaf->links.size()));
    m_leaf->links.push_back(std::move(address));
}

void BlockBuilder::enterPicture(const MD_SPAN_IMG_DETAIL& detail) {
    if (m_spans.picture > 0) return;  // pictures nest in alternative texts
    m_pictures.push_back({attributeText(detail.src), {}});
}

bool BlockBuilder::isOfInput(std::string_view text) const {
    const std::less_equal<const char*> isAtMost;
    const char* const inputEnd = m_input.data() + m_input.size();
    return !text.empty() && isAtMost(m_input.data(), text.data()) &&
           isAtMost(text.data() + text.size(), inputEnd);
}

void BlockBuilder::noteTopLevelText(std::string_view text) {
    if (!m_isTopLevelText || !isOfInput(text)) return;
    const auto first = static_cast<std::size_t>(text.data() - m_input.data());
    if (!m_hasTopLevelText) m_topLevel.push_back({first, first, m_blocks.size(), m_isParagraph});
    m_hasTopLevelText = true;
    m_topLevel.back().last = first + text.size() - 1;
}

// md4c gives the indent of a code line as spaces. Makefiles and Go need the tabs they were written
// with, so the indent is taken from the input once the text behind it comes.
void BlockBuilder::appendCodeBlockText(std::string_view text) {
    if (isOfInput(text)) {
        const auto at = static_cast<std::size_t>(text.data() - m_input.data());
        m_inline.appendCode(indentBefore(m_input, at, m_indent));
        m_indent = 0;
        return m_inline.appendCode(text);
    }
    if (text.find_first_not_of(' ') == std::string_view::npos) {
        m_indent += text.size();
        return;
    }
    m_inline.appendCode(std::string(std::exchange(m_indent, 0), ' '));
    m_inline.appendCode(text);
}

bool BlockBuilder::text(MD_TEXTTYPE type, std::string_view text) {
    ++m_events;
    noteTopLevelText(text);
    if (!m_leaf) openLeaf(textKind());
    std::string decoded;
    if (type == MD_TEXT_ENTITY) text = decoded = decodeEntity(text);
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) text = "\n";
    if (type == MD_TEXT_NULLCHAR) text = "\uFFFD";
    if (m_leaf->kind == BlockKind::Code) {
        appendCodeBlockText(text);
    } else if (type == MD_TEXT_CODE) {
        m_inline.appendCode(text);
    } else {
        m_inline.appendProse(text);
    }
    if (m_spans.picture > 0) {
        m_pictures.back().alt.append(text);
    } else {
        m_hasTextBesidePictures |= !isBlank(text);
    }
    return true;
}

}  // namespace agens::markdown
