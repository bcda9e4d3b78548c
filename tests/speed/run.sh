#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Speed of `agens bench` against another engine (llama-cpp-python) on the same file, in one interleaved
# run A B B A …, at least five pairs. Prints medians, ratios, spread and what surrounded them, and writes
# build/speed/report.json. By hand, on a quiet machine.
#
#   tests/speed/run.sh [--pairs N] [--threads N] [--model FILE]
#
# The peer lives in build/venv-peer and is compiled there once (10 to 15 minutes on two cores);
# AGENS_PEER_VENV names one that exists. Its driver is tools/peer_speed.py of the shared data
# (AGENS_SHARED). Nothing of the peer enters this tree.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"

pairs=5 threads=2 model=
while [ $# -gt 0 ]; do
    case "$1" in
        --pairs) pairs=$2 ;;
        --threads) threads=$2 ;;
        --model) model=$2 ;;
        *)
            sed -n '3,11s/^# \{0,1\}//p' "$0"
            exit 2
            ;;
    esac
    shift 2
done

shared=${AGENS_SHARED:-$root/../shared}
driver=$shared/tools/peer_speed.py
[ -f "$driver" ] || { echo "speed: $driver is missing; set AGENS_SHARED." >&2; exit 1; }

venv=${AGENS_PEER_VENV:-build/venv-peer}
if [ ! -x "$venv/bin/python" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q numpy llama-cpp-python==0.3.36
fi
if [ -z "$model" ]; then
    places=()
    [ -z "${AGENS_MODEL_DIR:-}" ] || places+=(--also "$AGENS_MODEL_DIR")
    model=$(python3 installer/fetch_model.py "${places[@]}" --folder build/models)
fi
[ -x build/release/bin/agens ] || { echo "speed: build the release preset first (installer/run.sh --headless)." >&2; exit 1; }

out=build/speed
rm -rf "$out"
mkdir -p "$out"
ours() { build/release/bin/agens bench --json --model "$model" --threads "$threads" >"$out/ours-$1.json"; }
peer() { "$venv/bin/python" "$driver" "$model" "$threads" >"$out/peer-$1.json"; }

for ((pair = 1; pair <= pairs; ++pair)); do
    echo "pair $pair of $pairs, load $(cut -d' ' -f1 /proc/loadavg)" >&2
    cut -d' ' -f1 /proc/loadavg >>"$out/load.txt"
    if ((pair % 2)); then ours "$pair"; peer "$pair"; else peer "$pair"; ours "$pair"; fi
done
python3 tests/speed/report.py "$out" "$model" "$threads"
