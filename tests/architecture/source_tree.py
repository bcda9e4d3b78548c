# SPDX-License-Identifier: Apache-2.0
"""What every architecture test needs: the tracked files, and C++ without comments and strings."""
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def files(*patterns):
    """Tracked (or new, not ignored) files that match, relative to the root, sorted."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    return sorted({Path(name) for name in listed if name and (ROOT / name).is_file()})


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


_TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z])\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL)


def code_of(path):
    """C++ source with comments and literals blanked; line numbers stay."""
    def blank(match):
        return "".join("\n" if c == "\n" else " " for c in match.group(0))
    return _TOKENS.sub(blank, text_of(path))
