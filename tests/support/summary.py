#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds up what a ctest run found, for the closing line of tests/run.sh.

usage: summary.py CTEST_JUNIT.xml GTEST_XML_FOLDER

Prints "passed failed skipped" as three numbers on stdout, the reasons of everything skipped (counted)
on stderr. A GoogleTest program counts by its cases, any other test as one; a program that died before it
wrote its report counts as one failure. A line "SKIPPED (reason)" in the output of a test without a
report counts as one skip.
"""
import collections
import re
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

SKIP_LINE = re.compile(r"^SKIPPED \((.*)\)", re.MULTILINE)


class Sum:
    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.reasons = collections.Counter()

    def skip(self, reason):
        self.reasons[" ".join(reason.split())] += 1


def add_program(report, total):
    for case in xml.parse(report).getroot().iter("testcase"):
        skipped = case.find("skipped")
        if case.find("failure") is not None:
            total.failed += 1
        elif skipped is not None or case.get("result") == "skipped":
            total.skip((skipped.get("message") if skipped is not None else None) or "no reason given")
        elif case.get("status") == "run":
            total.passed += 1


def add_entry(case, reports, total):
    name = case.get("name")
    report = reports / f"{name}.xml"
    status = case.get("status")
    if report.is_file():
        before = total.failed
        add_program(report, total)
        if status == "fail" and total.failed == before:
            total.failed += 1  # a crash or a time-out after the last report
    elif status == "run":
        total.passed += 1
        for reason in SKIP_LINE.findall(case.findtext("system-out") or ""):
            total.skip(reason)
    elif status in ("disabled", "notrun"):
        total.failed += 1  # a test that could not even start
    else:
        total.failed += 1


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    junit, reports = Path(sys.argv[1]), Path(sys.argv[2])
    total = Sum()
    for case in xml.parse(junit).getroot().iter("testcase"):
        add_entry(case, reports, total)
    for reason, count in total.reasons.most_common():
        print(f"SKIPPED {count} ({reason})", file=sys.stderr)
    print(total.passed, total.failed, sum(total.reasons.values()))


if __name__ == "__main__":
    main()
