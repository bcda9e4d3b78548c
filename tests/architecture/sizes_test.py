#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sizes of files and functions, printed for the reader. Fails only beyond the red lines: a file over
800 lines, a function over 120. Generated tables (*_table.cpp) are not counted."""
import re
import sys
import unittest

from source_tree import code_of, files, text_of

LONGEST_FILE = 800
LONGEST_FUNCTION = 120
NO_FUNCTION = re.compile(r"^\s*(?:namespace|class|struct|enum|union|extern|using|#|switch|if|for|while|do|else|\}|return|=)")


def counted_files():
    return [path for path in files("engine/*.h", "engine/*.cpp", "app/*.h", "app/*.cpp")
            if not path.name.endswith("_table.cpp")]


def functions_of(code):
    """(first line, lines) of every function body, by the layout clang-format gives."""
    found = []
    lines = code.split("\n")
    number = 0
    while number < len(lines):
        line = lines[number]
        opens = line.rstrip().endswith("{") and not NO_FUNCTION.match(line)
        indent = len(line) - len(line.lstrip())
        if opens and indent <= 4 and ")" in "".join(lines[max(0, number - 6):number + 1]):
            end = number + 1
            while end < len(lines) and not re.match(rf"^\s{{0,{indent}}}\}}", lines[end]):
                end += 1
            found.append((number + 1, end - number + 1))
            number = end
        number += 1
    return found


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


class Sizes(unittest.TestCase):
    def test_files(self):
        sizes = {path: len(text_of(path).splitlines()) for path in counted_files()}
        print(f"files: {len(sizes)}, p90 {percentile(sizes.values(), 0.9)} lines")
        for path, size in sorted(sizes.items(), key=lambda item: -item[1])[:5]:
            print(f"  {size:5} {path}")
        self.assertEqual([f"{path}: {size}" for path, size in sizes.items() if size > LONGEST_FILE], [])

    def test_functions(self):
        sizes = [(lines, f"{path}:{first}") for path in counted_files() for first, lines in functions_of(code_of(path))]
        lengths = [lines for lines, _ in sizes]
        long_share = sum(lines > 60 for lines in lengths) / len(lengths)
        print(f"functions: {len(sizes)}, p90 {percentile(lengths, 0.9)} lines, {100 * long_share:.1f} % over 60")
        for lines, place in sorted(sizes, reverse=True)[:5]:
            print(f"  {lines:5} {place}")
        self.assertEqual([f"{place}: {lines}" for lines, place in sizes if lines > LONGEST_FUNCTION], [])

    def test_the_counter_counts(self):
        code = "namespace a {\nint f(int x) {\n    if (x) {\n        return 1;\n    }\n    return 2;\n}\n}\n"
        self.assertEqual(functions_of(code), [(2, 6)])

    def test_mass_of_tests(self):
        code = sum(len(text_of(path).splitlines()) for path in counted_files())
        tests = sum(len(text_of(path).splitlines()) for path in files("tests/*.h", "tests/*.cpp", "tests/*.py", "tests/*.qml"))
        print(f"lines: {code} of code, {tests} of tests, {tests / code:.2f} a line")


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
