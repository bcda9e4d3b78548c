// SPDX-License-Identifier: Apache-2.0
// SegmentedText: styled UTF-8 as a QString with segments that cover it without gaps, the form in
// which a QTextDocument is filled, and how much of it two versions have in common.
//
// Invariant: segments follow each other from 0 to text.size(); neighbours differ in style.
// Thread: pure functions.
#pragma once

#include <QString>
#include <vector>

#include "app/ui/markdown/block.h"

namespace agens::markdown {

struct TextSegment {
    int begin = 0;  // UTF-16 units
    int end = 0;
    StyleMask style = 0;
    SyntaxClass syntax = SyntaxClass::None;
    std::int32_t link = kNoLink;

    bool hasStyleOf(const TextSegment& other) const {
        return style == other.style && syntax == other.syntax && link == other.link;
    }
};

struct SegmentedText {
    QString text;
    std::vector<TextSegment> segments;
};

// `maximumLines` 0: all of it.
SegmentedText segmentsOf(const StyledText& styled, int maximumLines);

// UTF-16 units from the start that are equal in text and style; never half a surrogate pair.
int commonPrefix(const SegmentedText& a, const SegmentedText& b);

}  // namespace agens::markdown
