#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every scene is drawn by the real program, light and dark, with no warning of Qt or QML (they are
fatal under tests/support/env.sh), and no two scenes look the same.

    scenes_test.py PROGRAM [OUTPUT_FOLDER]
"""
import hashlib
import pathlib
import subprocess
import sys
import tempfile

SCENES = ["empty", "loading", "chat", "chat-streaming", "edit", "queue", "load-error",
          "narrow-chat", "narrow-drawer"]


def draw(program, folder, scene, theme):
    picture = folder / f"{scene}-{theme}.png"
    done = subprocess.run([program, "--screenshot", picture, "--scene", scene, "--theme", theme],
                          capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0 or done.stderr.strip():
        print(f"{scene} {theme}: exit {done.returncode}\n{done.stderr}")
        return None
    data = picture.read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        print(f"{scene} {theme}: no PNG")
        return None
    return hashlib.sha256(data).hexdigest()


def main():
    program = sys.argv[1]
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    digests = {}
    failures = 0
    for scene in SCENES:
        for theme in ("light", "dark"):
            digest = draw(program, folder, scene, theme)
            failures += digest is None
            if digest in digests:
                print(f"{scene} {theme} looks exactly like {digests[digest]}")
                failures += 1
            digests[digest] = f"{scene} {theme}"
    wrong = subprocess.run([program, "--screenshot", folder / "x.png", "--scene", "nonsense"],
                           capture_output=True, text=True, timeout=60, check=False)
    if wrong.returncode != 1 or "There is no such scene" not in wrong.stderr:
        print(f"an unknown scene: exit {wrong.returncode}, {wrong.stderr}")
        failures += 1
    print(f"{len(SCENES)} scenes in 2 themes, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
