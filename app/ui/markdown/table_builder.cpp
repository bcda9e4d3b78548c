// SPDX-License-Identifier: Apache-2.0
// TableBuilder: see the header.
#include "app/ui/markdown/table_builder.h"

#include "app/ui/markdown/inline_text.h"
#include "app/ui/markdown/parser.h"

namespace agens::markdown {

bool TableBuilder::hasRoom() const {
    return m_columns <= kMaxColumns && m_rows < kMaxTableRows;
}

void TableBuilder::addCell(StyledText cell, Alignment alignment) {
    ++m_cells;
    ++m_column;
    if (hasRoom()) {
        if (m_rows == 0) m_table.alignments.push_back(alignment);
        m_table.cells.push_back(withLineBreaks(std::move(cell)));
        return;
    }
    if (m_column > 1) m_rest += " | ";
    m_rest += cell.text;
}

bool TableBuilder::endRow() {
    if (hasRoom()) {
        m_table.cells.resize((m_rows + 1) * m_table.columns());
    } else {
        m_rest += '\n';
    }
    ++m_rows;
    m_column = 0;
    return m_cells <= kMaxTableCells;
}

}  // namespace agens::markdown
