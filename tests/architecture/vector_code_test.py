#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program runs on every x86-64: instructions beyond SSE2 stand only in what is chosen at run time, the
files engine/device/cpu/isa_* and single functions with a target attribute. The files leave nothing behind
that a linker could share.

usage: vector_code_test.py BUILD_FOLDER"""
import re
import subprocess
import sys
from pathlib import Path

from source_tree import ROOT

VECTOR = re.compile(r"\t(v\w+)\s[^\n]*%[xyz]mm")
TARGET = re.compile(r'target\("[^"]*"\)\)?[)\]]+\s*[\w:<>*& ]*?(\w+)\(')
ISA_OBJECT = re.compile(r"/isa_\w+\.cpp\.o$")


def objects(build):
    return sorted(path for folder in ("engine", "app") for path in (build / folder).rglob("*.o"))


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def functions_with_vectors(path):
    """Mangled name and first such instruction of every function that has one."""
    code = output_of("objdump", "-d", "--no-show-raw-insn", str(path))
    parts = re.split(r"^[0-9a-f]+ <([^>]+)>:$", code, flags=re.MULTILINE)
    return {name: found.group(1) for name, body in zip(parts[1::2], parts[2::2]) if (found := VECTOR.search(body))}


def chosen_functions(path, build):
    """Functions of the object's source that carry a target attribute."""
    source = ROOT / re.sub(r"CMakeFiles/[^/]+\.dir/", "", str(path.relative_to(build)))
    return TARGET.findall(source.with_suffix("").read_text(encoding="utf-8"))


def shared_functions(path):
    """Weak functions of an object: inline code that the linker may pick for the whole program."""
    lines = output_of("nm", "--defined-only", "-C", str(path)).splitlines()
    return [line.split(" ", 2)[2] for line in lines if line.split(" ")[1:2] in (["W"], ["u"])]


def main():
    build = Path(sys.argv[1])
    complaints = []
    isa_with_vectors = 0
    for path in objects(build):
        found = functions_with_vectors(path)
        if ISA_OBJECT.search(str(path)):
            isa_with_vectors += bool(found)
            complaints += [f"{path.name} leaves a shared function: {name}" for name in shared_functions(path)]
        elif found:
            chosen = chosen_functions(path, build)
            complaints += [f"{path.relative_to(build)}: {name} uses {instruction}" for name, instruction in found.items()
                           if not any(own in name for own in chosen)]
    if isa_with_vectors == 0:
        complaints.append("no vector code was found in isa_* either: the search does not work")
    print(f"{len(objects(build))} objects read, {isa_with_vectors} hold vector code chosen at run time")
    print("\n".join(complaints))
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
