// SPDX-License-Identifier: Apache-2.0
// What each row of the transcript says, role by role.
#include <QVariant>

#include "app/ui/markdown/block_text.h"
#include "app/ui/markdown/copy_text.h"
#include "app/ui/models/text_format.h"
#include "app/ui/models/transcript_model.h"

namespace agens::ui {
namespace {

using chat::MessageState;
using service::ReplyPhase;

QString stateOf(const MessageFacts& facts) {
    if (!facts.isLive) return toQt(chat::toString(facts.state));
    switch (facts.phase) {
        case ReplyPhase::Waiting:
            return QStringLiteral("queued");
        case ReplyPhase::Prefill:
            return QStringLiteral("prefill");
        case ReplyPhase::Thinking:
            return QStringLiteral("reasoning");
        case ReplyPhase::Text:
        case ReplyPhase::Ended:
            return QStringLiteral("text");
    }
    return {};
}

QString statsOf(const MessageFacts& facts) {
    if (facts.isLive) return facts.tokens == 0 ? QString() : tokensText(facts.tokens);
    if (!facts.stats || facts.stats->replyTokens == 0) return {};
    return tokensText(facts.stats->replyTokens) + QStringLiteral(" · first token ") +
           secondsText(facts.stats->firstTokenUs);
}

QString speedOf(const MessageFacts& facts) {
    if (facts.isLive) return speedText(facts.tokensPerSecond);
    return facts.stats ? speedText(facts.stats->tokensPerSecond()) : QString();
}

// The sentence of a limit the Markdown path met.
QString noticeOf(const markdown::Block& block) {
    using markdown::NoticeId;
    if (block.kind == markdown::BlockKind::ImageRef) {
        const QString name = toQt(block.content.text);
        return QStringLiteral("Picture not loaded · ") +
               (name.isEmpty() ? QString() : name + QStringLiteral(" · ")) + toQt(block.address);
    }
    switch (block.notice) {
        case NoticeId::FormattingLimit:
            return QStringLiteral("Some formatting above is not shown: there is too much of it.");
        case NoticeId::PlainRest:
            return QStringLiteral("The rest is shown as plain text: it has too much formatting.");
        case NoticeId::MessageLimit:
            return QStringLiteral("The message goes on, but no more of it is shown.");
        case NoticeId::None:
            break;
    }
    return {};
}

QVariantList tableRows(const markdown::Table& table) {
    QVariantList rows;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        QVariantList cells;
        for (std::size_t column = 0; column < table.columns(); ++column)
            cells.append(toQt(table.cells[row * table.columns() + column].text));
        rows.append(QVariant(cells));
    }
    return rows;
}

QVariantList tableAligns(const markdown::Table& table) {
    QVariantList aligns;
    for (const markdown::Alignment alignment : table.alignments) {
        aligns.append(alignment == markdown::Alignment::Center  ? QStringLiteral("center")
                      : alignment == markdown::Alignment::Right ? QStringLiteral("right")
                                                                : QStringLiteral("left"));
    }
    return aligns;
}

int checkedOf(markdown::TaskState task) {
    return task == markdown::TaskState::None ? -1 : task == markdown::TaskState::Done ? 1 : 0;
}

QString accessibleBlock(const markdown::Block& block) {
    const QString text = toQt(markdown::copyAsText(block));
    switch (block.kind) {
        case markdown::BlockKind::Heading:
            return QStringLiteral("Heading: ") + text;
        case markdown::BlockKind::ListItem:
            return toQt(block.marker) + QLatin1Char(' ') + text;
        case markdown::BlockKind::Quote:
            return QStringLiteral("Quote: ") + text;
        case markdown::BlockKind::Code:
            return QStringLiteral("Code: ") + text;
        case markdown::BlockKind::Table:
            return QStringLiteral("Table: ") + text;
        case markdown::BlockKind::ImageRef:
        case markdown::BlockKind::Notice:
            return noticeOf(block);
        default:
            return text;
    }
}

}  // namespace

QHash<int, QByteArray> TranscriptModel::roleNames() const {
    return {{RowKindRole, "rowKind"},
            {RowIdRole, "rowId"},
            {MessageIdRole, "messageId"},
            {TextRole, "text"},
            {BlockRole, "block"},
            {LevelRole, "level"},
            {ListDepthRole, "listDepth"},
            {QuoteDepthRole, "quoteDepth"},
            {QuoteAboveRole, "quoteAbove"},
            {MarkerRole, "marker"},
            {CheckedRole, "checked"},
            {LanguageRole, "language"},
            {TableRowsRole, "tableRows"},
            {TableAlignsRole, "tableAligns"},
            {StateRole, "state"},
            {IsStreamingRole, "isStreaming"},
            {SiblingIndexRole, "siblingIndex"},
            {SiblingCountRole, "siblingCount"},
            {StatsTextRole, "statsText"},
            {SpeedTextRole, "speedText"},
            {NoticeTextRole, "noticeText"},
            {FirstOfMessageRole, "firstOfMessage"},
            {LastOfMessageRole, "lastOfMessage"},
            {IsLastReplyRole, "isLastReply"},
            {AccessibleTextRole, "accessibleText"}};
}

RowKind TranscriptModel::kindOf(const MessageView& view, const Place& place) const {
    switch (place.section) {
        case Section::Head:
            return view.head[place.index];
        case Section::Blocks:
            return rowKindOf(view.blocks[place.index].block->kind);
        case Section::Tail:
            return view.tail[place.index];
    }
    return RowKind::Paragraph;
}

QString TranscriptModel::rowId(const MessageView& view, const Place& place) const {
    const QString message = QString::number(view.facts.id.value);
    switch (place.section) {
        case Section::Head:
            return message + QStringLiteral(".head.") + toString(view.head[place.index]);
        case Section::Blocks:
            return message + QLatin1Char('.') +
                   QString::number(static_cast<std::uint64_t>(view.blocks[place.index].id));
        case Section::Tail:
            return message + QStringLiteral(".tail.") + toString(view.tail[place.index]);
    }
    return {};
}

bool TranscriptModel::isStreaming(const MessageView& view, const Place& place) const {
    return view.facts.isLive && view.facts.phase == ReplyPhase::Text &&
           place.section == Section::Blocks && place.index + 1 == view.blocks.size();
}

// The bar of a quote reaches up to the block above only where that one is quoted too.
int TranscriptModel::quoteAbove(const MessageView& view, const Place& place) {
    if (place.section != Section::Blocks || place.index == 0) return 0;
    return static_cast<int>(view.blocks[place.index - 1].block->quoteDepth);
}

QVariant TranscriptModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Place place = placeOf(index.row());
    const MessageView& view = m_messages[place.message];
    const int inMessage = index.row() - m_firstRows[place.message];
    switch (role) {
        case RowKindRole:
            return QString::fromLatin1(toString(kindOf(view, place)));
        case RowIdRole:
            return rowId(view, place);
        case MessageIdRole:
            return QString::number(view.facts.id.value);
        case StateRole:
            return stateOf(view.facts);
        case IsStreamingRole:
            return isStreaming(view, place);
        case SiblingIndexRole:
            return view.facts.siblingIndex;
        case SiblingCountRole:
            return view.facts.siblingCount;
        case QuoteAboveRole:
            return quoteAbove(view, place);
        case StatsTextRole:
            return statsOf(view.facts);
        case SpeedTextRole:
            return speedOf(view.facts);
        case FirstOfMessageRole:
            return inMessage == 0;
        case LastOfMessageRole:
            return inMessage + 1 == static_cast<int>(view.rowCount());
        case IsLastReplyRole:
            return isLastReply(place.message);
        default:
            break;
    }
    if (place.section == Section::Blocks) return blockData(view.blocks[place.index].block, role);
    return rowData(view, place, role);
}

QVariant TranscriptModel::blockData(const markdown::BlockPtr& shared, int role) const {
    const markdown::Block& block = *shared;
    switch (role) {
        case TextRole:
        case Qt::DisplayRole:
            return toQt(block.kind == markdown::BlockKind::Table ? markdown::copyAsText(block)
                                                                 : block.content.text);
        case BlockRole:
            return QVariant::fromValue(markdown::BlockValue{shared});
        case LevelRole:
            return static_cast<int>(block.level);
        case ListDepthRole:
            return static_cast<int>(block.listDepth);
        case QuoteDepthRole:
            return static_cast<int>(block.quoteDepth);
        case MarkerRole:
            return toQt(block.marker);
        case CheckedRole:
            return checkedOf(block.task);
        case LanguageRole:
            return toQt(block.language);
        case TableRowsRole:
            return tableRows(block.table);
        case TableAlignsRole:
            return tableAligns(block.table);
        case NoticeTextRole:
            return noticeOf(block);
        case AccessibleTextRole:
            return accessibleBlock(block);
        default:
            return {};
    }
}

QVariant TranscriptModel::rowData(const MessageView& view, const Place& place, int role) const {
    const RowKind kind = kindOf(view, place);
    const auto ownText = [&]() -> QString {
        if (kind == RowKind::User) return toQt(view.text);
        if (kind == RowKind::Prefill) return toQt(prefillText(view.facts));
        if (kind != RowKind::Notice) return {};
        return toQt(place.section == Section::Head ? thinkingText(view.facts)
                                                   : endText(view.facts));
    };
    switch (role) {
        case TextRole:
        case Qt::DisplayRole:
            return kind == RowKind::User ? ownText() : QString();
        case BlockRole:
            return QVariant::fromValue(markdown::BlockValue{});
        case NoticeTextRole:
            return kind == RowKind::User ? QString() : ownText();
        case CheckedRole:
            return -1;
        case LevelRole:
        case ListDepthRole:
        case QuoteDepthRole:
            return 0;
        case MarkerRole:
        case LanguageRole:
            return QString();
        case TableRowsRole:
        case TableAlignsRole:
            return QVariantList();
        case AccessibleTextRole:
            if (kind == RowKind::User) return QStringLiteral("You: ") + ownText();
            if (kind == RowKind::Footer) {
                return QStringLiteral("End of the reply. ") + statsOf(view.facts);
            }
            return ownText();
        default:
            return {};
    }
}

}  // namespace agens::ui
