#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every header compiles alone, with the flags of a source file of its folder.

usage: headers_test.py BUILD_FOLDER

Compiled objects are thrown away; ccache, where present, makes the second run quick."""
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from source_tree import ROOT, files

# Parts of a file, included inside its anonymous namespace; they cannot have includes of their own.
FRAGMENTS = {Path("engine/device/cpu/isa_scalar_lanes.h")}
KEPT = ("-I", "-isystem", "-D", "-std=", "-m", "-f")


def flags_by_folder(build):
    """Flags of the last source of each folder; headers of a folder need what its sources need."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        kept = []
        for number, word in enumerate(words):
            if word == "-isystem":
                kept += [word, words[number + 1]]
            elif word.startswith(KEPT) and word != "-isystem":
                kept.append(word)
        source = Path(entry["file"])
        if source.is_relative_to(ROOT):
            flags.setdefault(source.relative_to(ROOT).parent, []).extend(kept)
    return {folder: list(dict.fromkeys(kept)) if "-isystem" not in kept else unique_pairs(kept)
            for folder, kept in flags.items()}


def unique_pairs(words):
    seen, result, number = set(), [], 0
    while number < len(words):
        item = tuple(words[number:number + 2]) if words[number] == "-isystem" else (words[number],)
        number += len(item)
        if item not in seen:
            seen.add(item)
            result += item
    return result


def flags_for(header, flags):
    for folder in [header.parent, *header.parents]:
        if folder in flags:
            return [flag for flag in flags[folder] if not flag.startswith(("-mavx", "-mfma", "-mf16c", "-mprefer"))]
    return None


def compile_alone(header, flags, scratch):
    source = scratch / (str(header).replace("/", "__") + ".cpp")
    source.write_text(f'#include "{header}"\n')
    launcher = [shutil.which("ccache")] if shutil.which("ccache") else []
    command = [*launcher, os.environ.get("CXX", "c++"), "-w", "-O0", *flags, f"-I{ROOT}", "-c", str(source),
               "-o", str(source.with_suffix(".o"))]
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else f"{header} does not compile alone:\n{done.stderr[:1500]}"


def main():
    flags = flags_by_folder(Path(sys.argv[1]))
    # A steady place, so that ccache meets the same file names again.
    scratch = Path(sys.argv[1]) / "headers_alone"
    scratch.mkdir(exist_ok=True)
    headers = [path for path in files("engine/*.h", "app/*.h", "tests/*.h") if path not in FRAGMENTS]
    jobs = [(header, flags_for(header, flags)) for header in headers]
    unbuilt = [header for header, found in jobs if found is None]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda job: compile_alone(*job, scratch), [job for job in jobs if job[1] is not None])
        complaints = [complaint for complaint in results if complaint]
    with tempfile.TemporaryDirectory() as folder:  # positive control: the check can fail
        broken = compile_alone(Path("no/such/header.h"), [], Path(folder))
    print(f"{len(jobs) - len(unbuilt)} headers compiled alone")
    for header in unbuilt:
        print(f"SKIPPED ({header.parent} is not part of this build)")
    for complaint in complaints:
        print(complaint)
    sys.exit(1 if complaints or not broken else 0)


if __name__ == "__main__":
    main()
