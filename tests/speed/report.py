#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the runs that tests/speed/run.sh stored: medians over the runs of each side, ratio of the
medians, spread of the pairwise ratios. The peer's faster setting (flash attention on or off) counts,
quantity by quantity. Losses stay in the table.

usage: report.py FOLDER MODEL THREADS"""
import hashlib
import json
import statistics
import subprocess
import sys
from pathlib import Path

# name in the table, how to read it, larger is better
QUANTITIES = [
    ("prefill 512, tok/s", lambda run: run["prefill512_tok_s"], True),
    ("decode at 0, tok/s", lambda run: run["decode_at_0_tok_s"], True),
    ("decode at 1024, tok/s", lambda run: run["decode_at_1024_tok_s"], True),
    *[(f"{n} rows, ms", lambda run, n=n: run["row1_ms"] * run["ladder"][str(n)], False) for n in range(1, 9)],
]


def best_peer(run, read, larger_is_better):
    values = [read(setting) for setting in run.values()]
    return max(values) if larger_is_better else min(values)


def row_of(name, read, larger, ours, peers):
    own = [read(run) for run in ours]
    other = [best_peer(run, read, larger) for run in peers]
    speedups = [a / b if larger else b / a for a, b in zip(own, other)]
    ratio = statistics.median(own) / statistics.median(other)
    return {"quantity": name, "ours": statistics.median(own), "peer": statistics.median(other),
            "ratio": ratio if larger else 1 / ratio, "ratio_min": min(speedups), "ratio_max": max(speedups),
            "runs": len(own)}


def cpu_name():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


def commit():
    return subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()


def main():
    folder, model, threads = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    numbered = sorted(folder.glob("ours-*.json"), key=lambda path: int(path.stem.split("-")[1]))
    ours = [json.loads(path.read_text()) for path in numbered]
    peers = [json.loads((folder / path.name.replace("ours", "peer")).read_text()) for path in numbered]
    report = {
        "commit": commit(), "cpu": cpu_name(), "device": ours[0]["device"], "threads": threads, "model": model.name,
        "model_sha256": hashlib.sha256(model.read_bytes()).hexdigest(), "peer": "llama-cpp-python 0.3.36",
        "load_average": [float(line) for line in (folder / "load.txt").read_text().split()],
        "read_bandwidth_gb_s": statistics.median(run["read_bandwidth_bytes_s"] for run in ours) / 1e9,
        "read_bandwidth_share": statistics.median(run["read_bandwidth_share"] for run in ours),
        "valid": all(run["valid"] for run in ours),
        "rows": [row_of(*quantity, ours, peers) for quantity in QUANTITIES],
    }
    (folder / "report.json").write_text(json.dumps(report, indent=1) + "\n")

    print(f"{report['cpu']}, {threads} threads, {report['device']}; {model.name}; commit {report['commit']}")
    print(f"read bandwidth {report['read_bandwidth_gb_s']:.1f} GB/s, decode uses {100 * report['read_bandwidth_share']:.0f} % "
          f"of it; load {min(report['load_average'])} to {max(report['load_average'])}; peer {report['peer']}")
    if not report["valid"]:
        print("The read bandwidth drifted by more than 10 % within a run: these figures are not valid.")
    print(f"{'':24}{'ratio':>7}{'min':>7}{'max':>7}{'ours':>10}{'peer':>10}{'runs':>6}")
    for row in report["rows"]:
        print(f"{row['quantity']:24}{row['ratio']:7.2f}{row['ratio_min']:7.2f}{row['ratio_max']:7.2f}"
              f"{row['ours']:10.2f}{row['peer']:10.2f}{row['runs']:6}")


if __name__ == "__main__":
    main()
