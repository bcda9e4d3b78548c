#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills the real window while a reply streams, again and again on one data folder.

    kill_window.py PROGRAM [RUNS]

After every kill, on a copy of the files: SQLite's integrity_check is ok; every message that was shown
as sent is there; the stored reply is a beginning of what the script says, and holds at least what the
window had been given a second before the kill (it says so in its debug log: counts, never text).
After the next start the cut-off reply is Interrupted and its text is unchanged.
"""
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

REPLY = "".join(f"word{number:06d} " for number in range(4000))
SHOWN = re.compile(r"reply (\d+) shown (\d+) bytes")
BEHIND_S = 1.0  # what a crash may cost


def write_script(path):
    path.write_text('model "Scripted kill" context=1048576\nreply\n  pace 2000 tok/s step=4\n'
                    f"  text <<THE_END\n{REPLY}\nTHE_END\nend\n", encoding="utf-8")


class Run:
    """One start of the program, with the moments at which its log told of shown text."""

    def __init__(self, program, data, script, text):
        self.shown = []  # (time, reply id, bytes)
        self.other_lines = []
        self.process = subprocess.Popen(
            [program, "--data-dir", data, "--engine", f"scripted:{script}", "--send", text,
             "--log-level", "debug"], stderr=subprocess.PIPE, text=True,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_QUICK_BACKEND": "software"})
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stderr:
            found = SHOWN.search(line)
            if found:
                self.shown.append((time.monotonic(), int(found[1]), int(found[2])))
            else:
                self.other_lines.append(line)

    def wait_for_text(self):
        deadline = time.monotonic() + 60
        while not any(entry[2] > 0 for entry in list(self.shown)):
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError("no text came:\n" + "".join(self.other_lines))
            time.sleep(0.01)

    def kill(self):
        at = time.monotonic()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.reader.join()
        return at


def look(data, check):
    """Runs `check` on a copy, so that the program finds its files as the kill left them."""
    with tempfile.TemporaryDirectory() as copy:
        for file in pathlib.Path(data).glob("history.db*"):
            shutil.copy(file, copy)
        connection = sqlite3.connect(pathlib.Path(copy) / "history.db")
        try:
            return check(connection)
        finally:
            connection.close()


def users(connection):
    rows = connection.execute("SELECT p.text FROM message m JOIN part p ON p.message_id = m.id "
                              "WHERE m.role = 'user' ORDER BY m.id")
    return [row[0] for row in rows]


def reply_text(connection, reply):
    parts = connection.execute("SELECT text FROM part WHERE message_id = ? ORDER BY position",
                               (reply,)).fetchall()
    tail = connection.execute("SELECT text FROM reply_tail WHERE message_id = ? ORDER BY seq",
                              (reply,)).fetchall()
    return "".join(row[0] for row in parts + tail)


def check_kill(data, run, killed_at, sent):
    reply = run.shown[-1][1]
    # What had been given to the window a second before, and had text.
    due = max((count for at, _, count in run.shown if at <= killed_at - BEHIND_S), default=0)

    def check(connection):
        problems = []
        answer = connection.execute("PRAGMA integrity_check").fetchone()[0]
        if answer != "ok":
            problems.append(f"integrity_check: {answer}")
        if users(connection) != sent:
            problems.append(f"messages: {users(connection)[-3:]} instead of {sent[-3:]}")
        text = reply_text(connection, reply)
        if not REPLY.startswith(text):
            problems.append("the stored reply is not a beginning of the script")
        if len(text.encode()) < due:
            problems.append(f"reply: {len(text)} bytes stored, {due} were shown a second before")
        return problems, text, due

    problems, text, due = look(data, check)
    return problems, reply, text, due


def check_repair(data, reply, text):
    def check(connection):
        state = connection.execute("SELECT state FROM message WHERE id = ?", (reply,)).fetchone()[0]
        return state, reply_text(connection, reply)

    state, stored = look(data, check)
    if (state, stored) != ("interrupted", text):
        return [f"after the next start the reply is {state} with {len(stored)} of {len(text)} bytes"]
    return []


def main():
    program = sys.argv[1]
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    chance = random.Random(20)
    failures = 0
    kept = 0
    with tempfile.TemporaryDirectory() as folder:
        data = str(pathlib.Path(folder) / "data")
        script = pathlib.Path(folder) / "kill.script"
        write_script(script)
        sent = []
        before = None
        for number in range(runs):
            text = f"message number {number}"
            run = Run(program, data, script, text)
            try:
                run.wait_for_text()
                time.sleep(chance.uniform(0.0, 3.0))
            finally:
                killed_at = run.kill()
            sent.append(text)
            problems, reply, stored, due = check_kill(data, run, killed_at, sent)
            if before:
                problems += check_repair(data, *before)
            before = (reply, stored)
            kept += len(stored)
            failures += bool(problems)
            for problem in problems:
                print(f"kill {number}: {problem}")
    print(f"{runs} kills, {failures} with a fault, {kept} bytes of replies kept")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
