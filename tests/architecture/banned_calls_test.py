#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls that the rules of the house forbid, by place. Comments and string literals do not count."""
import re
import sys
import unittest

from source_tree import code_of, files, text_of

CXX = ("*.h", "*.cpp")

# (what, pattern, files it is forbidden in, exceptions with their reason)
BANNED = [
    ("the environment is read in main only", r"\b(?:secure_)?getenv\s*\(", ("engine", "app"),
     ("app/cli/", "app/ui/main.cpp")),  # what runs first reads it and passes values on
    ("nothing below app ends the process", r"\b(?:abort|exit|_exit|_Exit|quick_exit|terminate)\s*\(", ("engine", "app/chat", "app/service"), ()),
    ("nothing below app prints", r"\b(?:printf|puts|putchar|fputs)\s*\(|std::c(?:out|err|log)\b", ("engine", "app/chat", "app/service"), ()),
    ("assert() ends the process; use CHECK", r"(?<![_\w])assert\s*\(", ("engine", "app"), ()),
    ("no regular expressions on foreign text", r"std::regex|\bQRegularExpression\b", ("engine", "app"), ()),
    ("ownership is a type", r"\bdelete\s+[\w(*]|^(?!.*(?:_ptr<|return ).*).*\bnew\s+[A-Za-z_:]+\s*[({\[;]", ("engine", "app/chat", "app/cli"), ()),
    ("no singletons", r"\b(?:globalInstance|getInstance|instance)\s*\(\s*\)\s*(?:\{|;)", ("engine", "app"), ()),
    ("foreign text never becomes rich text", r"\bset(?:Html|Markdown)\s*\(|Qt::(?:RichText|AutoText|MarkdownText)", ("app",), ()),
    ("settings live in the store", r"\bQSettings\b", ("app",), ()),
]
BANNED_QML = [
    ("foreign text never becomes rich text", r"\b(?:Text|TextEdit|Label)\.(?:RichText|AutoText|MarkdownText|StyledText)\b"),
    ("no code from strings", r"\bcreateQmlObject\b|\beval\s*\("),
]
TODO = re.compile(r"\b(?:TODO|FIXME|XXX)\b(?!\(#\d+\))")


def lines_with(pattern, text):
    return [number for number, line in enumerate(text.split("\n"), 1) if re.search(pattern, line)]


class BannedCalls(unittest.TestCase):
    def test_cpp(self):
        found = []
        for what, pattern, folders, exceptions in BANNED:
            for path in files(*(f"{folder}/{end}" for folder in folders for end in CXX)):
                if str(path).startswith(exceptions):
                    continue
                found += [f"{path}:{line}: {what}" for line in lines_with(pattern, code_of(path))]
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_qml(self):
        found = []
        for path in files("*.qml"):
            for what, pattern in BANNED_QML:
                found += [f"{path}:{line}: {what}" for line in lines_with(pattern, code_of(path))]
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_an_open_end_names_its_issue(self):
        found = []
        for path in files("engine", "app", "installer", "tests"):
            if path.suffix in (".h", ".cpp", ".qml", ".cmake", ".sh") or path.name == "CMakeLists.txt":
                found += [f"{path}:{line}" for line in lines_with(TODO, text_of(path))]
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_the_patterns_find_what_they_forbid(self):
        samples = ["std::getenv(name)", "std::abort();", 'std::printf("x")', "assert(x)", "std::regex r;",
                   "delete pointer;", "static T& instance() {", "text->setHtml(x)", "QSettings s;"]
        for (what, pattern, _, _), sample in zip(BANNED, samples):
            self.assertRegex(sample, pattern, what)
        self.assertNotRegex("static_assert(x)", BANNED[3][1])
        self.assertNotRegex("std::snprintf(line)", BANNED[2][1])
        self.assertNotRegex("Type(Type&&) = delete;", BANNED[5][1])


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
