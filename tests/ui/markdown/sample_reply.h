// SPDX-License-Identifier: Apache-2.0
// A reply with every kind of block, as models write them, and longer ones made from the same parts.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace agens::markdown {

inline const std::vector<std::string>& sampleParts() {
    static const std::vector<std::string> parts = {
        "Sure! Here is **what you need** to know about `std::vector<int>` and *why* it matters, "
        "with "
        "a [link](https://example.org/a?b=c&amp;d) and an address: https://example.org/x.\n\n",
        "## A heading with `code`\n\n",
        "A verse\nof three lines  \nwith a hard break. 100 % — ~~no~~ yes & <b>no HTML</b>.\n\n",
        "1. First step\n2. Second step with **bold**\n   and a further line\n\n   A second "
        "paragraph.\n"
        "3. Third\n   - nested\n   - `items`\n     - deeper\n\n",
        "```cpp\n#include <vector>\n\nint main() {\n    std::vector<int> v = {1, 2, 3};\n"
        "    return *v.begin() * 2;  // **not bold**\n}\n```\n\n",
        "> A quote\n> with two lines\n>\n> > nested\n\n",
        "The figures:\n| name | value |\n|:-----|------:|\n| a `x|y` | 1<br>2 |\n| **b** | 3 |\n\n",
        "- [ ] open\n- [x] done\n\n---\n\n",
        "**重点。**后面是普通文字，还有**「引号」**和*（括号）*。\n\n",
        "![a picture](https://example.org/p.png) beside text 👋🏽 and é.\n\n",
        "Setext heading\n==============\n\n    indented code\n\n",
        "~~~\nfence of tildes\n```\nnot closed by backticks\n~~~\n\n",
    };
    return parts;
}

inline std::string sampleReply() {
    std::string text;
    for (const std::string& part : sampleParts())
        text += part;
    return text;
}

// Parts in random order until the text has `bytes`.
inline std::string longReply(std::size_t bytes, unsigned seed) {
    std::mt19937 random(seed);
    std::string text;
    while (text.size() < bytes)
        text += sampleParts()[random() % sampleParts().size()];
    return text;
}

}  // namespace agens::markdown
