#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Documents stay true: every path and every identifier in backticks exists, every link leads somewhere."""
import re
import sys
import unittest
from pathlib import Path

from source_tree import ROOT, files, text_of

FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#\s]+)\)")
PATH = re.compile(r"^[\w.\-]+(?:/[\w.\-]*)+$|^[\w\-]+\.(?:h|cpp|py|sh|qml|cmake)$")
IDENTIFIER = re.compile(r"^[A-Za-z]\w*(?:(?:::|\.)\w+)*(?:\(\))?$")
# Words in backticks that are no part of this tree.
FOREIGN = re.compile(r"^(?:[A-Z0-9_]+=.*|build/.*|~/.*|/.*|https?:.*|golden/.*)$")


def source_words():
    words = set()
    for path in files("*.h", "*.cpp", "*.py", "*.sh", "*.qml", "*.cmake", "*.txt", "*.json"):
        words.update(re.findall(r"[A-Za-z_]\w*", text_of(path)))
    for path in files("."):
        words.update(re.findall(r"[A-Za-z_]\w*", str(path)))
    return words


def path_exists(name, readme):
    name = name.rstrip("/")
    places = [ROOT, ROOT / "engine", ROOT / readme.parent, ROOT / "tests" / "golden"]
    return any((place / name).exists() for place in places) or any(p.name == name for p in files("*/" + name, name))


class Readmes(unittest.TestCase):
    def test_what_stands_in_backticks_exists(self):
        words = source_words()
        missing = []
        for readme in files("*.md"):
            text = FENCE.sub("", text_of(readme))
            for quoted in QUOTED.findall(text):
                first = quoted.split()[0]
                if FOREIGN.match(first) or re.search(r"[*<>{}…\[\]]|NN|FILE|FOLDER|NAME", quoted):
                    continue
                if PATH.match(first):
                    if not path_exists(first, readme):
                        missing.append(f"{readme}: no file `{first}`")
                elif readme.parts[:2] == ("tests", "golden"):
                    continue  # names of stored values, in files no word list holds
                elif " " not in quoted and IDENTIFIER.match(quoted):
                    if not set(re.findall(r"[A-Za-z_]\w*", quoted)) <= words:
                        missing.append(f"{readme}: nothing is called `{quoted}`")
        self.assertEqual(missing, [], "\n" + "\n".join(missing))

    def test_links_lead_somewhere(self):
        missing = []
        for readme in files("*.md"):
            for target in LINK.findall(text_of(readme)):
                if "://" not in target and not (ROOT / readme.parent / target).exists():
                    missing.append(f"{readme}: {target}")
        self.assertEqual(missing, [])

    def test_a_wrong_path_would_be_noticed(self):
        self.assertFalse(path_exists("engine/nowhere.h", Path("README.md")))
        self.assertTrue(path_exists("engine/engine.h", Path("README.md")))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
