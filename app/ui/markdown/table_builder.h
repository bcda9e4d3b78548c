// SPDX-License-Identifier: Apache-2.0
// TableBuilder: collects the cells of one table. Internal to this folder.
//
// Rows beyond kMaxTableRows, and every row of a table wider than kMaxColumns, become lines of plain
// text ("a | b") that stand below the table. kMaxTableCells ends the parse (parser.h).
// Thread: one parse.
#pragma once

#include <cstddef>
#include <string>

#include "app/ui/markdown/block.h"

namespace agens::markdown {

class TableBuilder {
 public:
    explicit TableBuilder(std::size_t columns) : m_columns(columns) {}

    // Head cells tell the alignment of their column.
    void addCell(StyledText cell, Alignment alignment);
    // False when the table has too many cells to go on.
    bool endRow();

    Table takeTable() { return std::move(m_table); }
    std::string takeRest() { return std::move(m_rest); }

 private:
    bool hasRoom() const;

    std::size_t m_columns;
    std::size_t m_rows = 0;
    std::size_t m_cells = 0;
    std::size_t m_column = 0;  // of the next cell
    Table m_table;
    std::string m_rest;
};

}  // namespace agens::markdown
