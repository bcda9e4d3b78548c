#!/usr/bin/env bash
# Builds the release preset and runs every test.
set -eu
cd "$(dirname "$0")/.."
cmake --preset release 
cmake --build build/release
ctest --test-dir build/release --output-on-failure
