// SPDX-License-Identifier: Apache-2.0
// Block: see the header.
#include "app/ui/markdown/block.h"

#include <algorithm>

namespace agens::markdown {

BlockShape shapeOf(BlockKind kind) {
    switch (kind) {
        case BlockKind::Code:
            return BlockShape::Code;
        case BlockKind::Table:
            return BlockShape::Table;
        case BlockKind::Rule:
            return BlockShape::Rule;
        case BlockKind::ImageRef:
            return BlockShape::ImageRef;
        case BlockKind::Notice:
            return BlockShape::Notice;
        case BlockKind::Paragraph:
        case BlockKind::Heading:
        case BlockKind::ListItem:
        case BlockKind::Quote:
            break;
    }
    return BlockShape::Text;
}

std::size_t lineCount(std::string_view text) {
    return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace agens::markdown
