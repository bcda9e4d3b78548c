// SPDX-License-Identifier: Apache-2.0
// TranscriptModel: the active branch as one flat list, a row per Markdown block.
//
//   setMessages(views)              another branch: keeps the rows of the common beginning
//   update(facts, changes)          the running reply, always the last message: only what changed
//
// Invariants: closed blocks are never touched by an update; when a block opens, the row before it
// is reported changed too (its caret goes); rows changed by an update do not depend on how long
// the reply is.
// Thread: UI.
#pragma once

#include <QAbstractListModel>
#include <optional>
#include <span>
#include <vector>

#include "app/ui/models/message_view.h"

namespace agens::ui {

class TranscriptModel final : public QAbstractListModel {
    Q_OBJECT

 public:
    enum Role {
        RowKindRole = Qt::UserRole + 1,  // rowKind: "user", "paragraph", …
        RowIdRole,                       // rowId: stable, unique in the transcript
        MessageIdRole,                   // messageId
        TextRole,                        // text: plain text of the row
        BlockRole,                       // block: opaque value for BlockText
        LevelRole,                       // level: of a heading
        ListDepthRole,                   // listDepth: 0 = not in a list
        QuoteDepthRole,                  // quoteDepth: 0 = not in a quote
        QuoteAboveRole,                  // quoteAbove: quoteDepth of the block above
        MarkerRole,                      // marker: "•", "5."
        CheckedRole,                     // checked: -1 none, 0, 1
        LanguageRole,                    // language: of code
        TableRowsRole,                   // tableRows: list of lists of text, the head first
        TableAlignsRole,                 // tableAligns: "left", "center", "right"
        StateRole,                       // state of the message
        IsStreamingRole,                 // isStreaming: the caret stands behind this row
        SiblingIndexRole,                // siblingIndex: from 0
        SiblingCountRole,                // siblingCount
        StatsTextRole,                   // statsText: "318 tokens · first token 0.41 s"
        SpeedTextRole,                   // speedText: "84.6 tok/s"
        NoticeTextRole,                  // noticeText: of notice and prefill rows
        FirstOfMessageRole,              // firstOfMessage
        LastOfMessageRole,               // lastOfMessage
        IsLastReplyRole,                 // isLastReply
        AccessibleTextRole,              // accessibleText: what a screen reader says
    };

    explicit TranscriptModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    void setMessages(std::vector<MessageView> messages);
    // Does nothing if the last message is another one (the person looks elsewhere).
    void update(const MessageFacts& facts, std::string_view newText,
                std::span<const markdown::BlockChange> changes);

    const std::vector<MessageView>& messages() const { return m_messages; }
    const MessageView* find(chat::MessageId id) const;
    // Rows inserted, removed or reported changed since the model exists.
    std::uint64_t rowsChanged() const { return m_rowsChanged; }

 private:
    enum class Section { Head, Blocks, Tail };
    struct Place {
        std::size_t message = 0;
        Section section = Section::Head;
        std::size_t index = 0;
    };

    Place placeOf(int row) const;
    int lastFirstRow() const;
    QVariant blockData(const markdown::BlockPtr& shared, int role) const;
    QVariant rowData(const MessageView& view, const Place& place, int role) const;
    RowKind kindOf(const MessageView& view, const Place& place) const;
    QString rowId(const MessageView& view, const Place& place) const;
    bool isStreaming(const MessageView& view, const Place& place) const;
    static int quoteAbove(const MessageView& view, const Place& place);
    bool isLastReply(std::size_t message) const;

    void removeFrom(std::size_t message);
    void applyChange(MessageView& view, const markdown::BlockChange& change);
    void replaceSection(std::vector<RowKind>& rows, std::vector<RowKind> wanted, int firstRow);
    void reportChanged(int first, int last);
    void reportOwnRows(std::size_t message);
    void reportBelow(const MessageView& view, std::size_t block);

    std::vector<MessageView> m_messages;
    std::vector<int> m_firstRows;  // of each message
    int m_rows = 0;
    std::uint64_t m_rowsChanged = 0;
};

}  // namespace agens::ui
