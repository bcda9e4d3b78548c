#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The shape of the tree: what lies in the root, a licence line and a header comment on every file."""
import re
import sys
import unittest

from source_tree import files, text_of

ROOT_NAMES = {"CMakeLists.txt", "app", "engine", "gpu", "resources", "profiles", "installer", "tests", "README.md",
              "CMakePresets.json", "LICENSE", "NOTICE", "CONTRIBUTING.md", "SECURITY.md"}
LICENCE = "SPDX-License-Identifier: Apache-2.0"


def header_lines(text):
    """Lines of the comment that opens a C++ file, without the licence line."""
    count = 0
    for line in text.split("\n")[1:]:
        if not line.startswith("//"):
            break
        count += 1
    return count


class Tree(unittest.TestCase):
    def test_the_root_holds_only_what_it_should(self):
        names = {path.parts[0] for path in files(".") if not path.parts[0].startswith(".")}
        self.assertEqual(names - ROOT_NAMES, set())

    def test_every_source_file_names_its_licence(self):
        missing = [str(path) for path in files("*.h", "*.cpp", "*.py", "*.sh", "*.qml")
                   if LICENCE not in "\n".join(text_of(path).split("\n")[:3])]
        self.assertEqual(missing, [])

    def test_every_cpp_file_says_what_it_is_for(self):
        silent = []
        headers = set(files("*.h"))
        for path in files("*.h", "*.cpp"):
            if header_lines(text_of(path)) == 0 and path.with_suffix(".h") not in headers - {path}:
                silent.append(f"{path} opens without a comment")  # a .cpp may leave it to its header
        self.assertEqual(silent, [], "\n" + "\n".join(silent))

    def test_headers_guard_with_pragma_once(self):
        self.assertEqual([str(path) for path in files("*.h") if "#pragma once" not in text_of(path)], [])

    def test_folders_of_engine_and_app_have_a_readme(self):
        folders = {path.parent for path in files("engine/*.h", "engine/*.cpp", "app/*.h", "app/*.cpp")}
        readmes = {path.parent for path in files("*README.md")}
        without = [str(folder) for folder in sorted(folders)
                   if not any(parent in readmes for parent in [folder, *folder.parents][:2])]
        self.assertEqual(without, [])

    def test_a_readme_is_at_most_sixty_lines(self):
        long = [f"{path}: {len(text_of(path).splitlines())} lines" for path in files("*README.md")
                if len(text_of(path).splitlines()) > 60 and path.parts[0] in ("engine", "app", "installer", "resources")]
        self.assertEqual(long, [])

    def test_type_names_say_something(self):
        vague = re.compile(r"\b(?:class|struct)\s+(\w*(?:Manager|Helper|Utils|Common|Data|Info))\b(?!\w)\s*(?:final\s*)?[{:]")
        for path in files("*.h", "*.cpp"):  # printed for the reader, never a failure
            for name in vague.findall(text_of(path)):
                if name != "DeviceInfo":
                    print(f"vague name: {name} in {path}")


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
