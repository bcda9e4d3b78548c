#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A real model answers a real question.

usage: paris_test.py AGENS"""
import os
import subprocess
import sys
from pathlib import Path

NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"


def main():
    folder = os.environ.get("AGENS_MODEL_DIR") or Path(__file__).resolve().parents[2] / "build" / "models"
    model = Path(folder) / NAME
    if not model.is_file():
        print(f"SKIPPED (no starter model in {folder})")
        return 0
    done = subprocess.run([sys.argv[1], "generate", "--model", str(model), "--temperature", "0",
                           "--prompt", "What is the capital of France?"], capture_output=True, text=True, timeout=120)
    print(done.stdout, done.stderr)
    return 0 if done.returncode == 0 and done.stdout == "The capital of France is Paris.\n" else 1


if __name__ == "__main__":
    sys.exit(main())
